//! How long do nineteen of twenty requests take at most?

use super::PointMetric;
use crate::metrics::{About, Direction, Empty, Fold, Scale};

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "p95",
        aliases: &["p95_ms"],
        summary: "The 95th percentile of the time from question to answer, in milliseconds.",
        definition: "time at 95 % of all samples, linear between neighbours at p/100·(n−1)",
        over: "samples",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        scale: Scale::Milliseconds,
        fold: Fold::Quantile { percent: 95 },
        default_gate: Some("p95<=2000"),
        source: "WFGY Problem Map: latency vs accuracy",
        ..About::PLAIN
    },
    score: |point| point.timing.whole.quantile(95),
};
