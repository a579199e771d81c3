//! Was every case run as often as the others?

use crate::metrics::{Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "missing_runs",
    summary: "How many runs of the grid are missing: every case with every seed, jitter and wording.",
    definition: "Σ over cases of |{(seed, jitter, wording) of the grid : the case has no such run}|; seeds and jitters are those seen anywhere, or --grid; wordings, where paraphrases are asked, those that gold lists of the case",
    over: "runs",
    default_gate: Some("missing_runs<=0"),
    source: "fail closed: a run that is not there shows nothing",
    measure: Measure::Stability(|v| Some(Observation { num: v.missing.into(), den: 0 })),
    waivable: false,
    ..Metric::COUNT
};
