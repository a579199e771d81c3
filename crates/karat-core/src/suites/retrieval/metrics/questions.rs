//! How large is the sample?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "questions",
    summary: "How many questions gold has.",
    definition: "|gold|",
    direction: Direction::HigherIsBetter,
    source: "counted",
    measure: Measure::Question(|_| Some(Observation::one())),
    ..Metric::COUNT
};
