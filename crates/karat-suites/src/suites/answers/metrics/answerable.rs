//! How much of gold can be answered?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "answerable",
        summary: "How many scored cases can be answered.",
        definition: "|A|",
        direction: Direction::HigherIsBetter,
        source: "WFGY Problem Map: evaluation gates",
        ..About::COUNT
    },
    |v, _| v.answerable.then(Observation::one),
);
