//! Does the log contain more than gold asks?

use crate::metrics::{About, Fold};

/// The declaration.
pub const METRIC: About = About {
    name: "unmatched",
    summary: "How many traces belong to no gold case.",
    definition: "|{traces whose qid or question is not in gold}|",
    over: "traces",
    fold: Fold::Input,
    source: "live logs contain more than gold",
    ..About::COUNT
};
