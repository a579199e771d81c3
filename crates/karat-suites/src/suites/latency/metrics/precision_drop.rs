//! Has it become worse?

use super::PointMetric;
use crate::metrics::{About, Direction, Empty, Fold};

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "precision_drop",
        summary: "How much lower precision is than the baseline's.",
        definition: "precision of the baseline − precision, exactly",
        over: "shipped answers",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        fold: Fold::Derived,
        source: "WFGY Problem Map: latency vs accuracy",
        ..About::PLAIN
    },
    score: |point| point.precision_drop(),
};
