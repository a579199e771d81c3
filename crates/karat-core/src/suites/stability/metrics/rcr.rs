//! Is the choice to refuse the same in every run?

use crate::metrics::{Empty, Fold, Measure, Metric};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "rcr",
    summary: "How consistently a case is refused or answered.",
    definition: "mean over cases of max(refusals, others) / N",
    over: "cases with a run that says something",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "WFGY Problem Map: semantic stability",
    measure: Measure::Stability(|v| v.observe(Property::Rcr)),
    ..Metric::PLAIN
};
