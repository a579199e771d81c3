//! Does the baseline have answers to compare with?

use crate::metrics::{Measure, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "baseline_missing",
    summary: "How many cases have no answer at the baseline's point; against nothing, anything is better.",
    definition: "|{x : x has no trace at the baseline's point, or its last one there says that the pipeline failed}|",
    over: "gold cases",
    source: "fail closed: an absent baseline does not prove progress",
    waivable: false,
    measure: Measure::Point(|point| point.of_baseline(|before| before.missing)),
    ..Metric::COUNT
};
