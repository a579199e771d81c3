//! How long do nine of ten requests take at most?

use super::PointMetric;
use crate::metrics::{About, Direction, Empty, Fold, Scale};

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "p90",
        summary: "The 90th percentile of the time from question to answer, in milliseconds.",
        definition: "time at 90 % of all samples, linear between neighbours at p/100·(n−1)",
        over: "samples",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        scale: Scale::Milliseconds,
        fold: Fold::Quantile { percent: 90 },
        source: "WFGY Problem Map: latency vs accuracy",
        ..About::PLAIN
    },
    score: |point| point.timing.whole.quantile(90),
};
