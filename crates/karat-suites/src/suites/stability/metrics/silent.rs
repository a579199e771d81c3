//! Did every run that did not fail say something?

use super::Metric;
use crate::metrics::{About, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "silent",
        summary: "How many runs say nothing, though the pipeline did not fail.",
        definition: "Σ over cases of |{runs : not errored, not a refusal, and the canonical claim is empty}|",
        over: "runs",
        source: "fail closed: runs that all say nothing agree on nothing",
        waivable: false,
        ..About::COUNT
    },
    |v, _| Some(Observation { num: v.silent.into(), den: 0 }),
);
