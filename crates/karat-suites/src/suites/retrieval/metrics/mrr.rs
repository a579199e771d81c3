//! How far down is the first relevant id?

use super::Metric;
use crate::metrics::{About, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "MRR",
        aliases: &["RR", "recip_rank"],
        summary: "One over the rank of the first relevant id.",
        definition: "mean over questions of the mean over runs of 1 / rank of the first relevant id, 0 where none is returned",
        over: "questions",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "trec_eval recip_rank",
        ..About::PLAIN
    },
    |sides, p| sides.mean(p, |v| Some(v.ranked.reciprocal_rank())),
);
