//! How long does a typical request take?

use crate::metrics::{Direction, Empty, Fold, Measure, Metric, Scale};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "p50",
    summary: "The median of the time from question to answer, in milliseconds.",
    definition: "time at 50 % of all samples, linear between neighbours at p/100·(n−1)",
    over: "samples",
    empty: Empty::Undefined,
    direction: Direction::LowerIsBetter,
    scale: Scale::Milliseconds,
    fold: Fold::Quantile { percent: 50 },
    source: "WFGY Problem Map: latency vs accuracy",
    measure: Measure::Point(|point| point.timing.whole.quantile(50)),
    ..Metric::PLAIN
};
