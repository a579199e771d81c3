//! Are the citations good, in every run?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Population};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "cghc",
        summary: "How often the citations of a run are good: all retrieved, and one of them gold.",
        definition: "mean over cases of |{runs with H}| / N; a refusal cites nothing, whatever it lists",
        over: "answerable cases with a run",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        population: Population::Answerable,
        source: "WFGY Problem Map: semantic stability",
        ..About::PLAIN
    },
    |v, _| v.answerable.then(|| v.observe(Property::Cghc)).flatten(),
);
