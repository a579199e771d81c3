//! Are constraints echoed in every run?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Population};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "scu_cons",
        summary: "How many constrained cases have their constraints echoed in every run that is not a refusal.",
        definition: "mean over cases of [the echo of each run that is not a refusal equals the constraints, as trimmed multisets]",
        over: "answerable cases with constraints and a run",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        population: Population::Answerable,
        source: "WFGY Problem Map: semantic stability",
        waivable: false,
        ..About::PLAIN
    },
    |v, _| v.answerable.then(|| v.observe(Property::ScuCons)).flatten(),
);
