//! Are the most relevant ids ranked first?

use super::Metric;
use crate::metrics::{About, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "nDCG@k",
        aliases: &["ndcg_cut@k"],
        summary: "How well the first k are ranked by their grades, 1 being ideal.",
        definition: "mean over questions of the mean over runs of DCG@k / ideal DCG@k; gain is the grade, discount 1/log2(rank + 1)",
        over: "questions",
        empty: Empty::Undefined,
        cuts: &[10],
        fold: Fold::Mean,
        source: "trec_eval ndcg_cut_k",
        ..About::PLAIN
    },
    |sides, p| sides.mean(p, |v| Some(v.ranked.ndcg_at(p.k))),
);
