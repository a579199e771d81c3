//! How many ways to run it were tried?

use crate::metrics::{Direction, Fold, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "points",
    summary: "How many points the curve has: different knobs and loads.",
    definition: "|{(knobs, load)}|",
    over: "requests",
    direction: Direction::HigherIsBetter,
    fold: Fold::Input,
    source: "WFGY Problem Map: latency vs accuracy",
    ..Metric::COUNT
};
