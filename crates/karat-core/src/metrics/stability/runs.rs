//! How much was run?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "runs",
    summary: "How many runs count: the last of each case, seed, jitter and wording.",
    definition: "Σ over cases of N",
    over: "runs",
    direction: Direction::HigherIsBetter,
    source: "WFGY Problem Map: semantic stability",
    measure: Measure::Stability(|v| Some(Observation { num: v.runs.into(), den: 0 })),
    ..Metric::COUNT
};
