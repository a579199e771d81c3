//! How often does a ranking return the same id twice?

use crate::metrics::{Fold, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "duplicate_ids",
    summary: "How many repeated ids were dropped from rankings under --lenient.",
    definition: "|{ids that already occur higher in the same ranking}|",
    over: "retrieved ids",
    fold: Fold::Input,
    source: "--lenient",
    waivable: false,
    ..Metric::COUNT
};
