//! How much of gold must be refused?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "unanswerable",
    summary: "How many cases must be refused.",
    definition: "|U|",
    over: "cases",
    direction: Direction::HigherIsBetter,
    source: "WFGY Problem Map: semantic stability",
    measure: Measure::Stability(|v| (!v.answerable).then(Observation::one)),
    ..Metric::COUNT
};
