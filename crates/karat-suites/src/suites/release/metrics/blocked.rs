//! How many answers were stopped?

use super::Metric;
use crate::metrics::{About, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "blocked",
        summary: "How many cases failed at some stage.",
        definition: "|{x : first_failed_stage(x) ≠ pass}|",
        source: "Permission-safe RAG evaluation",
        ..About::COUNT
    },
    |v, _| (!v.releases()).then(Observation::one),
);
