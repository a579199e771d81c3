//! Of what the retriever returns first, how much is relevant?

use crate::metrics::{Empty, Fold, Measure, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "P@k",
    aliases: &["precision@k"],
    summary: "Of the first k ids that a run returns, how many are relevant.",
    definition: "mean over questions of the mean over runs of |G ∩ R_k| / |R_k|, 0 for an empty ranking; --trec: / k",
    over: "questions",
    empty: Empty::Undefined,
    cuts: &[1, 3, 5, 10],
    fold: Fold::Mean,
    source: "WFGY Global Fix Map: chunking evaluation; --trec: trec_eval P_k",
    measure: Measure::Retrieval(|v, p| v.precision(p)),
    ..Metric::PLAIN
};
