//! Is the context free of padding?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "context_precision",
        summary: "Of the selected chunks, how many are required by the case.",
        definition: "mean over cases of |selected_context_ids ∩ required| / |selected_context_ids|, 0 where nothing was selected",
        over: "cases",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "Permission-safe RAG evaluation",
        ..About::PLAIN
    },
    |v, _| Some(Observation::share(v.context, v.selected)),
);
