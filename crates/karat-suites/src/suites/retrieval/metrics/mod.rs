//! Metrics of the suite `retrieval`: rankings, citations, distances in meaning, and how stable all that is.

use crate::metrics;
use crate::suites::retrieval::judge::Sides;

/// A metric of this suite.
pub type Metric = metrics::Metric<Sides>;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod anchor_hit_at_k;
pub mod anchor_proximity;
pub mod baseline_missing;
pub mod bpref;
pub mod citation_accuracy;
pub mod coverage;
pub mod coverage_any;
pub mod ds_median;
pub mod ds_over_limit;
pub mod ds_p90;
pub mod ds_topk_median;
pub mod ds_topk_p90;
pub mod hit_at_k;
pub mod lambda_convergent;
pub mod map;
pub mod mrr;
pub mod ndcg_at_k;
pub mod negatives_above;
pub mod p_at_k;
pub mod questions;
pub mod r_at_k;
pub mod recall_drop_at_k;
pub mod rprec;
pub mod runs;

/// Every metric of the suite, in alphabetical order.
pub const ALL: &[&Metric] = &[
    &anchor_hit_at_k::METRIC,
    &anchor_proximity::METRIC,
    &baseline_missing::METRIC,
    &bpref::METRIC,
    &citation_accuracy::METRIC,
    &coverage::METRIC,
    &coverage_any::METRIC,
    &ds_median::METRIC,
    &ds_over_limit::METRIC,
    &ds_p90::METRIC,
    &ds_topk_median::METRIC,
    &ds_topk_p90::METRIC,
    &hit_at_k::METRIC,
    &lambda_convergent::METRIC,
    &map::METRIC,
    &mrr::METRIC,
    &ndcg_at_k::METRIC,
    &negatives_above::METRIC,
    &p_at_k::METRIC,
    &questions::METRIC,
    &r_at_k::METRIC,
    &recall_drop_at_k::METRIC,
    &rprec::METRIC,
    &runs::METRIC,
];
// codegen: end
