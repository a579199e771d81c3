//! Are all relevant ids near the top?

use super::Metric;
use crate::metrics::{About, Empty, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "MAP",
        aliases: &["AP"],
        summary: "Average precision: the mean of the precision at the rank of each relevant id.",
        definition: "mean over questions of the mean over runs of 1/|G| Σ over relevant ids returned of the precision at their rank",
        over: "questions",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "trec_eval map",
        ..About::PLAIN
    },
    |sides, p| sides.mean(p, |v| Some(v.ranked.average_precision())),
);
