//! Does every claim name a source?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "citation_coverage",
        summary: "Of the claims, how many have a citation.",
        definition: "mean over cases of claims with a citation / claims, 0 for an answer without claims",
        over: "cases",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "Permission-safe RAG evaluation",
        ..About::PLAIN
    },
    |v, _| Some(Observation::share(v.cited, v.claims)),
);
