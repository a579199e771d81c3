//! The suite `latency`: how fast is it, and what does speed cost?

use crate::judge::Verdict;
use crate::metrics::{self, Metric};
use crate::profile::{Preset, Profile};
use crate::suites::answers::profile as answers;

/// The suite `latency`: how fast is it, and what does speed cost?
#[must_use]
pub(super) fn profile() -> Profile {
    Profile {
        suite: "latency",
        summary: "latency against accuracy: quantiles by knobs and load, the frontier, a point that may ship",
        metrics: metrics::abouts(&metrics()),
        flat: FLAT,
        sparse: true,
        slices: &[],
        sets: "a point is one set of knobs at one load; figures are those of the selected point. S shipped, R refused, A answerable, U unanswerable, over the last trace of each case at that point",
        checks: &[],
        labels: answers::labels,
        stages: answers::stages,
        presets: PRESETS,
        words: None,
    }
}

const PRESETS: &[Preset] = &[Preset { name: "slo", toml: include_str!("presets/slo.toml") }];

/// The metrics of the suite, in the order of its tables.
pub(super) fn metrics() -> Vec<Metric<Verdict>> {
    metrics::named(
        METRICS,
        super::metrics::ALL
            .iter()
            .map(|metric| Metric::given(&metric.about))
            .chain(crate::suites::answers::metrics::ALL.iter().map(|&&metric| metric)),
    )
}

/// What is gated first, then what explains it, then the counts.
const METRICS: &[&str] = &[
    "p95",
    "precision",
    "chr",
    "under_refusal",
    "over_refusal",
    "p95_rise",
    "precision_drop",
    "p50",
    "p90",
    "p99",
    "tail_amplification",
    "retrieval_p95",
    "rerank_p95",
    "llm_p95",
    "guard_p95",
    "points",
    "samples",
    "untimed",
    "baseline_missing",
    "baseline_untimed",
    "answered",
    "refused",
    "answerable",
    "unanswerable",
    "missing",
    "errored",
    "malformed",
];

const FLAT: &[&str] = &[
    "samples",
    "p50",
    "p90",
    "p95",
    "p99",
    "tail_amplification",
    "precision",
    "chr",
    "under_refusal",
    "over_refusal",
    "p95_rise",
    "precision_drop",
    "missing",
    "errored",
    "untimed",
    "baseline_missing",
    "baseline_untimed",
    "malformed",
    "select",
    "selected",
    "points",
    "gates",
    "pass",
    "verdict",
];
