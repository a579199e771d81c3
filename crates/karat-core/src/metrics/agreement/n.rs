//! How much was judged?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "n",
    summary: "How many answers every rater judged.",
    definition: "|{x : each rater has x}|",
    over: "answers",
    direction: Direction::HigherIsBetter,
    source: "WFGY Problem Map: cross-agent consistency",
    measure: Measure::Agreement(|_| Some(Observation::one())),
    ..Metric::COUNT
};
