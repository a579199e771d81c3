//! How long does the slowest hundredth take?

use crate::metrics::{Direction, Empty, Fold, Measure, Metric, Scale};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "p99",
    summary: "The 99th percentile of the time from question to answer, in milliseconds.",
    definition: "time at 99 % of all samples, linear between neighbours at p/100·(n−1)",
    over: "samples",
    empty: Empty::Undefined,
    direction: Direction::LowerIsBetter,
    scale: Scale::Milliseconds,
    fold: Fold::Quantile { percent: 99 },
    source: "WFGY Problem Map: latency vs accuracy",
    measure: Measure::Point(|point| point.timing.whole.quantile(99)),
    ..Metric::PLAIN
};
