//! How often does it answer what it cannot know?

use super::Metric;
use crate::metrics::{About, Direction, Observation, Population};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "under_refusal",
        aliases: &["under"],
        summary: "Of the questions that cannot be answered, how many were answered anyway.",
        definition: "|S∩U| / |U|",
        over: "unanswerable cases",
        population: Population::Unanswerable,
        direction: Direction::LowerIsBetter,
        default_gate: Some("under_refusal<=0.05"),
        source: "WFGY Problem Map: evaluation gates",
        ..About::PLAIN
    },
    |v, _| (!v.answerable).then(|| Observation::bit(v.shipped())),
);
