//! Was every question run?

use crate::metrics::{About, Fold};

/// The declaration.
pub const METRIC: About = About {
    name: "missing",
    summary: "How many gold cases have no trace.",
    definition: "|{x : no trace belongs to x}|",
    over: "gold cases",
    fold: Fold::Input,
    source: "fail closed: an absent answer is not a pass",
    waivable: false,
    ..About::COUNT
};
