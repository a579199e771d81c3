//! Did every rater judge the same answers?

use super::Metric;
use crate::metrics::{About, Fold};

/// The declaration.
pub const METRIC: Metric = Metric::given(&About {
    name: "unpaired",
    summary: "How many answers some rater did not judge.",
    definition: "|{x : a rater lacks x}|",
    over: "answers",
    fold: Fold::Input,
    default_gate: Some("unpaired<=0"),
    source: "fail closed: an answer that one rater skipped shows nothing",
    waivable: false,
    ..About::COUNT
});
