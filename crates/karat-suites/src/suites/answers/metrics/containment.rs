//! Does the answer say what gold says, whatever it cites?

use super::Metric;
use crate::judge::Containment;
use crate::metrics::{About, Observation, Population, Table};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "containment",
        summary: "Of the questions that can be answered, how many got an answer that contains gold's phrase.",
        definition: "|{x ∈ S∩A : C}| / |A|; C unknown counts as false",
        over: "answerable cases",
        population: Population::Answerable,
        table: Table::Gated,
        source: "WFGY Problem Map: Example 08",
        ..About::PLAIN
    },
    |v, _| v.answerable.then(|| Observation::bit(v.shipped() && v.containment == Containment::Yes)),
);
