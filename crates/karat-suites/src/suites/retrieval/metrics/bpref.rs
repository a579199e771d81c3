//! Are relevant ids ranked above ids that were judged not relevant?
//!
//! Ids that nobody judged do not count, so it is useful where judgements are few.

use super::Metric;
use crate::metrics::{About, Empty, Fold, Table};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "bpref",
        summary: "How rarely a negative is ranked above a relevant id.",
        definition: "mean over questions of the mean over runs of 1/R Σ over relevant ids returned of 1 − min(N above, R) / min(R, N); N are the negatives and ids of grade 0",
        over: "questions",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "trec_eval bpref",
        table: Table::Gated,
        ..About::PLAIN
    },
    |sides, p| sides.mean(p, |v| Some(v.ranked.bpref())),
);
