//! How many cases do not hold?

use super::Metric;
use crate::metrics::{About, Observation};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "fail",
        summary: "How many cases do not hold, including cases without a run.",
        definition: "|{x : x does not hold}|",
        over: "cases",
        default_gate: Some("fail<=0"),
        source: "WFGY Problem Map: semantic stability",
        waivable: false,
        ..About::COUNT
    },
    |v, _| (!v.holds()).then(Observation::one),
);
