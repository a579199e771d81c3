//! Are cases released and blocked correctly?

use super::Metric;
use crate::metrics::{About, Empty, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "release_correct",
        summary: "Of all cases, how many were released or blocked as they should be.",
        definition: "|{x : (x passes every stage) = should_release(x)}| / |cases|; a production trace should be released",
        over: "cases",
        empty: Empty::Undefined,
        source: "Permission-safe RAG evaluation",
        ..About::PLAIN
    },
    |v, _| Some(Observation::bit(v.correct())),
);
