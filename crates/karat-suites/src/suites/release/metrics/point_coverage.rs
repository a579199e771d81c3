//! Is anything left out that the answer must say?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "point_coverage",
        summary: "Of the points that a case requires, how many are covered by a supported claim.",
        definition: "mean over cases of required points covered by supported claims / required points",
        over: "cases",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "Permission-safe RAG evaluation",
        ..About::PLAIN
    },
    |v, _| Some(Observation::share(v.covered, v.points)),
);
