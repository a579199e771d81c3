//! If the retriever returned exactly as many ids as are relevant, how many of them would be relevant?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Table};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "Rprec",
        summary: "Precision at R, the number of relevant ids.",
        definition: "mean over questions of the mean over runs of |G ∩ R_|G|| / |G|",
        over: "questions",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "trec_eval Rprec",
        table: Table::Gated,
        ..About::PLAIN
    },
    |sides, p| sides.mean(p, |v| Some(v.ranked.r_precision())),
);
