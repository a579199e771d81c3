//! Did the required sources survive reranking and selection?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "context_recall",
        summary: "Of the sources a case requires, how many are in the selected context.",
        definition: "mean over cases of |selected_context_ids ∩ required| / |required|",
        over: "cases",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "Permission-safe RAG evaluation",
        ..About::PLAIN
    },
    |v, _| Some(Observation::share(v.context, v.required)),
);
