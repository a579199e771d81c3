//! Are bad answers stopped?

use crate::judge::release::Expected;
use crate::metrics::{Measure, Metric, Observation, Population};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "known_bad_answers_blocked",
    summary: "Of the controls that should be blocked, how many are.",
    definition: "|{x : should_release(x) = false ∧ x does not pass}| / |{x : should_release(x) = false}|",
    over: "controls that should be blocked",
    population: Population::BadControl,
    default_gate: Some("known_bad_answers_blocked>=1"),
    source: "Permission-safe RAG evaluation",
    measure: Measure::Release(|v| (v.expected == Expected::Block).then(|| Observation::bit(!v.releases()))),
    waivable: false,
    ..Metric::PLAIN
};
