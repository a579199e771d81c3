//! How much was refused?

use super::Metric;
use crate::metrics::{About, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "refused",
        summary: "How many answers are the refusal.",
        definition: "|R|",
        source: "WFGY Problem Map: evaluation gates",
        ..About::COUNT
    },
    |v, _| v.refused.then(Observation::one),
);
