//! How far in meaning is what is retrieved from what was asked?

use super::Metric;
use crate::metrics::{About, Direction, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::values(
    &About {
        name: "ds_topk_median",
        summary: "The median over runs of the median ΔS of what is retrieved first.",
        definition: "median over runs of the median of ΔS over the first 5 ids (--ds-k)",
        over: "runs with a ΔS",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        fold: Fold::Quantile { percent: 50 },
        source: "WFGY Global Fix Map: chunking evaluation (its pseudocode)",
        ..About::PLAIN
    },
    |sides, p, into| sides.values(p, into, |v| v.spread.map(|(median, _)| median.get())),
);
