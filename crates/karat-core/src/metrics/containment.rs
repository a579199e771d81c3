//! Does the answer say what gold says, whatever it cites?

use super::{Metric, Observation, Population, Table};
use crate::judge::Containment;

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "containment",
    summary: "Of the questions that can be answered, how many got an answer that contains gold's phrase.",
    definition: "|{x ∈ S∩A : C}| / |A|; C unknown counts as false",
    over: "answerable cases",
    population: Population::Answerable,
    table: Table::Gated,
    source: "seed 003",
    measure: |v, _| v.answerable.then(|| Observation::bit(v.shipped() && v.containment == Containment::Yes)),
    ..Metric::PLAIN
};
