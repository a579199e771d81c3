//! How much was shipped?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "answered",
        summary: "How many answers were shipped: everything that is not a refusal, including missing and empty answers.",
        definition: "|S|",
        direction: Direction::HigherIsBetter,
        source: "WFGY Problem Map: evaluation gates",
        ..About::COUNT
    },
    |v, _| v.shipped().then(Observation::one),
);
