//! Has it become worse?

use crate::metrics::{Direction, Empty, Fold, Measure, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "precision_drop",
    summary: "How much lower precision is than the baseline's.",
    definition: "precision of the baseline − precision, exactly",
    over: "shipped answers",
    empty: Empty::Undefined,
    direction: Direction::LowerIsBetter,
    fold: Fold::Derived,
    source: "WFGY Problem Map: latency vs accuracy",
    measure: Measure::Point(|point| point.precision_drop()),
    ..Metric::PLAIN
};
