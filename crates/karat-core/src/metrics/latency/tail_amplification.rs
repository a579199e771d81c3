//! How much slower is a slow request than a typical one?

use crate::metrics::{Direction, Empty, Fold, Measure, Metric, Scale};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "tail_amplification",
    aliases: &["tail"],
    summary: "How many times as long as the median the 99th percentile is.",
    definition: "p99 / p50; no value if p50 is 0",
    over: "samples",
    empty: Empty::Undefined,
    direction: Direction::LowerIsBetter,
    scale: Scale::Factor,
    fold: Fold::Derived,
    source: "WFGY Problem Map: latency vs accuracy",
    measure: Measure::Point(|point| point.tail_amplification()),
    ..Metric::PLAIN
};
