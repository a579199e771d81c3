//! Of what the retriever returns first, how much is relevant?

use super::Metric;
use crate::metrics::{About, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "P@k",
        aliases: &["precision@k"],
        summary: "Of the first k ids that a run returns, how many are relevant.",
        definition: "mean over questions of the mean over runs of |G ∩ R_k| / |R_k|, 0 for an empty ranking; --trec: / k",
        over: "questions",
        empty: Empty::Undefined,
        cuts: &[1, 3, 5, 10],
        fold: Fold::Mean,
        source: "WFGY Global Fix Map: chunking evaluation; --trec: trec_eval P_k",
        ..About::PLAIN
    },
    |sides, p| sides.mean(p, |v| v.precision(p)),
);
