//! Did the first search find what the answer needs?

use crate::metrics::{Empty, Fold, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "candidate_recall",
    summary: "Of the sources that a case requires, how many were retrieved by the first stage.",
    definition: "mean over cases of |first_stage_ids ∩ required| / |required|",
    over: "cases",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "Permission-safe RAG evaluation",
    measure: Measure::Release(|v| Some(Observation::share(v.candidates, v.required))),
    ..Metric::PLAIN
};
