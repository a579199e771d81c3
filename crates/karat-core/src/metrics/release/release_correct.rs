//! Are cases released and blocked correctly?

use crate::metrics::{Empty, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "release_correct",
    summary: "Of all cases, how many were released or blocked as they should be.",
    definition: "|{x : (x passes every stage) = should_release(x)}| / |cases|; a production trace should be released",
    over: "cases",
    empty: Empty::Undefined,
    source: "Permission-safe RAG evaluation",
    measure: Measure::Release(|v| Some(Observation::bit(v.correct()))),
    ..Metric::PLAIN
};
