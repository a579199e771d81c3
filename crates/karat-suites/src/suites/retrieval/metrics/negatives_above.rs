//! Are hard negatives ranked above what is relevant?

use super::Metric;
use crate::metrics::{About, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "negatives_above",
        summary: "How many questions have a run that ranks a listed negative above every relevant id.",
        definition: "|{q : in some run a negative is returned and no relevant id is above it}|",
        over: "questions",
        source: "WFGY Global Fix Map: chunking evaluation",
        among_counts: false,
        ..About::COUNT
    },
    |sides, p| {
        sides.runs(p).map(|runs| {
            let above = runs.verdicts.iter().any(|verdict| verdict.negative_above);
            Observation::some(above.into())
        })
    },
);
