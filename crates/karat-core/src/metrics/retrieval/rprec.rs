//! If the retriever returned exactly as many ids as are relevant, how many of them would be relevant?

use crate::metrics::{Empty, Fold, Measure, Metric, Table};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "Rprec",
    summary: "Precision at R, the number of relevant ids.",
    definition: "mean over questions of the mean over runs of |G ∩ R_|G|| / |G|",
    over: "questions",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "trec_eval Rprec",
    table: Table::Gated,
    measure: Measure::Retrieval(|v, _| Some(v.ranked.r_precision())),
    ..Metric::PLAIN
};
