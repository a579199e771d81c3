//! Does it cite everything it saw, to be on the safe side?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "citation_precision",
        summary: "Of the chunks that were cited, how many are gold.",
        definition: "Σ |cited ∩ gold| / Σ |cited| over S∩A, distinct ids",
        over: "ids cited by shipped answers to answerable questions",
        empty: Empty::One,
        fold: Fold::Pooled,
        source: "pooled over ids, beside WFGY Problem Map: evaluation gates",
        ..About::PLAIN
    },
    |v, _| v.shipped_answerable().then(|| Observation::pooled(v.cited_gold, v.cited)),
);
