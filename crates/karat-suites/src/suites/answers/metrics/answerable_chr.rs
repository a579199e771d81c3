//! How many answerable questions get a citation hit? This is the citation hit rate of gold that is a JSON array.

use super::Metric;
use crate::metrics::{About, Observation, Population, Table};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "answerable_chr",
        summary: "Of the questions that can be answered, how many got an answer that cites a gold chunk.",
        definition: "|{x ∈ S∩A : citations ∩ gold ≠ ∅}| / |A|",
        over: "answerable cases",
        population: Population::Answerable,
        table: Table::Gated,
        source: "WFGY Problem Map: Example 08 (its CHR)",
        ..About::PLAIN
    },
    |v, _| v.answerable.then(|| Observation::bit(v.shipped() && v.overlaps())),
);
