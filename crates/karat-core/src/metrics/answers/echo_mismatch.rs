//! Is the lock lost on the way to the answer?

use crate::judge::{Constraint, Scu};
use crate::metrics::{Measure, Metric, Observation, Table};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "echo_mismatch",
    summary: "How many shipped answers do not repeat the locked constraints.",
    definition: "|{x ∈ S : the echo is not the lock, as trimmed multisets}|",
    over: "shipped answers",
    among_counts: false,
    off: |p| p.scu == Scu::Off,
    table: Table::NotZero,
    source: "WFGY Problem Map: constraint unlock",
    measure: Measure::Answer(|v, _| {
        (v.shipped() && v.constraint == Constraint::EchoMismatch).then(Observation::one)
    }),
    waivable: false,
    ..Metric::COUNT
};
