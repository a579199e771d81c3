//! Can gold measure refusal at all?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "unanswerable",
        summary: "How many scored cases cannot be answered.",
        definition: "|U|",
        direction: Direction::HigherIsBetter,
        source: "WFGY Problem Map: evaluation gates",
        ..About::COUNT
    },
    |v, _| (!v.answerable).then(Observation::one),
);
