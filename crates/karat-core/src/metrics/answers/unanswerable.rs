//! Can gold measure refusal at all?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "unanswerable",
    summary: "How many scored cases cannot be answered.",
    definition: "|U|",
    direction: Direction::HigherIsBetter,
    source: "WFGY Problem Map: evaluation gates",
    measure: Measure::Answer(|v, _| (!v.answerable).then(Observation::one)),
    ..Metric::COUNT
};
