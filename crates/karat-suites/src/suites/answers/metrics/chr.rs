//! Do the citations lead to the evidence?

use super::Metric;
use crate::metrics::{About, Empty, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "chr",
        aliases: &["citation_hit_rate"],
        summary: "Of the answers that were shipped, how many cite gold's evidence and only what was retrieved.",
        definition: "|{x ∈ S∩A : H}| / |S|",
        over: "shipped answers",
        empty: Empty::One,
        default_gate: Some("chr>=0.75"),
        source: "WFGY Problem Map: evaluation gates",
        ..About::PLAIN
    },
    |v, _| v.shipped().then(|| Observation::bit(v.answerable && v.hit())),
);
