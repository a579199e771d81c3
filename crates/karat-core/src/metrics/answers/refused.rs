//! How much was refused?

use crate::metrics::{Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "refused",
    summary: "How many answers are the refusal.",
    definition: "|R|",
    source: "WFGY Problem Map: evaluation gates",
    measure: Measure::Answer(|v, _| v.refused.then(Observation::one)),
    ..Metric::COUNT
};
