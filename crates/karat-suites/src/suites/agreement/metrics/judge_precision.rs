//! Is a judge right when it rejects?

use super::Metric;
use crate::metrics::{About, Empty, Fold, Table};
use crate::score::Score;
use crate::suites::agreement::judge::calibration::Calibrated;

/// The declaration.
pub const METRIC: Metric = Metric::given(&About {
    name: "judge_precision",
    summary: "Of the answers that the judge rejects, how many the truth rejects too.",
    definition: "|{x : both say REJECT}| / |{x : the judge says REJECT}|; against --truth, the worst of several judges",
    over: "answers that the judge rejects",
    empty: Empty::Undefined,
    fold: Fold::Proportion,
    table: Table::Gated,
    source: "the usual definition; a judge is calibrated before it is trusted",
    ..About::PLAIN
});

/// The score of one judge.
pub(crate) const SCORE: fn(&Calibrated) -> Score = Calibrated::precision;
