//! Does the baseline have answers to compare with?

use super::PointMetric;
use crate::metrics::About;

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "baseline_missing",
        summary: "How many cases have no answer at the baseline's point; against nothing, anything is better.",
        definition: "|{x : x has no trace at the baseline's point, or its last one there says that the pipeline failed}|",
        over: "gold cases",
        source: "fail closed: an absent baseline does not prove progress",
        waivable: false,
        ..About::COUNT
    },
    score: |point| point.of_baseline(|before| before.missing),
};
