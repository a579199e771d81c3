//! How good could chr be with these retrievals? The difference is what the generator mis-cited.

use super::Metric;
use crate::metrics::{About, Empty, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "chr_bound",
        summary: "The best chr that these retrievals allow: shipped answers for which some of gold's evidence was retrieved.",
        definition: "|{x ∈ S∩A : gold_citations ∩ retrieved_ids ≠ ∅}| / |S|; a case without gold citations counts",
        over: "shipped answers",
        empty: Empty::One,
        source: "WFGY Problem Map: evaluation gates (CHR@k, upper bound)",
        ..About::PLAIN
    },
    |v, _| {
        let found = v.traced() && (v.gold == 0 || !v.ranks.is_empty());
        v.shipped().then(|| Observation::bit(v.answerable && found))
    },
);
