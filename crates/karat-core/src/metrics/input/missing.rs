//! Was every question run?

use crate::metrics::{Fold, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "missing",
    summary: "How many gold cases have no trace.",
    definition: "|{x : no trace belongs to x}|",
    over: "gold cases",
    fold: Fold::Input,
    source: "fail closed: an absent answer is not a pass",
    waivable: false,
    ..Metric::COUNT
};
