//! Do citations point at the exact bytes that gold means?
//!
//! Only answered questions count: over all questions it could never exceed coverage, and the gate on coverage would be pointless.

use crate::metrics::{Empty, Fold, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "citation_accuracy",
    summary: "Of the answered runs, how many have a first citation that is relevant and lies within its block (--window).",
    definition: "mean over answered questions of the mean over answered runs of [the first citation is in G and lies in its block ± window]",
    over: "answered questions",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "WFGY Global Fix Map: chunking evaluation",
    default_gate: Some("citation_accuracy>=0.95"),
    measure: Measure::Retrieval(|v, _| v.answer.map(|answer| Observation::share(answer.accurate.into(), 1))),
    ..Metric::PLAIN
};
