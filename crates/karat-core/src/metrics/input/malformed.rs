//! How torn is the log?

use crate::metrics::{Fold, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "malformed",
    summary: "How many lines of the traces were skipped under --lenient.",
    definition: "|{lines that are not a trace}|",
    over: "lines",
    fold: Fold::Input,
    source: "--lenient",
    waivable: false,
    ..Metric::COUNT
};
