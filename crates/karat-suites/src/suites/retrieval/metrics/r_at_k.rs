//! How much of what is relevant does the retriever return first?

use super::Metric;
use crate::metrics::{About, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "R@k",
        aliases: &["recall@k"],
        summary: "Of the relevant ids, how many are among the first k.",
        definition: "mean over questions of the mean over runs of |G ∩ R_k| / |G|",
        over: "questions",
        empty: Empty::Undefined,
        cuts: &[1, 3, 5, 10],
        fold: Fold::Mean,
        source: "WFGY Global Fix Map: chunking evaluation; trec_eval recall_k",
        ..About::PLAIN
    },
    |sides, p| sides.mean(p, |v| v.recall(p)),
);
