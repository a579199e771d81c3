//! How often does a rater abstain?

use super::Metric;
use crate::metrics::{About, Direction, Empty, Observation};
use crate::suites::agreement::judge::Label;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "abstain_rate",
        summary: "Of the answers, how many some rater abstains on.",
        definition: "|{x : a rater says ABSTAIN}| / n",
        over: "answers that every rater judged",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        default_gate: Some("abstain_rate<=0.02"),
        source: "WFGY Problem Map: cross-agent consistency",
        ..About::PLAIN
    },
    |v, _| Some(Observation::bit(v.labels.contains(&Label::Abstain))),
);
