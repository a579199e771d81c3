//! How often does it refuse a question that it could answer?

use super::Metric;
use crate::metrics::{About, Direction, Observation, Population};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "over_refusal",
        aliases: &["over"],
        summary: "Of the questions that can be answered, how many were refused.",
        definition: "|R∩A| / |A|",
        over: "answerable cases",
        population: Population::Answerable,
        direction: Direction::LowerIsBetter,
        default_gate: Some("over_refusal<=0.10"),
        source: "WFGY Problem Map: evaluation gates",
        ..About::PLAIN
    },
    |v, _| v.answerable.then(|| Observation::bit(v.refused)),
);
