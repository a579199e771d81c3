//! Do citations point at the exact bytes that gold means?
//!
//! Only answered questions count: over all questions it could never exceed coverage, and the gate on coverage would be pointless.

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "citation_accuracy",
        summary: "Of the answered runs, how many have a first citation that is relevant and lies within its block (--window).",
        definition: "mean over answered questions of the mean over answered runs of [the first citation is in G and lies in its block ± window]",
        over: "answered questions",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "WFGY Global Fix Map: chunking evaluation",
        default_gate: Some("citation_accuracy>=0.95"),
        ..About::PLAIN
    },
    |sides, p| sides.mean(p, |v| v.answer.map(|answer| Observation::share(answer.accurate.into(), 1))),
);
