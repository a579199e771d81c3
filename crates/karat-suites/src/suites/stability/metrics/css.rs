//! Do runs cite the same chunks?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Population};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "css",
        summary: "How far the citation sets of a case's runs agree.",
        definition: "mean over cases of |∩ citation sets| / |∪ citation sets| over all N runs; 1 where no run cites; a refusal cites nothing, whatever it lists",
        over: "answerable cases with a run that says something",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        population: Population::Answerable,
        source: "WFGY Problem Map: semantic stability",
        ..About::PLAIN
    },
    |v, _| v.answerable.then(|| v.observe(Property::Css)).flatten(),
);
