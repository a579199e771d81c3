//! Do raters agree beyond chance, even where one label prevails and kappa misleads?

use super::Metric;
use crate::metrics::{About, Empty, Fold};
use crate::suites::agreement::judge;

/// The declaration.
pub const METRIC: Metric = Metric::statistic(
    &About {
        name: "ac1",
        summary: "Gwet's AC1: agreement beyond chance that does not collapse when one label prevails.",
        definition: "(Po - Pe) / (1 - Pe), Pe = sum over labels of p(1 - p) / (labels - 1)",
        over: "answers that every rater judged",
        empty: Empty::Undefined,
        fold: Fold::Statistic,
        source: "Gwet 2008",
        ..About::PLAIN
    },
    judge::ac1,
);
