//! How many answers got through?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "released",
    summary: "How many cases passed every stage.",
    definition: "|{x : first_failed_stage(x) = pass}|",
    direction: Direction::HigherIsBetter,
    source: "Permission-safe RAG evaluation",
    measure: Measure::Release(|v| v.releases().then(Observation::one)),
    ..Metric::COUNT
};
