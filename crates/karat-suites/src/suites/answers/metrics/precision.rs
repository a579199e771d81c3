//! Of what the pipeline shipped, how much can a customer rely on?

use super::Metric;
use crate::metrics::{About, Empty, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "precision",
        summary: "Of the answers that were shipped, how many are right and properly cited.",
        definition: "|{x ∈ S∩A : C ∧ H ∧ F (∧ K under --scu enforce)}| / |S|",
        over: "shipped answers",
        empty: Empty::One,
        default_gate: Some("precision>=0.80"),
        source: "WFGY Problem Map: evaluation gates",
        ..About::PLAIN
    },
    |v, p| v.shipped().then(|| Observation::bit(v.answerable && v.right(p.scu))),
);
