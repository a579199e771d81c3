//! Is the whole evidence cited, or just enough to hit?

use super::Metric;
use crate::metrics::{About, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "citation_recall",
        summary: "Of gold's chunks, how many were cited.",
        definition: "Σ |cited ∩ gold| / Σ |gold| over S∩A, distinct ids",
        over: "gold ids of shipped answers to answerable questions",
        fold: Fold::Pooled,
        source: "pooled over ids, beside WFGY Problem Map: evaluation gates",
        ..About::PLAIN
    },
    |v, _| v.shipped_answerable().then(|| Observation::pooled(v.cited_gold, v.gold)),
);
