//! Did the first search find what the answer needs?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "candidate_recall",
        summary: "Of the sources that a case requires, how many were retrieved by the first stage.",
        definition: "mean over cases of |first_stage_ids ∩ required| / |required|",
        over: "cases",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "Permission-safe RAG evaluation",
        ..About::PLAIN
    },
    |v, _| Some(Observation::share(v.candidates, v.required)),
);
