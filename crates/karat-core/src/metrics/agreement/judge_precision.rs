//! Is a judge right when it rejects?

use crate::judge::calibration::Calibrated;
use crate::metrics::{Empty, Fold, Measure, Metric, Table};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "judge_precision",
    summary: "Of the answers that the judge rejects, how many the truth rejects too.",
    definition: "|{x : both say REJECT}| / |{x : the judge says REJECT}|; against --truth, the worst of several judges",
    over: "answers that the judge rejects",
    empty: Empty::Undefined,
    fold: Fold::Proportion,
    table: Table::Gated,
    source: "the usual definition; a judge is calibrated before it is trusted",
    measure: Measure::Truth(Calibrated::precision),
    ..Metric::PLAIN
};
