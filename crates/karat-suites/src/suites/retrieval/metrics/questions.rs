//! How large is the sample?

use super::Metric;
use crate::metrics::{About, Direction, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "questions",
        summary: "How many questions gold has.",
        definition: "|gold|",
        direction: Direction::HigherIsBetter,
        source: "counted",
        ..About::COUNT
    },
    |sides, p| sides.runs(p).map(|_| Observation::one()),
);
