//! Metrics of the suite `stability`: whether a case comes out the same, and right, in every run.

use crate::metrics;
use crate::suites::stability::judge::Verdict;

/// A metric of this suite.
pub type Metric = metrics::Metric<Verdict>;

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod acr;
pub mod answerable;
pub mod cghc;
pub mod css;
pub mod errored;
pub mod fail;
pub mod held;
pub mod iaa;
pub mod missing_runs;
pub mod ned50;
pub mod rcr;
pub mod refusal_rate;
pub mod runs;
pub mod scu_cons;
pub mod silent;
pub mod unanswerable;

/// Every metric of the suite, in alphabetical order.
pub const ALL: &[&Metric] = &[
    &acr::METRIC,
    &answerable::METRIC,
    &cghc::METRIC,
    &css::METRIC,
    &errored::METRIC,
    &fail::METRIC,
    &held::METRIC,
    &iaa::METRIC,
    &missing_runs::METRIC,
    &ned50::METRIC,
    &rcr::METRIC,
    &refusal_rate::METRIC,
    &runs::METRIC,
    &scu_cons::METRIC,
    &silent::METRIC,
    &unanswerable::METRIC,
];
// codegen: end
