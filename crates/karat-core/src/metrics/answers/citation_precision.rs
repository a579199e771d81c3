//! Does it cite everything it saw, to be on the safe side?

use crate::metrics::{Empty, Fold, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "citation_precision",
    summary: "Of the chunks that were cited, how many are gold.",
    definition: "Σ |cited ∩ gold| / Σ |cited| over S∩A, distinct ids",
    over: "ids cited by shipped answers to answerable questions",
    empty: Empty::One,
    fold: Fold::Pooled,
    source: "pooled over ids, beside WFGY Problem Map: evaluation gates",
    measure: Measure::Answer(|v, _| {
        v.shipped_answerable().then(|| Observation::pooled(v.cited_gold, v.cited))
    }),
    ..Metric::PLAIN
};
