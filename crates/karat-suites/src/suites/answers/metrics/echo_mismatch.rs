//! Is the lock lost on the way to the answer?

use super::Metric;
use crate::judge::{Constraint, Scu};
use crate::metrics::{About, Observation, Table};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "echo_mismatch",
        summary: "How many shipped answers do not repeat the locked constraints.",
        definition: "|{x ∈ S : the echo is not the lock, as trimmed multisets}|",
        over: "shipped answers",
        among_counts: false,
        table: Table::NotZero,
        source: "WFGY Problem Map: constraint unlock",
        waivable: false,
        ..About::COUNT
    },
    |v, _| (v.shipped() && v.constraint == Constraint::EchoMismatch).then(Observation::one),
)
.unless(|p| p.scu == Scu::Off);
