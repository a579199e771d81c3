//! Is the choice to refuse the same in every run?

use super::Metric;
use crate::metrics::{About, Empty, Fold};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "rcr",
        summary: "How consistently a case is refused or answered.",
        definition: "mean over cases of max(refusals, others) / N",
        over: "cases with a run that says something",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "WFGY Problem Map: semantic stability",
        ..About::PLAIN
    },
    |v, _| v.observe(Property::Rcr),
);
