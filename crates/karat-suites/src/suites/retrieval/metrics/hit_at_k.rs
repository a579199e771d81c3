//! Is anything relevant among the first k?

use super::Metric;
use crate::metrics::{About, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "hit@k",
        aliases: &["success@k"],
        summary: "How often at least one relevant id is among the first k.",
        definition: "mean over questions of the mean over runs of [G ∩ R_k ≠ ∅]",
        over: "questions",
        empty: Empty::Undefined,
        cuts: &[1, 3, 5, 10],
        fold: Fold::Mean,
        source: "trec_eval success_k",
        ..About::PLAIN
    },
    |sides, p| sides.mean(p, |v| Some(v.ranked.success(p.k))),
);
