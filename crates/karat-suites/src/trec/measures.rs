//! What does trec_eval call the figures, and at which cut-offs does it give them?

use smallvec::SmallVec;

use super::Rankings;
use super::layout::{Line, Value};
use crate::metrics::Observation;
use crate::suites::retrieval::judge::Ranked;

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

/// The rankings of one topic: one of a TREC run, one a run of a log; none where it was not run.
#[derive(Clone, Debug)]
pub struct Asked<'a> {
    /// The topic.
    pub topic: &'a str,
    /// Its rankings.
    pub rankings: SmallVec<[&'a Ranked; 1]>,
}

impl Rankings {
    /// Every topic of qrels with its ranking, if the run has one.
    pub fn asked(&self) -> impl Iterator<Item = Asked<'_>> {
        self.topics.iter().map(|topic| Asked {
            topic: &topic.name,
            rankings: topic.in_run.then_some(&topic.ranked).into_iter().collect(),
        })
    }
}

/// A name with its cut-off and the function behind it; `cuts` stand in for trec_eval's own where there are any.
fn each(cuts: &[u32]) -> Vec<(String, u32, Kind)> {
    let mut all = Vec::new();
    for measure in MEASURES {
        if measure.cuts.is_empty() {
            all.push((measure.name.to_owned(), 0, measure.kind));
        }
        let wanted = if cuts.is_empty() || measure.cuts.is_empty() { measure.cuts } else { cuts };
        all.extend(wanted.iter().map(|&cut| (format!("{}_{cut}", measure.name), cut, measure.kind)));
    }
    all
}

/// The lines of each topic that was run, in the topics' order. A figure is the mean over its rankings, a count their sum.
#[must_use]
pub fn of_topics<'a>(topics: &[Asked<'a>], cuts: &[u32]) -> Vec<Line<'a>> {
    let measures = each(cuts);
    let ran = topics.iter().filter(|asked| !asked.rankings.is_empty());
    ran.flat_map(|asked| lines(&measures, &[asked], 1, asked.topic)).collect()
}

/// The lines over all topics.
#[must_use]
pub fn of_all(topics: &[Asked<'_>], over: Over, cuts: &[u32]) -> Vec<Line<'static>> {
    let ran: Vec<&Asked<'_>> = topics.iter().filter(|asked| !asked.rankings.is_empty()).collect();
    let number = if over == Over::Complete { topics.len() } else { ran.len() } as u64;
    let count = Line { name: "num_q".into(), topic: "all", value: Value::Count(number) };
    std::iter::once(count).chain(lines(&each(cuts), &ran, number, "all")).collect()
}

/// A line for each measure, over these topics: counts are summed, figures divided by `number`.
fn lines<'t>(
    measures: &[(String, u32, Kind)],
    ran: &[&Asked<'_>],
    number: u64,
    topic: &'t str,
) -> Vec<Line<'t>> {
    let line = |(name, cut, kind): &(String, u32, Kind)| {
        let value = match *kind {
            Kind::Count(count) => {
                let all = ran.iter().flat_map(|asked| &asked.rankings);
                Value::Count(all.map(|&one| u64::from(count(one))).sum())
            }
            Kind::Figure(figure) => {
                let sum = ran.iter().map(|asked| of_one(&asked.rankings, figure, *cut)).sum();
                Value::Figure(mean(sum, number))
            }
        };
        Line { name: name.clone().into(), topic, value }
    };
    measures.iter().map(line).collect()
}

/// A figure of one topic, in units of 1/[`Observation::UNIT`].
fn of_one(rankings: &[&Ranked], figure: fn(&Ranked, u32) -> Observation, cut: u32) -> u128 {
    Observation::mean(rankings.iter().map(|&one| figure(one, cut))).map_or(0, |mean| mean.num)
}

/// The mean of figures whose sum is in units of 1/[`Observation::UNIT`]; 0 of none, as trec_eval has it.
fn mean(sum: u128, count: u64) -> f64 {
    let all = u128::from(Observation::UNIT) * u128::from(count);
    if all == 0 { 0.0 } else { sum as f64 / all as f64 }
}
