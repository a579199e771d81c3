//! Are unanswerable questions refused in every run?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Population};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "refusal_rate",
        summary: "How often a run of an unanswerable question refuses.",
        definition: "mean over cases of refusals / N",
        over: "unanswerable cases with a run",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        population: Population::Unanswerable,
        source: "WFGY Problem Map: semantic stability",
        ..About::PLAIN
    },
    |v, _| (!v.answerable).then(|| v.observe(Property::RefusalRate)).flatten(),
);
