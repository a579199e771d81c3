//! Does a judge find what should be rejected?

use crate::judge::calibration::Calibrated;
use crate::metrics::{Empty, Fold, Measure, Metric, Table};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "judge_recall",
    summary: "Of the answers that the truth rejects, how many the judge rejects too.",
    definition: "|{x : both say REJECT}| / |{x : the truth says REJECT}|; against --truth, the worst of several judges",
    over: "answers that the truth rejects",
    empty: Empty::Undefined,
    fold: Fold::Proportion,
    table: Table::Gated,
    source: "the usual definition; a judge is calibrated before it is trusted",
    measure: Measure::Truth(Calibrated::recall),
    ..Metric::PLAIN
};
