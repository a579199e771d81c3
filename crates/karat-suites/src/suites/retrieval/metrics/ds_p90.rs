//! How far in meaning are the worst tenth of citations from what was asked?

use super::Metric;
use crate::metrics::{About, Direction, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::values(
    &About {
        name: "ds_p90",
        summary: "The 90th percentile of the ΔS of the first cited snippet.",
        definition: "90th percentile over answered runs of ΔS(question, first cited snippet)",
        over: "answered runs",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        fold: Fold::Quantile { percent: 90 },
        source: "WFGY Global Fix Map: chunking evaluation",
        default_gate: Some("ds_p90<=0.55"),
        ..About::PLAIN
    },
    |sides, p, into| sides.values(p, into, |v| v.answer.map(|answer| answer.delta_s.get())),
);
