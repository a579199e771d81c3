//! How many requests were timed?

use crate::metrics::{Direction, Measure, Metric};
use crate::score::Score;

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "samples",
    summary: "How many requests of the selected point were answered and have a time.",
    definition: "|{traces or rows, errored ones left out, with e2e_ms, or a stage_ms whose every stage has a time}|",
    over: "requests",
    direction: Direction::HigherIsBetter,
    source: "WFGY Problem Map: latency vs accuracy",
    measure: Measure::Point(|point| Score::count(point.timing.whole.samples())),
    ..Metric::COUNT
};
