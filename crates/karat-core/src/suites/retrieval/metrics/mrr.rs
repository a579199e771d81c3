//! How far down is the first relevant id?

use crate::metrics::{Empty, Fold, Measure, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "MRR",
    aliases: &["RR", "recip_rank"],
    summary: "One over the rank of the first relevant id.",
    definition: "mean over questions of the mean over runs of 1 / rank of the first relevant id, 0 where none is returned",
    over: "questions",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "trec_eval recip_rank",
    measure: Measure::Retrieval(|v, _| Some(v.ranked.reciprocal_rank())),
    ..Metric::PLAIN
};
