//! Does the log hold more than gold asks?

use crate::metrics::{Fold, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "unmatched",
    summary: "How many traces belong to no gold case.",
    definition: "|{traces whose qid or question gold does not know}|",
    over: "traces",
    fold: Fold::Input,
    source: "live logs hold more than gold",
    ..Metric::COUNT
};
