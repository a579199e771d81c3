//! Does every claim name a source?

use crate::metrics::{Empty, Fold, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "citation_coverage",
    summary: "Of the claims, how many have a citation.",
    definition: "mean over cases of claims with a citation / claims, 0 for an answer without claims",
    over: "cases",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "Permission-safe RAG evaluation",
    measure: Measure::Release(|v| Some(Observation::share(v.cited, v.claims))),
    ..Metric::PLAIN
};
