//! Does the pipeline keep to its answer template?

use super::Metric;
use crate::judge::Presence;
use crate::metrics::{About, Observation, Table};
use crate::model::Listed;

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "compliance",
        summary: "Of the scored traces, how many refuse or have a citation list, even an empty one.",
        definition: "|{scored traces that refuse or have a citation list}| / |scored traces|, errored ones included",
        over: "scored traces",
        table: Table::Gated,
        source: "WFGY Problem Map: Example 08 (G5)",
        waivable: false,
        ..About::PLAIN
    },
    |v, _| {
        (v.presence != Presence::Missing).then(|| Observation::bit(v.refused || v.citations == Listed::List))
    },
);
