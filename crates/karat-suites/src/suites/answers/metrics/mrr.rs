//! How far down is the first useful chunk?

use super::Metric;
use crate::metrics::{About, Fold, Observation, Population};

/// The declaration.
pub const METRIC: Metric = Metric::case(
    &About {
        name: "mrr",
        aliases: &["MRR"],
        summary: "The mean of 1/rank of the first gold chunk, 0 where none was retrieved.",
        definition: "mean over A of 1 / rank of the first gold citation in retrieved_ids; a case without gold citations counts 1",
        over: "answerable cases",
        population: Population::Answerable,
        fold: Fold::Mean,
        source: "the standard definition",
        ..About::PLAIN
    },
    |v, _| {
        let best = if v.gold == 0 { Some(1) } else { v.ranks.first() };
        let rank = best.filter(|_| v.traced());
        v.answerable.then(|| {
            rank.map_or(Observation::fraction(0, 1), |rank| Observation::fraction(1, u128::from(rank)))
        })
    },
);
