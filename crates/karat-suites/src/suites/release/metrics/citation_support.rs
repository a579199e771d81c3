//! Does the cited source really support the claim?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "citation_support",
        summary: "Of the claims, how many cite a selected chunk that itself supports them.",
        definition: "mean over cases of claims whose cited chunk is selected and contains all their phrases / claims, 0 for an answer without claims",
        over: "cases",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "Permission-safe RAG evaluation",
        ..About::PLAIN
    },
    |v, _| Some(Observation::share(v.well_cited, v.claims)),
);
