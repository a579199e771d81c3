//! How much was shipped?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "answered",
    summary: "How many answers were shipped: everything that is not a refusal, including missing and empty answers.",
    definition: "|S|",
    direction: Direction::HigherIsBetter,
    source: "WFGY Problem Map: evaluation gates",
    measure: Measure::Answer(|v, _| v.shipped().then(Observation::one)),
    ..Metric::COUNT
};
