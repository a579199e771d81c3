//! How much was judged?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "n",
        summary: "How many answers every rater judged.",
        definition: "|{x : each rater has x}|",
        over: "answers",
        direction: Direction::HigherIsBetter,
        source: "WFGY Problem Map: cross-agent consistency",
        ..About::COUNT
    },
    |_, _| Some(Observation::one()),
);
