//! The metrics of `brevity`.

mod brief;

use karat_engine::metrics;

use super::judge::Verdict;

/// A metric of this suite.
type Metric = metrics::Metric<Verdict>;

pub(super) fn all() -> Vec<Metric> {
    metrics::named(&["brief", "missing"], [brief::METRIC].into_iter())
}
