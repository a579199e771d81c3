//! How many answers rest on a snippet that is too far from the question?

use super::Metric;
use crate::metrics::{About, Empty, Observation};
use crate::suites::retrieval::judge::delta_s::LIMIT;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "ds_over_limit",
        summary: "How many answered runs have a first cited snippet with ΔS above 0.45.",
        definition: "|{answered runs : ΔS of the first cited snippet > 0.45}|",
        over: "answered runs",
        empty: Empty::Undefined,
        source: "WFGY Global Fix Map: chunking evaluation",
        among_counts: false,
        ..About::COUNT
    },
    |sides, p| {
        sides.runs(p).and_then(|runs| {
            let far = runs.answers().filter(|answer| answer.delta_s.get() > LIMIT).count();
            runs.answers().next().map(|_| Observation::some(far as u32))
        })
    },
);
