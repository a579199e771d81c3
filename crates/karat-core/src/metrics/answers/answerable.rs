//! How much of gold can be answered?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "answerable",
    summary: "How many scored cases can be answered.",
    definition: "|A|",
    direction: Direction::HigherIsBetter,
    source: "WFGY Problem Map: evaluation gates",
    measure: Measure::Answer(|v, _| v.answerable.then(Observation::one)),
    ..Metric::COUNT
};
