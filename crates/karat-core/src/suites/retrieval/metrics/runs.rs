//! How often was the retriever asked?

use crate::metrics::{Direction, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "runs",
    summary: "How many runs count: one for each question, paraphrase and seed.",
    definition: "|{(qid, paraphrase, seed) with a trace}|",
    over: "runs",
    direction: Direction::HigherIsBetter,
    source: "counted",
    measure: Measure::Question(|runs| Some(Observation::some(runs.count()))),
    ..Metric::COUNT
};
