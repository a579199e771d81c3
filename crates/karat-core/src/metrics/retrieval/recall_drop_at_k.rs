//! What did the new index lose?

use super::r_at_k;
use crate::metrics::{Direction, Empty, Fold, Measure, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "recall_drop@k",
    summary: "How much lower R@k is than the baseline's.",
    definition: "R@k(baseline) − R@k(new), on the same questions",
    over: "questions",
    empty: Empty::Undefined,
    direction: Direction::LowerIsBetter,
    cuts: &[5],
    fold: Fold::Difference,
    source: "WFGY Global Fix Map: chunking evaluation",
    measure: Measure::Drop(&r_at_k::METRIC),
    ..Metric::PLAIN
};
