//! How torn is the log?

use crate::metrics::{About, Fold};

/// The declaration.
pub const METRIC: About = About {
    name: "malformed",
    summary: "How many lines of the traces were skipped under --lenient.",
    definition: "|{lines that are not a trace}|",
    over: "lines",
    fold: Fold::Input,
    source: "--lenient",
    waivable: false,
    ..About::COUNT
};
