//! Do answers cite gold at all? This is the precision of gold that is a JSON array.

use super::Metric;
use crate::metrics::{About, Observation, Table};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "answer_hit_rate",
        summary: "Of the answers that were shipped, how many cite a gold chunk, retrieved or not.",
        definition: "|{x ∈ S∩A : citations ∩ gold ≠ ∅}| / |S|",
        over: "shipped answers",
        table: Table::Gated,
        source: "WFGY Problem Map: Example 08 (its precision)",
        ..About::PLAIN
    },
    |v, _| v.shipped().then(|| Observation::bit(v.answerable && v.overlaps())),
);
