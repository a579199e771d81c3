//! Do runs say exactly the same?

use crate::metrics::{Empty, Fold, Measure, Metric};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "iaa",
    summary: "How many pairs of a case's runs make the same canonical claim.",
    definition: "mean over cases of |{pairs of runs with equal canonical claims}| / |{pairs of runs}|",
    over: "cases with two or more runs, at least one of which says something",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "WFGY Problem Map: semantic stability (named there, defined here)",
    measure: Measure::Stability(|v| v.observe(Property::Iaa)),
    ..Metric::PLAIN
};
