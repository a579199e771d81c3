//! Did the pipeline hold up?

use crate::judge::Presence;
use crate::metrics::{Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "errored",
    summary: "How many scored traces say that the pipeline failed.",
    definition: "|{x : ok is false and there is no claim}|",
    source: "fail closed: a failed call is not a pass",
    measure: Measure::Answer(|v, _| (v.presence == Presence::Errored).then(Observation::one)),
    waivable: false,
    ..Metric::COUNT
};
