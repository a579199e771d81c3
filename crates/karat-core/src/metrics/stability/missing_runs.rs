//! Was every case run as often as the others?

use crate::metrics::{Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "missing_runs",
    summary: "How many runs of the grid are missing; it has every case with every seed, jitter and wording.",
    definition: "Σ over cases of |{(seed, jitter, wording) of the grid : the case has no such run}|; seeds and jitters are those seen anywhere, or --grid; where paraphrases are asked, wordings are those that gold lists for the case",
    over: "runs",
    default_gate: Some("missing_runs<=0"),
    source: "fail closed: a missing run shows nothing",
    measure: Measure::Stability(|v| Some(Observation { num: v.missing.into(), den: 0 })),
    waivable: false,
    ..Metric::COUNT
};
