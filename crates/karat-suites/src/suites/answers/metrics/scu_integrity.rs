//! Do answers respect what was locked?

use super::Metric;
use crate::judge::{Constraint, Scu};
use crate::metrics::{About, Empty, Observation, Population};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "scu_integrity",
        summary: "Of the shipped answers to questions with constraints, how many keep all of them.",
        definition: "|{x ∈ S with constraints : K}| / |{x ∈ S with constraints}|",
        over: "shipped answers with constraints",
        population: Population::Constrained,
        empty: Empty::One,
        source: "WFGY Problem Map: evaluation gates",
        waivable: false,
        ..About::PLAIN
    },
    |v, _| (v.shipped() && v.constrained).then(|| Observation::bit(v.constraint == Constraint::Kept)),
)
.unless(|p| p.scu == Scu::Off);
