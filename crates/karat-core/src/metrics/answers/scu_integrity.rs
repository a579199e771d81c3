//! Do answers respect what was locked?

use crate::judge::{Constraint, Scu};
use crate::metrics::{Empty, Measure, Metric, Observation, Population};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "scu_integrity",
    summary: "Of the shipped answers to questions with constraints, how many keep all of them.",
    definition: "|{x ∈ S with constraints : K}| / |{x ∈ S with constraints}|",
    over: "shipped answers with constraints",
    population: Population::Constrained,
    empty: Empty::One,
    off: |p| p.scu == Scu::Off,
    source: "WFGY Problem Map: evaluation gates",
    measure: Measure::Answer(|v, _| {
        (v.shipped() && v.constrained).then(|| Observation::bit(v.constraint == Constraint::Kept))
    }),
    waivable: false,
    ..Metric::PLAIN
};
