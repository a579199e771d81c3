//! Is there anything to compare with?

use super::Metric;
use crate::metrics::{About, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::given(&About {
    name: "baseline_missing",
    summary: "How many questions have no run in the baseline; against nothing, anything is better.",
    definition: "|{q : no run of the baseline belongs to q}|",
    over: "questions",
    fold: Fold::Input,
    source: "fail closed: an absent baseline does not prove progress",
    waivable: false,
    ..About::COUNT
});
