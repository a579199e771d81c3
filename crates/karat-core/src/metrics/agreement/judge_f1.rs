//! Does a judge reject what it should, and nothing else?

use crate::judge::calibration::Calibrated;
use crate::metrics::{Empty, Fold, Measure, Metric, Table};

/// The declaration.
pub const METRIC: Metric = Metric {
    name: "judge_f1",
    summary: "The harmonic mean of the judge's precision and recall of REJECT.",
    definition: "2·|{x : both say REJECT}| / (|{x : the judge says REJECT}| + |{x : the truth says REJECT}|); against --truth, the worst of several judges",
    over: "answers that either rejects",
    empty: Empty::Undefined,
    fold: Fold::Derived,
    table: Table::Gated,
    source: "the usual definition; a judge is calibrated before it is trusted",
    measure: Measure::Truth(Calibrated::f1),
    ..Metric::PLAIN
};
