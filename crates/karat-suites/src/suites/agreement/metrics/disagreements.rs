//! How many answers divide the raters?

use super::Metric;
use crate::metrics::{About, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "disagreements",
        summary: "How many answers do not have the same label from every rater.",
        definition: "|{x : labels not all equal}|",
        over: "answers that every rater judged",
        source: "WFGY Problem Map: cross-agent consistency",
        ..About::COUNT
    },
    |v, _| (!v.agrees()).then(Observation::one),
);
