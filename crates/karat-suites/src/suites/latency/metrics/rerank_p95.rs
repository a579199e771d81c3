//! How long does sorting candidates take, for nineteen of twenty requests?

use super::PointMetric;
use crate::metrics::{About, Direction, Empty, Fold, Scale, Table};
use crate::suites::latency::judge::Stage;

/// The declaration.
pub const METRIC: PointMetric = PointMetric {
    about: About {
        name: "rerank_p95",
        summary: "The 95th percentile of the time that sorting candidates takes, in milliseconds.",
        definition: "stage_ms.rerank at 95 % of the samples that have it; a gate on it needs it in every sample",
        over: "samples that have it",
        empty: Empty::Undefined,
        direction: Direction::LowerIsBetter,
        scale: Scale::Milliseconds,
        fold: Fold::Quantile { percent: 95 },
        table: Table::Gated,
        source: "WFGY Problem Map: latency vs accuracy",
        ..About::PLAIN
    },
    score: |point| point.stage(Stage::Rerank, 95),
};
