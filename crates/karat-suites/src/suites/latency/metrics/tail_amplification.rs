//! How much slower is a slow request than a typical one?

use super::PointMetric;
use crate::metrics::{About, Direction, Empty, Fold, Scale};

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
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
        ..About::PLAIN
    },
    score: |point| point.tail_amplification(),
};
