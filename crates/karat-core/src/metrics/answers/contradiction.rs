//! Does an answer repeat the lock and then break it?

use crate::judge::{Constraint, Scu};
use crate::metrics::{Measure, Metric, Observation, Table};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "contradiction",
    aliases: &["contradictions"],
    summary: "How many shipped answers repeat the locked constraints and contradict one of them.",
    definition: "|{x ∈ S : the echo is the lock, and a contradiction rule fires}|",
    over: "shipped answers",
    among_counts: false,
    off: |p| p.scu == Scu::Off,
    table: Table::NotZero,
    source: "WFGY Problem Map: constraint unlock",
    measure: Measure::Answer(|v, _| {
        (v.shipped() && v.constraint == Constraint::Contradiction).then(Observation::one)
    }),
    waivable: false,
    ..Metric::COUNT
};
