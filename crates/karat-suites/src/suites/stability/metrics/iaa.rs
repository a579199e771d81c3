//! Do runs say exactly the same?

use super::Metric;
use crate::metrics::{About, Empty, Fold};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "iaa",
        summary: "How many pairs of a case's runs make the same canonical claim.",
        definition: "mean over cases of |{pairs of runs with equal canonical claims}| / |{pairs of runs}|",
        over: "cases with two or more runs, at least one of which says something",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "WFGY Problem Map: semantic stability (named there, defined here)",
        ..About::PLAIN
    },
    |v, _| v.observe(Property::Iaa),
);
