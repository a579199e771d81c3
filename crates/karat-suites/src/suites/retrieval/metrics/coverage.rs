//! Can the answers be justified by what they cite?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "coverage",
        summary: "How often an answer cites a relevant id or one in the anchor section.",
        definition: "mean over questions of the mean over runs of [some citation is in G or in anchor_section]",
        over: "questions",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "WFGY Global Fix Map: chunking evaluation",
        default_gate: Some("coverage>=0.70"),
        ..About::PLAIN
    },
    |sides, p| {
        sides.mean(p, |v| {
            let covers = v.answer.is_some_and(|answer| answer.covers);
            Some(Observation::share(covers.into(), 1))
        })
    },
);
