//! How many settings and loads were tried?

use crate::metrics::{Direction, Fold, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "points",
    summary: "How many points the curve has: different combinations of knobs and load.",
    definition: "|{(knobs, load)}|",
    over: "requests",
    direction: Direction::HigherIsBetter,
    fold: Fold::Input,
    source: "WFGY Problem Map: latency vs accuracy",
    ..Metric::COUNT
};
