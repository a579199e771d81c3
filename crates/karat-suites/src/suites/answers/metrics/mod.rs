//! Metrics of the suite `answers`: what a claim, its citations and its refusal come to.

use crate::judge::Verdict;
use crate::metrics;

/// A metric of this suite.
pub type Metric = metrics::Metric<Verdict>;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod answer_hit_rate;
pub mod answerable;
pub mod answerable_chr;
pub mod answered;
pub mod chr;
pub mod chr_bound;
pub mod citation_precision;
pub mod citation_recall;
pub mod compliance;
pub mod containment;
pub mod contradiction;
pub mod echo_mismatch;
pub mod errored;
pub mod hit_at_k;
pub mod mrr;
pub mod ndcg_at_k;
pub mod over_refusal;
pub mod precision;
pub mod recall_at_k;
pub mod refused;
pub mod scu_integrity;
pub mod scu_violations;
pub mod unanswerable;
pub mod under_refusal;

/// Every metric of the suite, in alphabetical order.
pub const ALL: &[&Metric] = &[
    &answer_hit_rate::METRIC,
    &answerable::METRIC,
    &answerable_chr::METRIC,
    &answered::METRIC,
    &chr::METRIC,
    &chr_bound::METRIC,
    &citation_precision::METRIC,
    &citation_recall::METRIC,
    &compliance::METRIC,
    &containment::METRIC,
    &contradiction::METRIC,
    &echo_mismatch::METRIC,
    &errored::METRIC,
    &hit_at_k::METRIC,
    &mrr::METRIC,
    &ndcg_at_k::METRIC,
    &over_refusal::METRIC,
    &precision::METRIC,
    &recall_at_k::METRIC,
    &refused::METRIC,
    &scu_integrity::METRIC,
    &scu_violations::METRIC,
    &unanswerable::METRIC,
    &under_refusal::METRIC,
];
// codegen: end
