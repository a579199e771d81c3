//! How many answers are short enough?

use karat_engine::metrics::{About, Observation};

use super::Metric;
use crate::brevity::judge::Label;

/// The declaration.
pub(super) const METRIC: Metric = Metric::case(
    &About {
        name: "brief",
        summary: "How many answers have no more words than gold allows.",
        definition: "|{x : w ≤ most_words + slack}| / n",
        over: "questions",
        default_gate: Some("brief>=0.90"),
        source: "a test",
        ..About::PLAIN
    },
    |verdict, ()| Some(Observation::bit(verdict.label() == Label::Brief)),
);
