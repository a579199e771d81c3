//! Metrics of the suite `release`: the evidence path, the claims at its end, and whether it was right to release them.

use crate::metrics;
use crate::suites::release::judge::Verdict;

/// A metric of this suite.
pub type Metric = metrics::Metric<Verdict>;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod admissible_evidence_path;
pub mod blocked;
pub mod candidate_recall;
pub mod cases;
pub mod citation_coverage;
pub mod citation_support;
pub mod context_precision;
pub mod context_recall;
pub mod faithfulness;
pub mod known_bad_answers_blocked;
pub mod point_coverage;
pub mod release_correct;
pub mod released;
pub mod supported_answer_released;

/// Every metric of the suite, in alphabetical order.
pub const ALL: &[&Metric] = &[
    &admissible_evidence_path::METRIC,
    &blocked::METRIC,
    &candidate_recall::METRIC,
    &cases::METRIC,
    &citation_coverage::METRIC,
    &citation_support::METRIC,
    &context_precision::METRIC,
    &context_recall::METRIC,
    &faithfulness::METRIC,
    &known_bad_answers_blocked::METRIC,
    &point_coverage::METRIC,
    &release_correct::METRIC,
    &released::METRIC,
    &supported_answer_released::METRIC,
];
// codegen: end
