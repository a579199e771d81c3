//! How often was the retriever asked?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "runs",
        summary: "How many runs count: one for each question, paraphrase and seed.",
        definition: "|{(qid, paraphrase, seed) with a trace}|",
        over: "runs",
        direction: Direction::HigherIsBetter,
        source: "counted",
        ..About::COUNT
    },
    |sides, p| sides.runs(p).map(|runs| Observation::some(runs.count())),
);
