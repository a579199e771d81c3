//! How far in meaning is the worst of what is retrieved from what was asked?

use crate::metrics::{Direction, Empty, Fold, Measure, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "ds_topk_p90",
    summary: "The median over runs of the 90th percentile of ΔS of what is retrieved first.",
    definition: "median over runs of the 90th percentile of ΔS over the first 5 ids (--ds-k)",
    over: "runs with a ΔS",
    empty: Empty::Undefined,
    direction: Direction::LowerIsBetter,
    fold: Fold::Quantile { percent: 50 },
    source: "WFGY Global Fix Map: chunking evaluation (its pseudocode)",
    measure: Measure::Value(|v| v.spread.map(|(_, p90)| p90.get())),
    ..Metric::PLAIN
};
