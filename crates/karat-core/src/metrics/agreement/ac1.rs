//! Do raters agree beyond chance, even where one label prevails and kappa misleads?

use crate::judge::agreement;
use crate::metrics::{Empty, Fold, Measure, Metric};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "ac1",
    summary: "Gwet's AC1: agreement beyond chance that does not collapse when one label prevails.",
    definition: "(Po - Pe) / (1 - Pe), Pe = sum over labels of p(1 - p) / (labels - 1)",
    over: "answers that every rater judged",
    empty: Empty::Undefined,
    fold: Fold::Statistic,
    source: "Gwet 2008",
    measure: Measure::Kappa(agreement::ac1),
    ..Metric::PLAIN
};
