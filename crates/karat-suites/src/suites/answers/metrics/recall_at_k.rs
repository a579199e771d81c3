//! Could the generator have answered at all?

use super::Metric;
use crate::metrics::{About, Observation, Population};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "recall@k",
        summary: "Of the questions that can be answered, for how many all of gold's evidence is among the first k chunks.",
        definition: "|{x ∈ A : gold_citations ⊆ first k of retrieved_ids}| / |A|",
        over: "answerable cases",
        population: Population::Answerable,
        source: "WFGY Problem Map: evaluation gates",
        ..About::PLAIN
    },
    |v, p| {
        v.answerable.then(|| Observation::bit(v.traced() && v.ranks.within(p.k).count() == v.gold as usize))
    },
);
