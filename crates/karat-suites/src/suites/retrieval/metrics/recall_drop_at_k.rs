//! What did the new index lose?

use super::Metric;
use super::r_at_k;
use crate::metrics::{About, Direction, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::drop_of(
    &About {
        name: "recall_drop@k",
        summary: "How much lower R@k is than the baseline's.",
        definition: "R@k(baseline) − R@k(new), on the same questions",
        over: "questions",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        cuts: &[5],
        fold: Fold::Difference,
        source: "WFGY Global Fix Map: chunking evaluation",
        ..About::PLAIN
    },
    &r_at_k::METRIC,
);
