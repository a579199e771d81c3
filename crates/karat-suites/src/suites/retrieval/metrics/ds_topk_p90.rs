//! How far in meaning is the worst of what is retrieved from what was asked?

use super::Metric;
use crate::metrics::{About, Direction, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::values(
    &About {
        name: "ds_topk_p90",
        summary: "The median over runs of the 90th percentile of ΔS of what is retrieved first.",
        definition: "median over runs of the 90th percentile of ΔS over the first 5 ids (--ds-k)",
        over: "runs with a ΔS",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        fold: Fold::Quantile { percent: 50 },
        source: "WFGY Global Fix Map: chunking evaluation (its pseudocode)",
        ..About::PLAIN
    },
    |sides, p, into| sides.values(p, into, |v| v.spread.map(|(_, p90)| p90.get())),
);
