//! Did anything forbidden, stale or unknown touch an answer that should be released?

use super::Metric;
use crate::metrics::{About, Empty, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "admissible_evidence_path",
        summary: "Of the cases that should be released, how many have an admissible evidence path.",
        definition: "|{x : x should release ∧ x is admissible}| / |{x : x should release}|",
        over: "cases that should release",
        empty: Empty::Undefined,
        default_gate: Some("admissible_evidence_path>=1"),
        source: "Permission-safe RAG evaluation",
        waivable: false,
        ..About::PLAIN
    },
    |v, _| v.should_release().then(|| Observation::bit(v.reason.is_none())),
);
