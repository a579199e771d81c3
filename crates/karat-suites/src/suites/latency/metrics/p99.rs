//! How long does the slowest hundredth take?

use super::PointMetric;
use crate::metrics::{About, Direction, Empty, Fold, Scale};

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "p99",
        summary: "The 99th percentile of the time from question to answer, in milliseconds.",
        definition: "time at 99 % of all samples, linear between neighbours at p/100·(n−1)",
        over: "samples",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        scale: Scale::Milliseconds,
        fold: Fold::Quantile { percent: 99 },
        source: "WFGY Problem Map: latency vs accuracy",
        ..About::PLAIN
    },
    score: |point| point.timing.whole.quantile(99),
};
