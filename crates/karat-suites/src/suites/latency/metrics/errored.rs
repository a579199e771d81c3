//! Did the pipeline hold up, request by request?

use super::PointMetric;
use crate::metrics::About;
use crate::score::Score;

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "errored",
        summary: "How many requests of the selected point failed: every one counts, even if the case was answered later.",
        definition: "|{traces : ok is false and there is no claim}|; their times are not among the samples",
        over: "requests",
        source: "fail closed: a failed call is not a pass, and its time is not the time of an answer",
        waivable: false,
        ..About::COUNT
    },
    score: |point| Score::count(point.timing.errored),
};
