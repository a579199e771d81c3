//! How often does a rater abstain?

use crate::judge::agreement::Label;
use crate::metrics::{Direction, Empty, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "abstain_rate",
    summary: "Of the answers, how many some rater abstains on.",
    definition: "|{x : a rater says ABSTAIN}| / n",
    over: "answers that every rater judged",
    empty: Empty::Undefined,
    direction: Direction::LowerIsBetter,
    default_gate: Some("abstain_rate<=0.02"),
    source: "WFGY Problem Map: cross-agent consistency",
    measure: Measure::Agreement(|v| Some(Observation::bit(v.labels.contains(&Label::Abstain)))),
    ..Metric::PLAIN
};
