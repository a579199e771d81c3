//! How often does a ranking return the same id twice?

use crate::metrics::{Fold, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "duplicate_ids",
    summary: "How many ids came again in one ranking, and were dropped under --lenient.",
    definition: "|{ids of rankings that stand above in the same ranking}|",
    over: "retrieved ids",
    fold: Fold::Input,
    source: "--lenient",
    waivable: false,
    ..Metric::COUNT
};
