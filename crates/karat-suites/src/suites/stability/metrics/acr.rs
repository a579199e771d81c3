//! Does the claim say what gold asks for, in every run?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Population};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "acr",
        summary: "How often the claim of a run contains what gold asks for, both in canonical form.",
        definition: "mean over cases of |{runs with containment}| / N; an empty list is contained in every run that says something, including refusals",
        over: "answerable cases with a run",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        population: Population::Answerable,
        source: "WFGY Problem Map: semantic stability",
        ..About::PLAIN
    },
    |v, _| v.answerable.then(|| v.observe(Property::Acr)).flatten(),
);
