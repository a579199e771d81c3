//! Was every request timed?

use super::PointMetric;
use crate::metrics::About;
use crate::score::Score;

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "untimed",
        summary: "How many requests of the selected point were answered and have no time.",
        definition: "|{traces or rows, errored ones left out, with neither e2e_ms nor a stage_ms whose every stage has a time}|; with a CSV, also cases in the traces that have no row in it",
        over: "requests",
        source: "fail closed: a quantile of some requests is not a quantile of all",
        waivable: false,
        ..About::COUNT
    },
    score: |point| Score::count(point.timing.untimed),
};
