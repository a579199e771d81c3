//! Was every case run as often as the others?

use crate::metrics::{Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "missing_runs",
    summary: "How many runs of the grid are missing: every case with every seed and jitter.",
    definition: "Σ over cases of |{(seed, jitter) of the grid : the case has no such run}|; the grid is what is seen anywhere, or --grid",
    over: "runs",
    default_gate: Some("missing_runs<=0"),
    source: "fail closed: a run that is not there shows nothing",
    measure: Measure::Stability(|v| Some(Observation { num: v.missing.into(), den: 0 })),
    waivable: false,
    ..Metric::COUNT
};
