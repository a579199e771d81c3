//! How many cases come out the same, and right?

use super::Metric;
use crate::metrics::{About, Empty, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "held",
        summary: "How many cases hold: they come out the same in all runs, and right.",
        definition: "|{x : acr >= 0.95, cghc >= 0.95, css >= 0.70, ned50 <= 0.20, scu_cons ≠ 0; for an unanswerable x: rcr >= 0.98 and refusal_rate >= 0.98}| / |gold|",
        over: "gold cases, including those without a run",
        empty: Empty::Undefined,
        source: "WFGY Problem Map: semantic stability",
        waivable: false,
        ..About::PLAIN
    },
    |v, _| Some(Observation::bit(v.holds())),
);
