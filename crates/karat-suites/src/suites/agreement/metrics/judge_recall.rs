//! Does a judge find what should be rejected?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Table};
use crate::score::Score;
use crate::suites::agreement::judge::calibration::Calibrated;

/// The declaration.
pub const METRIC: Metric = Metric::given(&About {
    name: "judge_recall",
    summary: "Of the answers that the truth rejects, how many the judge rejects too.",
    definition: "|{x : both say REJECT}| / |{x : the truth says REJECT}|; against --truth, the worst of several judges",
    over: "answers that the truth rejects",
    empty: Empty::Undefined,
    fold: Fold::Proportion,
    table: Table::Gated,
    source: "the usual definition; a judge is calibrated before it is trusted",
    ..About::PLAIN
});

/// The score of one judge.
pub(crate) const SCORE: fn(&Calibrated) -> Score = Calibrated::recall;
