//! How often does a ranking return the same id twice?

use crate::metrics::{About, Fold};

/// The declaration.
pub const METRIC: About = About {
    name: "duplicate_ids",
    summary: "How many repeated ids were dropped from rankings under --lenient.",
    definition: "|{ids that already occur higher in the same ranking}|",
    over: "retrieved ids",
    fold: Fold::Input,
    source: "--lenient",
    waivable: false,
    ..About::COUNT
};
