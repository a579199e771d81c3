//! How far from the right section is what answers cite?

use super::Metric;
use crate::metrics::{About, Direction, Empty, Fold, Observation, Scale};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "anchor_proximity",
        summary: "The steps in the title tree from the first cited section to the anchor.",
        definition: "mean over questions of the mean over answered runs of the edges between the first cited section and anchor_section, where both are known",
        over: "questions with an answered run whose section is known",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        scale: Scale::Steps,
        fold: Fold::Mean,
        source: "WFGY Global Fix Map: chunking evaluation",
        ..About::PLAIN
    },
    |sides, p| sides.mean(p, |v| v.answer.and_then(|answer| answer.steps).map(Observation::steps)),
);
