//! Has the baseline answers to compare with?

use crate::metrics::{Measure, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "baseline_missing",
    summary: "How many cases the baseline's point has no answer to: against nothing, anything is better.",
    definition: "|{x : x has no trace at the baseline's point, or its last one there says that the pipeline failed}|",
    over: "gold cases",
    source: "fail closed: an absent baseline is no proof of progress",
    waivable: false,
    measure: Measure::Point(|point| point.of_baseline(|before| before.missing)),
    ..Metric::COUNT
};
