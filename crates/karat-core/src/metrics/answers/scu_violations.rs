//! Is any locked constraint broken? One is too many.

use crate::judge::{Constraint, Scu};
use crate::metrics::{Measure, Metric, Observation, Table};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "scu_violations",
    summary: "How many shipped answers drop or contradict a locked constraint.",
    definition: "|{x ∈ S : not K}|, missing and errored cases included",
    over: "shipped answers",
    among_counts: false,
    off: |p| p.scu == Scu::Off,
    table: Table::NotZero,
    source: "WFGY Problem Map: evaluation gates",
    measure: Measure::Answer(|v, _| (v.shipped() && v.constraint != Constraint::Kept).then(Observation::one)),
    waivable: false,
    ..Metric::COUNT
};
