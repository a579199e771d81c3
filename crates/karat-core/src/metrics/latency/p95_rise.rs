//! Has it become slower?

use crate::metrics::{Direction, Empty, Fold, Measure, Metric, Scale};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "p95_rise",
    summary: "How much larger p95 is than the baseline's, relative to the baseline.",
    definition: "(p95 − p95 of the baseline) / p95 of the baseline",
    over: "samples of both",
    empty: Empty::Undefined,
    direction: Direction::LowerIsBetter,
    scale: Scale::Factor,
    fold: Fold::Derived,
    source: "WFGY Problem Map: latency vs accuracy",
    measure: Measure::Point(|point| point.p95_rise()),
    ..Metric::PLAIN
};
