//! How many requests were timed?

use super::PointMetric;
use crate::metrics::{About, Direction};
use crate::score::Score;

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "samples",
        summary: "How many requests of the selected point were answered and have a time.",
        definition: "|{traces or rows, errored ones left out, with e2e_ms, or a stage_ms whose every stage has a time}|",
        over: "requests",
        direction: Direction::HigherIsBetter,
        source: "WFGY Problem Map: latency vs accuracy",
        ..About::COUNT
    },
    score: |point| Score::count(point.timing.whole.samples()),
};
