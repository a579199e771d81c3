//! Are the relevant ids at the top, all of them?

use crate::metrics::{Empty, Fold, Measure, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "MAP",
    aliases: &["AP"],
    summary: "Average precision: the precision at each relevant id's rank.",
    definition: "mean over questions of the mean over runs of 1/|G| Σ over relevant ids returned of the precision at their rank",
    over: "questions",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "trec_eval map",
    measure: Measure::Retrieval(|v, _| Some(v.ranked.average_precision())),
    ..Metric::PLAIN
};
