//! Does the baseline have times to compare with?

use super::PointMetric;
use crate::metrics::About;

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "baseline_untimed",
        summary: "How many requests of the baseline's point have no time.",
        definition: "|{traces of the baseline's point with neither e2e_ms nor a stage_ms}|",
        over: "requests",
        source: "fail closed: a quantile of some requests is not a quantile of all",
        waivable: false,
        ..About::COUNT
    },
    score: |point| point.of_baseline(|before| before.timing.untimed),
};
