//! Do citations point at the very bytes that gold means?
//!
//! Only answered questions count: over all of them it could never exceed coverage, and that gate would be void.

use crate::metrics::{Empty, Fold, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "citation_accuracy",
    summary: "Of the answered runs, how many cite first a relevant block, within the window of its bytes.",
    definition: "mean over answered questions of the mean over answered runs of [the first citation is in G and lies in its block ± window]",
    over: "answered questions",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "WFGY Global Fix Map: chunking evaluation",
    default_gate: Some("citation_accuracy>=0.95"),
    measure: Measure::Retrieval(|v, _| v.answer.map(|answer| Observation::share(answer.accurate.into(), 1))),
    ..Metric::PLAIN
};
