//! Did the pipeline hold up, run by run?

use super::Metric;
use crate::metrics::{About, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "errored",
        summary: "How many runs say that the pipeline failed.",
        definition: "Σ over cases of |{runs : ok is false and there is no claim}|",
        over: "runs",
        source: "fail closed: a failed call is not a pass",
        waivable: false,
        ..About::COUNT
    },
    |v, _| Some(Observation { num: v.errored.into(), den: 0 }),
);
