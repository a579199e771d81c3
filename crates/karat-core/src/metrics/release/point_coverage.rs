//! Is anything left out that the answer must say?

use crate::metrics::{Empty, Fold, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "point_coverage",
    summary: "Of the points that a case requires, how many are covered by a supported claim.",
    definition: "mean over cases of required points covered by supported claims / required points",
    over: "cases",
    empty: Empty::Undefined,
    fold: Fold::Mean,
    source: "Permission-safe RAG evaluation",
    measure: Measure::Release(|v| Some(Observation::share(v.covered, v.points))),
    ..Metric::PLAIN
};
