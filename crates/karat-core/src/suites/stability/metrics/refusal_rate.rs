//! Are unanswerable questions refused in every run?

use crate::metrics::{Empty, Fold, Measure, Metric, Population};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "refusal_rate",
    summary: "How often a run of an unanswerable question refuses.",
    definition: "mean over cases of refusals / N",
    over: "unanswerable cases with a run",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    population: Population::Unanswerable,
    source: "WFGY Problem Map: semantic stability",
    measure: Measure::Stability(|v| (!v.answerable).then(|| v.observe(Property::RefusalRate)).flatten()),
    ..Metric::PLAIN
};
