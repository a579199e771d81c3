//! Was every case run as often as the others?

use super::Metric;
use crate::metrics::{About, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "missing_runs",
        summary: "How many runs of the grid are missing; it has every case with every seed, jitter and wording.",
        definition: "Σ over cases of |{(seed, jitter, wording) of the grid : the case has no such run}|; seeds and jitters are those seen anywhere, or --grid; where paraphrases are asked, wordings are those that gold lists for the case",
        over: "runs",
        default_gate: Some("missing_runs<=0"),
        source: "fail closed: a missing run shows nothing",
        waivable: false,
        ..About::COUNT
    },
    |v, _| Some(Observation { num: v.missing.into(), den: 0 }),
);
