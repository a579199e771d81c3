//! How many cases do not hold?

use crate::metrics::{Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "fail",
    summary: "How many cases do not hold, including cases without a run.",
    definition: "|{x : x does not hold}|",
    over: "cases",
    default_gate: Some("fail<=0"),
    source: "WFGY Problem Map: semantic stability",
    measure: Measure::Stability(|v| (!v.holds()).then(Observation::one)),
    waivable: false,
    ..Metric::COUNT
};
