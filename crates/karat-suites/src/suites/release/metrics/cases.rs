//! How much was judged?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "cases",
        summary: "How many cases were judged, one per row of the traces.",
        definition: "|rows|",
        direction: Direction::HigherIsBetter,
        source: "Permission-safe RAG evaluation",
        ..About::COUNT
    },
    |_, _| Some(Observation::one()),
);
