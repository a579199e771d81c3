//! Is any locked constraint broken? One is too many.

use super::Metric;
use crate::judge::{Constraint, Scu};
use crate::metrics::{About, Observation, Table};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "scu_violations",
        summary: "How many shipped answers drop or contradict a locked constraint.",
        definition: "|{x ∈ S : not K}|, missing and errored cases included",
        over: "shipped answers",
        among_counts: false,
        table: Table::NotZero,
        source: "WFGY Problem Map: evaluation gates",
        waivable: false,
        ..About::COUNT
    },
    |v, _| (v.shipped() && v.constraint != Constraint::Kept).then(Observation::one),
)
.unless(|p| p.scu == Scu::Off);
