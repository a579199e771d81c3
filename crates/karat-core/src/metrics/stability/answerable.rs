//! How much of gold can be answered?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "answerable",
    summary: "How many cases can be answered.",
    definition: "|A|",
    over: "cases",
    direction: Direction::HigherIsBetter,
    source: "WFGY Problem Map: semantic stability",
    measure: Measure::Stability(|v| v.answerable.then(Observation::one)),
    ..Metric::COUNT
};
