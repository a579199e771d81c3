//! How many answers got through?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "released",
        summary: "How many cases passed every stage.",
        definition: "|{x : first_failed_stage(x) = pass}|",
        direction: Direction::HigherIsBetter,
        source: "Permission-safe RAG evaluation",
        ..About::COUNT
    },
    |v, _| v.releases().then(Observation::one),
);
