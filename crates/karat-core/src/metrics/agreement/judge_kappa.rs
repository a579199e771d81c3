//! Does a judge agree with the truth beyond chance?

use crate::judge::calibration::Calibrated;
use crate::metrics::{Empty, Fold, Measure, Metric, Table};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "judge_kappa",
    summary: "Cohen's kappa of the judge and the truth, over all labels.",
    definition: "(Po - Pe) / (1 - Pe), as kappa, of the judge and the truth alone; against --truth, the worst of several judges",
    over: "answers that both judged",
    empty: Empty::Undefined,
    fold: Fold::Derived,
    table: Table::Gated,
    source: "the usual definition; a judge is calibrated before it is trusted",
    measure: Measure::Truth(Calibrated::kappa),
    ..Metric::PLAIN
};
