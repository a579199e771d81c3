//! Does a judge agree with the truth beyond chance?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Table};
use crate::score::Score;
use crate::suites::agreement::judge::calibration::Calibrated;

/// The declaration.
pub const METRIC: Metric = Metric::given(&About {
    name: "judge_kappa",
    summary: "Cohen's kappa of the judge and the truth, over all labels.",
    definition: "(Po - Pe) / (1 - Pe), as kappa, of the judge and the truth alone; against --truth, the worst of several judges",
    over: "answers that both judged",
    empty: Empty::Undefined,
    fold: Fold::Derived,
    table: Table::Gated,
    source: "the usual definition; a judge is calibrated before it is trusted",
    ..About::PLAIN
});

/// The score of one judge.
pub(crate) const SCORE: fn(&Calibrated) -> Score = Calibrated::kappa;
