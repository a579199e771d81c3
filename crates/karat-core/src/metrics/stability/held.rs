//! How many cases come out the same, and right?

use crate::metrics::{Empty, Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "held",
    summary: "How many cases hold: they come out the same in all runs, and right.",
    definition: "|{x : acr >= 0.95, cghc >= 0.95, css >= 0.70, ned50 <= 0.20, scu_cons ≠ 0; for an unanswerable x: rcr >= 0.98 and refusal_rate >= 0.98}| / |gold|",
    over: "gold cases, including those without a run",
    empty: Empty::Undefined,
    source: "WFGY Problem Map: semantic stability",
    measure: Measure::Stability(|v| Some(Observation::bit(v.holds()))),
    waivable: false,
    ..Metric::PLAIN
};
