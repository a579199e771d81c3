//! Does the cited source really support the claim?

use crate::metrics::{Empty, Fold, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "citation_support",
    summary: "Of the claims, how many cite a selected chunk that itself supports them.",
    definition: "mean over cases of claims whose cited chunk is selected and contains all their phrases / claims, 0 for an answer without claims",
    over: "cases",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "Permission-safe RAG evaluation",
    measure: Measure::Release(|v| Some(Observation::share(v.well_cited, v.claims))),
    ..Metric::PLAIN
};
