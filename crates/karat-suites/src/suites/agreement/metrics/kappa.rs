//! Do raters agree beyond chance?

use super::Metric;
use crate::metrics::{About, Empty, Fold};
use crate::suites::agreement::judge;

/// The declaration.
pub const METRIC: Metric = Metric::statistic(
    &About {
        name: "kappa",
        summary: "Agreement beyond chance: Cohen's kappa of two raters, Fleiss' of more.",
        definition: "(Po - Pe) / (1 - Pe), Pe from the raters' own label frequencies (Fleiss: from all raters' together); undefined if Pe is 1",
        over: "answers that every rater judged",
        empty: Empty::Undefined,
        fold: Fold::Statistic,
        default_gate: Some("kappa>=0.75"),
        source: "WFGY Problem Map: cross-agent consistency; Cohen 1960, Fleiss 1971",
        ..About::PLAIN
    },
    judge::kappa,
);
