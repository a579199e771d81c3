//! How many answers divide the raters?

use crate::metrics::{Measure, Metric, Observation};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "disagreements",
    summary: "How many answers do not have the same label from every rater.",
    definition: "|{x : labels not all equal}|",
    over: "answers that every rater judged",
    source: "WFGY Problem Map: cross-agent consistency",
    measure: Measure::Agreement(|v| (!v.agrees()).then(Observation::one)),
    ..Metric::COUNT
};
