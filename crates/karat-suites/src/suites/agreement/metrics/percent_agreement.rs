//! How often do raters say the same?

use super::Metric;
use crate::metrics::{About, Empty, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "percent_agreement",
        summary: "Of all pairs of raters on an answer, how many give the same label.",
        definition: "agreeing pairs of raters / pairs of raters, over all answers; with two raters: |{x : labels equal}| / n",
        over: "answers that every rater judged",
        empty: Empty::Undefined,
        default_gate: Some("percent_agreement>=0.90"),
        source: "WFGY Problem Map: cross-agent consistency",
        ..About::PLAIN
    },
    |v, _| {
        let (same, pairs) = v.pairs();
        Some(Observation::pooled(same, pairs))
    },
);
