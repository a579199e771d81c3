//! What does trec_eval call the figures, and at which cut-offs does it give them?

use super::layout::{Line, Value};
use super::{Rankings, Topic};
use crate::judge::Ranked;
use crate::metrics::Observation;

/// A measure of trec_eval.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    /// Its name, without a cut-off.
    pub name: &'static str,
    /// The cut-offs that trec_eval gives by default; empty where it takes none.
    pub cuts: &'static [u32],
    /// What it is of one topic.
    pub kind: Kind,
}

/// How a measure is made.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A count: summed over topics.
    Count(fn(&Ranked) -> u32),
    /// A figure of at most 1, of a ranking and a cut-off: averaged over topics.
    Figure(fn(&Ranked, u32) -> Observation),
}

const CUTS: &[u32] = &[5, 10, 15, 20, 30, 100, 200, 500, 1000];

/// The measures, in trec_eval's order.
pub const MEASURES: &[Measure] = &[
    Measure { name: "num_ret", cuts: &[], kind: Kind::Count(|r| r.retrieved) },
    Measure { name: "num_rel", cuts: &[], kind: Kind::Count(|r| r.relevant()) },
    Measure { name: "num_rel_ret", cuts: &[], kind: Kind::Count(|r| r.found.len() as u32) },
    Measure { name: "map", cuts: &[], kind: Kind::Figure(|r, _| r.average_precision()) },
    Measure { name: "Rprec", cuts: &[], kind: Kind::Figure(|r, _| r.r_precision()) },
    Measure { name: "bpref", cuts: &[], kind: Kind::Figure(|r, _| r.bpref()) },
    Measure { name: "recip_rank", cuts: &[], kind: Kind::Figure(|r, _| r.reciprocal_rank()) },
    Measure { name: "P", cuts: CUTS, kind: Kind::Figure(Ranked::precision) },
    Measure { name: "recall", cuts: CUTS, kind: Kind::Figure(Ranked::recall) },
    Measure { name: "ndcg", cuts: &[], kind: Kind::Figure(|r, _| r.ndcg()) },
    Measure { name: "ndcg_cut", cuts: CUTS, kind: Kind::Figure(Ranked::ndcg_at) },
    Measure { name: "success", cuts: &[1, 5, 10], kind: Kind::Figure(Ranked::success) },
];

/// Which topics an average is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Those that the run has.
    Run,
    /// All that qrels have, 0 for those that the run lacks: trec_eval's `-c`.
    Complete,
}

/// A name with its cut-off and the function behind it.
fn each() -> impl Iterator<Item = (String, u32, Kind)> {
    MEASURES.iter().flat_map(|measure| {
        let plain = measure.cuts.is_empty().then(|| (measure.name.to_owned(), 0, measure.kind));
        let cut = move |&cut: &u32| (format!("{}_{cut}", measure.name), cut, measure.kind);
        plain.into_iter().chain(measure.cuts.iter().map(cut))
    })
}

/// The lines of each topic that the run has, in the topics' order.
pub fn of_topics(rankings: &Rankings) -> impl Iterator<Item = Line<'_>> {
    let measures: Vec<_> = each().collect();
    let of = move |topic: &Topic| {
        let value = |cut, kind| match kind {
            Kind::Count(count) => Value::Count(count(&topic.ranked).into()),
            Kind::Figure(figure) => Value::Figure(mean(figure(&topic.ranked, cut).num.into(), 1)),
        };
        measures.iter().map(|(name, cut, kind)| (name.clone(), value(*cut, *kind))).collect::<Vec<_>>()
    };
    rankings.topics.iter().filter(|topic| topic.in_run).flat_map(move |topic| {
        of(topic).into_iter().map(|(name, value)| Line { name: name.into(), topic: &topic.name, value })
    })
}

/// The lines over all topics.
#[must_use]
pub fn of_all(rankings: &Rankings, over: Over) -> Vec<Line<'static>> {
    let ran = || rankings.topics.iter().filter(|topic| topic.in_run).map(|topic| &topic.ranked);
    let topics = if over == Over::Complete { rankings.topics.len() } else { ran().count() } as u64;
    let line = |name: String, value| Line { name: name.into(), topic: "all", value };
    let number = line("num_q".into(), Value::Count(topics));
    let rest = each().map(|(name, cut, kind)| {
        let value = match kind {
            Kind::Count(count) => Value::Count(ran().map(|ranked| u64::from(count(ranked))).sum()),
            Kind::Figure(figure) => {
                let sum = ran().map(|ranked| u128::from(figure(ranked, cut).num)).sum();
                Value::Figure(mean(sum, topics))
            }
        };
        line(name, value)
    });
    std::iter::once(number).chain(rest).collect()
}

/// The mean of figures whose sum is in units of 1/[`Observation::UNIT`]; 0 of none, as trec_eval has it.
fn mean(sum: u128, count: u64) -> f64 {
    let all = u128::from(Observation::UNIT) * u128::from(count);
    if all == 0 { 0.0 } else { sum as f64 / all as f64 }
}
