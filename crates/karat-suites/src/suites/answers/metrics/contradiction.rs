//! Does an answer repeat the lock and then break it?

use super::Metric;
use crate::judge::{Constraint, Scu};
use crate::metrics::{About, Observation, Table};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "contradiction",
        aliases: &["contradictions"],
        summary: "How many shipped answers repeat the locked constraints and contradict one of them.",
        definition: "|{x ∈ S : the echo is the lock, and a contradiction rule fires}|",
        over: "shipped answers",
        among_counts: false,
        table: Table::NotZero,
        source: "WFGY Problem Map: constraint unlock",
        waivable: false,
        ..About::COUNT
    },
    |v, _| (v.shipped() && v.constraint == Constraint::Contradiction).then(Observation::one),
)
.unless(|p| p.scu == Scu::Off);
