//! How much was run?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "runs",
        summary: "How many runs count: the last of each case, seed, jitter and wording.",
        definition: "Σ over cases of N",
        over: "runs",
        direction: Direction::HigherIsBetter,
        source: "WFGY Problem Map: semantic stability",
        ..About::COUNT
    },
    |v, _| Some(Observation { num: v.runs.into(), den: 0 }),
);
