//! How many requests carry no time?

use crate::metrics::{Fold, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "untimed",
    summary: "How many traces or rows carry no time: they count for accuracy alone.",
    definition: "|{traces or rows with neither e2e_ms nor a stage_ms}|",
    over: "requests",
    fold: Fold::Input,
    source: "fail closed: what was not timed is said",
    ..Metric::COUNT
};
