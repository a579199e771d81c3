//! How much was refused?

use crate::metrics::{Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "refused",
    summary: "How many answers are the refusal.",
    definition: "|R|",
    source: "seeds 000 and 002",
    measure: Measure::Answer(|v, _| v.refused.then(Observation::one)),
    ..Metric::COUNT
};
