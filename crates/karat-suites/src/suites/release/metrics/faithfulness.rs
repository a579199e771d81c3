//! Does the selected evidence say what the answer says?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "faithfulness",
        summary: "Of the claims, how many are supported by a selected chunk that contains all their phrases.",
        definition: "mean over cases of claims supported by some selected chunk / claims, 0 for an answer without claims",
        over: "cases",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "Permission-safe RAG evaluation",
        ..About::PLAIN
    },
    |v, _| Some(Observation::share(v.supported, v.claims)),
);
