//! Did the required sources survive reranking and selection?

use crate::metrics::{Empty, Fold, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "context_recall",
    summary: "Of the sources a case requires, how many are in the selected context.",
    definition: "mean over cases of |selected_context_ids ∩ required| / |required|",
    over: "cases",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "Permission-safe RAG evaluation",
    measure: Measure::Release(|v| Some(Observation::share(v.context, v.required))),
    ..Metric::PLAIN
};
