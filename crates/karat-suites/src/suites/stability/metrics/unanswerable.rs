//! How much of gold must be refused?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "unanswerable",
        summary: "How many cases must be refused.",
        definition: "|U|",
        over: "cases",
        direction: Direction::HigherIsBetter,
        source: "WFGY Problem Map: semantic stability",
        ..About::COUNT
    },
    |v, _| (!v.answerable).then(Observation::one),
);
