//! How far in meaning is what answers cite from what was asked?
//!
//! A snippet that was not retrieved, or has no ΔS, counts 1, the largest distance.

use super::Metric;
use crate::metrics::{About, Direction, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::values(
    &About {
        name: "ds_median",
        summary: "The median ΔS of the first cited snippet.",
        definition: "median over answered runs of ΔS(question, first cited snippet)",
        over: "answered runs",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        fold: Fold::Quantile { percent: 50 },
        source: "WFGY Global Fix Map: chunking evaluation",
        default_gate: Some("ds_median<=0.40"),
        ..About::PLAIN
    },
    |sides, p, into| sides.values(p, into, |v| v.answer.map(|answer| answer.delta_s.get())),
);
