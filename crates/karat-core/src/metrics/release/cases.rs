//! How much was judged?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "cases",
    summary: "How many cases were judged, one per row of the traces.",
    definition: "|rows|",
    direction: Direction::HigherIsBetter,
    source: "Permission-safe RAG evaluation",
    measure: Measure::Release(|_| Some(Observation::one())),
    ..Metric::COUNT
};
