//! Can gold measure refusal at all?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "unanswerable",
    summary: "How many scored cases cannot be answered.",
    definition: "|U|",
    direction: Direction::HigherIsBetter,
    source: "seeds 000 and 002",
    measure: Measure::Answer(|v, _| (!v.answerable).then(Observation::one)),
    ..Metric::COUNT
};
