//! Are all relevant ids near the top?

use crate::metrics::{Empty, Fold, Measure, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "MAP",
    aliases: &["AP"],
    summary: "Average precision: the mean of the precision at the rank of each relevant id.",
    definition: "mean over questions of the mean over runs of 1/|G| Σ over relevant ids returned of the precision at their rank",
    over: "questions",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "trec_eval map",
    measure: Measure::Retrieval(|v, _| Some(v.ranked.average_precision())),
    ..Metric::PLAIN
};
