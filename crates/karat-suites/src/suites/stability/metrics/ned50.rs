//! Do runs word the answer alike?

use super::Metric;
use crate::metrics::{About, Direction, Empty, Fold, Population};
use crate::suites::stability::judge::Property;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "ned50",
        summary: "How far apart the wordings of a case's runs are.",
        definition: "mean over cases of the median over pairs of runs of lev(a, b) / max(|a|, |b|, 1), in characters of canonical claims, refusals and empty ones left out; 0 if there is no pair",
        over: "answerable cases with a run that says something",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        population: Population::Answerable,
        direction: Direction::LowerIsBetter,
        source: "WFGY Problem Map: semantic stability",
        ..About::PLAIN
    },
    |v, _| v.answerable.then(|| v.observe(Property::Ned50)).flatten(),
);
