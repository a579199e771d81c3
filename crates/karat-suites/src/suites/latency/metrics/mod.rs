//! Metrics of the suite `latency`: how long requests take at one point of the curve.

use crate::metrics::About;
use crate::score::Score;
use crate::suites::latency::judge::Point;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod baseline_missing;
pub mod baseline_untimed;
pub mod errored;
pub mod guard_p95;
pub mod llm_p95;
pub mod p50;
pub mod p90;
pub mod p95;
pub mod p95_rise;
pub mod p99;
pub mod points;
pub mod precision_drop;
pub mod rerank_p95;
pub mod retrieval_p95;
pub mod samples;
pub mod tail_amplification;
pub mod untimed;

/// Every metric of the suite, in alphabetical order.
pub const ALL: &[&PointMetric] = &[
    &baseline_missing::METRIC,
    &baseline_untimed::METRIC,
    &errored::METRIC,
    &guard_p95::METRIC,
    &llm_p95::METRIC,
    &p50::METRIC,
    &p90::METRIC,
    &p95::METRIC,
    &p95_rise::METRIC,
    &p99::METRIC,
    &points::METRIC,
    &precision_drop::METRIC,
    &rerank_p95::METRIC,
    &retrieval_p95::METRIC,
    &samples::METRIC,
    &tail_amplification::METRIC,
    &untimed::METRIC,
];
// codegen: end

/// A metric of one point of the curve.
#[derive(Debug)]
pub struct PointMetric {
    /// Name, words and numbers.
    pub about: About,
    /// Its score: made of the times at the point, and of what they are compared with.
    pub score: fn(&Point<'_>) -> Score,
}
