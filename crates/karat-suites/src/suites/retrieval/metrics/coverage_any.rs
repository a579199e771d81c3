//! Can each question be answered with evidence at all, in some wording?

use super::Metric;
use crate::metrics::{About, Empty, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "coverage_any",
        summary: "How many questions have some run whose answer cites a relevant id or one in the anchor section.",
        definition: "|{q : some run of q covers}| / |questions|",
        over: "questions",
        empty: Empty::Undefined,
        source: "WFGY Global Fix Map: chunking evaluation",
        ..About::PLAIN
    },
    |sides, p| sides.runs(p).map(|runs| Observation::bit(runs.answers().any(|answer| answer.covers))),
);
