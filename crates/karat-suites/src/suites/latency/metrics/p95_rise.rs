//! Has it become slower?

use super::PointMetric;
use crate::metrics::{About, Direction, Empty, Fold, Scale};

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "p95_rise",
        summary: "How much larger p95 is than the baseline's, relative to the baseline.",
        definition: "(p95 − p95 of the baseline) / p95 of the baseline",
        over: "samples of both",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        scale: Scale::Factor,
        fold: Fold::Derived,
        source: "WFGY Problem Map: latency vs accuracy",
        ..About::PLAIN
    },
    score: |point| point.p95_rise(),
};
