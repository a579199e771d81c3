//! How much of gold can be answered?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "answerable",
        summary: "How many cases can be answered.",
        definition: "|A|",
        over: "cases",
        direction: Direction::HigherIsBetter,
        source: "WFGY Problem Map: semantic stability",
        ..About::COUNT
    },
    |v, _| v.answerable.then(Observation::one),
);
