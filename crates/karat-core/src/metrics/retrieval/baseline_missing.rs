//! Is there anything to compare with?

use crate::metrics::{Fold, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "baseline_missing",
    summary: "How many questions the baseline has no run of: against nothing, anything is better.",
    definition: "|{q : no run of the baseline belongs to q}|",
    over: "questions",
    fold: Fold::Input,
    source: "fail closed: an absent baseline is no proof of progress",
    waivable: false,
    ..Metric::COUNT
};
