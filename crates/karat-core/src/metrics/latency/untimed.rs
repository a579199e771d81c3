//! Was every request timed?

use crate::metrics::{Measure, Metric};
use crate::score::Score;

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "untimed",
    summary: "How many requests of the selected point were answered and have no time.",
    definition: "|{traces or rows, errored ones left out, with neither e2e_ms nor a stage_ms whose every stage has a time}|; beside a CSV also the cases asked there that it has no row of",
    over: "requests",
    source: "fail closed: a quantile of some requests is none of all",
    waivable: false,
    measure: Measure::Point(|point| Score::count(point.timing.untimed)),
    ..Metric::COUNT
};
