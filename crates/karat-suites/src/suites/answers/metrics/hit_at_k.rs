//! Was any of the evidence there to be cited?

use super::Metric;
use crate::metrics::{About, Observation, Population};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "hit@k",
        aliases: &["chr@k"],
        summary: "Of the questions that can be answered, for how many some of gold's evidence is among the first k chunks.",
        definition: "|{x ∈ A : gold_citations ∩ first k of retrieved_ids ≠ ∅}| / |A|; a case without gold citations counts as in recall@k",
        over: "answerable cases",
        population: Population::Answerable,
        source: "WFGY Problem Map: evaluation gates (CHR@k, upper bound)",
        ..About::PLAIN
    },
    |v, p| {
        let found = v.gold == 0 || v.ranks.first().is_some_and(|rank| rank <= p.k);
        v.answerable.then(|| Observation::bit(v.traced() && found))
    },
);
