//! Metrics of the suite `agreement`: whether those who judge say the same.

use crate::metrics::{self, About};
use crate::score::Score;
use crate::suites::agreement::judge::Verdict;
use crate::suites::agreement::judge::calibration::Calibrated;

/// A metric of this suite.
pub type Metric = metrics::Metric<Verdict>;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod abstain_rate;
pub mod ac1;
pub mod disagreements;
pub mod judge_f1;
pub mod judge_kappa;
pub mod judge_precision;
pub mod judge_recall;
pub mod kappa;
pub mod n;
pub mod percent_agreement;
pub mod unpaired;

/// Every metric of the suite, in alphabetical order.
pub const ALL: &[&Metric] = &[
    &abstain_rate::METRIC,
    &ac1::METRIC,
    &disagreements::METRIC,
    &judge_f1::METRIC,
    &judge_kappa::METRIC,
    &judge_precision::METRIC,
    &judge_recall::METRIC,
    &kappa::METRIC,
    &n::METRIC,
    &percent_agreement::METRIC,
    &unpaired::METRIC,
];
// codegen: end

/// How a metric that measures a judge against the truth scores one judge; `None` of other metrics.
pub(super) fn against_truth(metric: &About) -> Option<fn(&Calibrated) -> Score> {
    let all = [
        (judge_f1::METRIC, judge_f1::SCORE),
        (judge_kappa::METRIC, judge_kappa::SCORE),
        (judge_precision::METRIC, judge_precision::SCORE),
        (judge_recall::METRIC, judge_recall::SCORE),
    ];
    all.into_iter().find(|(known, _)| known.name == metric.name).map(|(_, score)| score)
}
