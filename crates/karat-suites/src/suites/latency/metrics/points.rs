//! How many settings and loads were tried?

use super::PointMetric;
use crate::metrics::{About, Direction, Fold};
use crate::score::Score;

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "points",
        summary: "How many points the curve has: different combinations of knobs and load.",
        definition: "|{(knobs, load)}|",
        over: "requests",
        direction: Direction::HigherIsBetter,
        fold: Fold::Input,
        source: "WFGY Problem Map: latency vs accuracy",
        ..About::COUNT
    },
    score: |_| Score::UNKNOWN,
};
