//! Does a question lead to the same place, however it is worded?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "lambda_convergent",
        summary: "Of the groups of runs that share a question and a seed, how many are convergent in every paraphrase.",
        definition: "|{(qid, seed) : a run for every paraphrase, all convergent}| / |groups|; a question without a run is one group",
        over: "groups of runs",
        empty: Empty::Undefined,
        fold: Fold::Pooled,
        source: "WFGY Global Fix Map: chunking evaluation",
        default_gate: Some("lambda_convergent>=0.95"),
        ..About::PLAIN
    },
    |sides, p| sides.runs(p).map(|runs| Observation::pooled(runs.convergent, runs.groups)),
);
