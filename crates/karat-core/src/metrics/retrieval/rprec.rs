//! If the retriever returned just as many ids as are relevant, how many would be?

use crate::metrics::{Empty, Fold, Measure, Metric, Table};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "Rprec",
    summary: "Precision at as many ids as are relevant.",
    definition: "mean over questions of the mean over runs of |G ∩ R_|G|| / |G|",
    over: "questions",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "trec_eval Rprec",
    table: Table::Gated,
    measure: Measure::Retrieval(|v, _| Some(v.ranked.r_precision())),
    ..Metric::PLAIN
};
