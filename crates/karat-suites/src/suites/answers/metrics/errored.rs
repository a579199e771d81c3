//! Did the pipeline hold up?

use super::Metric;
use crate::judge::Presence;
use crate::metrics::{About, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "errored",
        summary: "How many scored traces say that the pipeline failed.",
        definition: "|{x : ok is false and there is no claim}|",
        source: "fail closed: a failed call is not a pass",
        waivable: false,
        ..About::COUNT
    },
    |v, _| (v.presence == Presence::Errored).then(Observation::one),
);
