//! How often does it answer what it cannot know?

use crate::metrics::{Direction, Measure, Metric, Observation, Population};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "under_refusal",
    aliases: &["under"],
    summary: "Of the questions that cannot be answered, how many were answered anyway.",
    definition: "|S∩U| / |U|",
    over: "unanswerable cases",
    population: Population::Unanswerable,
    direction: Direction::LowerIsBetter,
    default_gate: Some("under_refusal<=0.05"),
    source: "WFGY Problem Map: evaluation gates",
    measure: Measure::Answer(|v, _| (!v.answerable).then(|| Observation::bit(v.shipped()))),
    ..Metric::PLAIN
};
