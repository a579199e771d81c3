//! Did the pipeline hold up, run by run?

use crate::metrics::{Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "errored",
    summary: "How many runs say that the pipeline failed.",
    definition: "Σ over cases of |{runs : ok is false and there is no claim}|",
    over: "runs",
    source: "fail closed: a failed call is not a pass",
    measure: Measure::Stability(|v| Some(Observation { num: v.errored.into(), den: 0 })),
    waivable: false,
    ..Metric::COUNT
};
