//! Does a judge reject what it should, and nothing else?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Table};
use crate::score::Score;
use crate::suites::agreement::judge::calibration::Calibrated;

/// The declaration.
pub const METRIC: Metric = Metric::given(&About {
    name: "judge_f1",
    summary: "The harmonic mean of the judge's precision and recall of REJECT.",
    definition: "2·|{x : both say REJECT}| / (|{x : the judge says REJECT}| + |{x : the truth says REJECT}|); against --truth, the worst of several judges",
    over: "answers that either rejects",
    empty: Empty::Undefined,
    fold: Fold::Derived,
    table: Table::Gated,
    source: "the usual definition; a judge is calibrated before it is trusted",
    ..About::PLAIN
});

/// The score of one judge.
pub(crate) const SCORE: fn(&Calibrated) -> Score = Calibrated::f1;
