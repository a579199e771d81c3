//! Metrics to try gates and groups on, without a suite.

use super::{About, Direction, Population, input};

const RATE: About = About { summary: "A rate.", definition: "n / d", over: "cases", ..About::PLAIN };
const LOW: About =
    About { direction: Direction::LowerIsBetter, population: Population::Unanswerable, ..RATE };

/// A few metrics, of the kinds that there are.
pub const ALL: &[&About] = &[
    &About { name: "precision", ..RATE },
    &About { name: "chr", ..RATE },
    &About { name: "under_refusal", aliases: &["under"], ..LOW },
    &About { name: "over_refusal", aliases: &["over"], ..LOW },
    &About { name: "recall@k", ..RATE },
    &About { name: "ndcg@k", aliases: &["nDCG@k"], ..RATE },
    &About { name: "scu_violations", ..About::COUNT },
    &input::missing::METRIC,
];
