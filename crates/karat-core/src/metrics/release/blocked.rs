//! How many answers were stopped?

use crate::metrics::{Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "blocked",
    summary: "How many cases failed at some stage.",
    definition: "|{x : first_failed_stage(x) ≠ pass}|",
    source: "Permission-safe RAG evaluation",
    measure: Measure::Release(|v| (!v.releases()).then(Observation::one)),
    ..Metric::COUNT
};
