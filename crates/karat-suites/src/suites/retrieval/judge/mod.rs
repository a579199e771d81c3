//! Verdicts of `retrieval`: what can be observed about one run of a retriever, and about all runs of one question.
//!
//! A question without a run is judged like one run that returned nothing and cited nothing: it counts 0 wherever gold asks
//! for something, and nowhere else.

use std::sync::Arc;

use smallvec::SmallVec;

pub mod content;
pub mod delta_s;
pub mod lambda;
pub mod ranked;
pub mod section;
pub mod span;

use crate::interval::percentile;
use crate::metrics::{self, Facts, Observation, Population};
use crate::suites::retrieval::model::{Blocks, Cited, Question, Trace};
use content::Kind;
use delta_s::DeltaS;
pub use ranked::{Found, Ranked};

/// What precision at k divides by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// The number of ids that were returned, at most k.
    #[default]
    Returned,
    /// k, like trec_eval.
    Depth,
}

/// Which of two indexes a figure looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The index that should ship.
    #[default]
    New,
    /// The index that it is compared with.
    Baseline,
}

/// The settings that runs are judged by.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// How many bytes a citation may lie outside its block, at either end.
    pub window: u64,
    /// How many of the first ids `ds_topk_median` and `ds_topk_p90` look at.
    pub ds_k: usize,
}

impl Default for Rules {
    fn default() -> Self {
        Rules { window: 30, ds_k: 5 }
    }
}

/// Everything observable about one run, without its texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// Where the relevant ids are ranked.
    pub ranked: Ranked,
    /// The type of content of each relevant id that was found, as gold's blocks have it.
    pub found_kinds: SmallVec<[Kind; 4]>,
    /// How many relevant ids there are of each type.
    pub relevant_kinds: [u32; Kind::ALL.len()],
    /// The type of everything that was returned, by rank.
    pub kinds: SmallVec<[Kind; 16]>,
    /// Where the anchor section is.
    pub anchor: Anchor,
    /// What the answer cites; `None` if it cites nothing.
    pub answer: Option<Answer>,
    /// Whether a listed negative is ranked above every relevant id.
    pub negative_above: bool,
    /// ΔS of the first ids: their median and their 90th percentile.
    pub spread: Option<(DeltaS, DeltaS)>,
    /// The source of the run's ΔS.
    pub source: Option<delta_s::Source>,
}

/// Where the anchor section is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// Gold names none.
    #[default]
    None,
    /// Nothing that was returned lies in it.
    Missed,
    /// The first id that lies in it has this rank, from 1.
    At(u32),
}

/// What the answer of a run cites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// Whether some citation is relevant or lies in the anchor section.
    pub covers: bool,
    /// Whether the first citation is relevant and lies within its block.
    pub accurate: bool,
    /// The distance from the section of the first citation to the anchor, if both are known.
    pub steps: Option<u32>,
    /// ΔS of the first citation.
    pub delta_s: DeltaS,
}

/// Judges one run. With the verdict comes the place of the first right citation, by which runs are compared.
#[must_use]
pub fn judge(
    question: &Question,
    blocks: &Blocks,
    trace: &Trace<'_>,
    rules: &Rules,
) -> (Verdict, Option<Box<str>>) {
    let mut verdict = Verdict::missing(question);
    let anchor = question.anchor();
    let in_anchor = |id: &str| anchor.is_some() && blocks.section_of(id) == anchor;
    let (mut nonrelevant_above, mut first_negative) = (0, None);
    for (item, rank) in trace.retrieved.iter().zip(1..) {
        let id = &*item.id;
        verdict.kinds.push(item.kind.unwrap_or_else(|| blocks.kind_of(id)));
        if let Some(block) = question.relevant(id) {
            verdict.ranked.found.push(Found { rank, grade: block.grade, nonrelevant_above });
            verdict.found_kinds.push(block.kind);
        } else if question.is_nonrelevant(id) {
            nonrelevant_above += 1;
        }
        if first_negative.is_none() && question.is_negative(id) {
            first_negative = Some(rank);
        }
        if verdict.anchor == Anchor::Missed && in_anchor(id) {
            verdict.anchor = Anchor::At(rank);
        }
        verdict.ranked.retrieved = rank;
    }
    let first_relevant = verdict.ranked.found.first().map_or(u32::MAX, |found| found.rank);
    verdict.negative_above = first_negative.is_some_and(|rank| rank < first_relevant);
    verdict.source = trace.source;
    verdict.spread = spread(trace, rules.ds_k);

    let right = |cited: &Cited<'_>| {
        cited.id.as_deref().filter(|id| question.relevant(id).is_some() || in_anchor(id)).map(str::to_owned)
    };
    let arrives = trace.cited.iter().find_map(right);
    verdict.answer = trace.cited.first().map(|first| Answer {
        covers: arrives.is_some(),
        accurate: accurate(question, first, rules.window),
        steps: first.id.as_deref().and_then(|id| Some(blocks.section_of(id)?.distance(anchor?))),
        delta_s: cited_delta_s(trace, first),
    });
    // An id with an unknown section is a place of its own.
    let place = arrives.map(|id| match blocks.section_of(&id) {
        Some(section) => format!("§{}", section.spelling()),
        None => format!("#{id}"),
    });
    (verdict, place.map(Into::into))
}

fn accurate(question: &Question, first: &Cited<'_>, window: u64) -> bool {
    let block = first.id.as_deref().and_then(|id| question.relevant(id)).and_then(|block| block.span);
    matches!((first.span, block), (Some(cited), Some(block)) if cited.lies_in(block, window))
}

/// The ΔS of a citation; 1 if it was not retrieved or has no ΔS.
fn cited_delta_s(trace: &Trace<'_>, first: &Cited<'_>) -> DeltaS {
    let id = first.id.as_deref();
    let item = trace.retrieved.iter().find(|item| Some(&*item.id) == id);
    item.and_then(|item| item.delta_s).unwrap_or(DeltaS::WORST)
}

fn spread(trace: &Trace<'_>, first: usize) -> Option<(DeltaS, DeltaS)> {
    let mut values: Vec<f64> =
        trace.retrieved.iter().take(first).filter_map(|item| item.delta_s).map(DeltaS::get).collect();
    values.sort_unstable_by(f64::total_cmp);
    Some((DeltaS::new(percentile(&values, 0.5))?, DeltaS::new(percentile(&values, 0.9))?))
}

impl Verdict {
    /// The verdict on a question that was not run.
    #[must_use]
    pub fn missing(question: &Question) -> Self {
        Verdict {
            ranked: Ranked {
                grades: question.grades.clone(),
                nonrelevant: question.nonrelevant.len() as u32,
                ..Ranked::default()
            },
            relevant_kinds: question.kinds,
            anchor: if question.anchor.is_some() { Anchor::Missed } else { Anchor::None },
            ..Verdict::default()
        }
    }

    /// The verdict on a bare ranking, without an answer.
    #[must_use]
    pub fn of_ranking(ranked: Ranked) -> Self {
        Verdict { ranked, ..Verdict::default() }
    }

    /// Precision among the first k; for one type of content, among the ids of that type, if there are any.
    #[must_use]
    pub fn precision(&self, params: &Params) -> Option<Observation> {
        let Some(kind) = params.kind else {
            return Some(match params.precision {
                Precision::Returned => self.ranked.precision_of_returned(params.k),
                Precision::Depth => self.ranked.precision(params.k),
            });
        };
        let first = &self.kinds[..self.kinds.len().min(params.k as usize)];
        let of_kind = |rank: u32| first.get(rank as usize - 1) == Some(&kind);
        let hits = self.ranked.found.iter().filter(|found| of_kind(found.rank)).count() as u32;
        let items = first.iter().filter(|&&other| other == kind).count() as u32;
        (items > 0).then(|| Observation::share(hits, items))
    }

    /// The share of the relevant ids, or of those of one type, that is among the first k; `None` if there are none.
    #[must_use]
    pub fn recall(&self, params: &Params) -> Option<Observation> {
        let Some(kind) = params.kind else { return Some(self.ranked.recall(params.k)) };
        let relevant = self.relevant_kinds[kind as usize];
        let found = self.ranked.found.iter().zip(&self.found_kinds);
        let hits = found.filter(|(found, of)| found.rank <= params.k && **of == kind).count() as u32;
        (relevant > 0).then(|| Observation::share(hits, relevant))
    }
}

/// All runs of one question against one index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Runs {
    /// The verdicts, in the order of seeds and paraphrases; for a question without a run, one verdict on that.
    pub verdicts: Vec<Verdict>,
    /// Whether the question has no run.
    pub missing: bool,
    /// The number of groups of runs that share a seed; 1 for a question without a run.
    pub groups: u32,
    /// The number of groups with a run for each paraphrase, all convergent.
    pub convergent: u32,
}

impl Runs {
    /// How many runs there are.
    #[must_use]
    pub fn count(&self) -> u32 {
        if self.missing { 0 } else { self.verdicts.len() as u32 }
    }

    /// The answers of the runs that cite.
    pub fn answers(&self) -> impl Iterator<Item = &Answer> {
        self.verdicts.iter().filter_map(|verdict| verdict.answer.as_ref())
    }

    /// Whether no citation of the runs is right, or a cited snippet is far from the question.
    #[must_use]
    pub fn bad(&self) -> bool {
        !self.answers().any(|answer| answer.covers)
            || self.answers().any(|answer| answer.delta_s.get() > delta_s::RISK)
    }
}

/// One question, on the new index and on the baseline.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Sides {
    /// The new index.
    pub new: Arc<Runs>,
    /// The baseline, if there is one.
    pub baseline: Option<Arc<Runs>>,
}

impl Sides {
    /// The runs of the side that is measured, if there is one.
    #[must_use]
    pub fn runs(&self, params: &Params) -> Option<&Runs> {
        match params.side {
            Side::New => Some(&self.new),
            Side::Baseline => self.baseline.as_deref(),
        }
    }

    /// The mean of what runs add, over those that count.
    pub fn mean(&self, params: &Params, of: impl Fn(&Verdict) -> Option<Observation>) -> Option<Observation> {
        Observation::mean(self.runs(params)?.verdicts.iter().filter_map(of))
    }

    /// The value of each run that has one.
    pub fn values(&self, params: &Params, into: &mut Vec<f64>, of: impl Fn(&Verdict) -> Option<f64>) {
        into.extend(self.runs(params).into_iter().flat_map(|runs| &runs.verdicts).filter_map(of));
    }
}

/// What the metrics of retrieval are parametrised by.
#[derive(Clone, Copy, Debug)]
pub struct Params {
    /// The cut-off.
    pub k: u32,
    /// What precision at k divides by.
    pub precision: Precision,
    /// The one type of content that counts; `None` for all.
    pub kind: Option<Kind>,
    /// The index that is measured.
    pub side: Side,
}

impl Default for Params {
    fn default() -> Self {
        Params { k: 5, precision: Precision::default(), kind: None, side: Side::default() }
    }
}

impl metrics::Params for Params {
    fn at(self, k: u32) -> Self {
        Params { k, ..self }
    }

    fn of_baseline(self) -> Self {
        Params { side: Side::Baseline, ..self }
    }
}

impl Facts for Sides {
    type Params = Params;

    fn belongs(&self, population: Population) -> bool {
        population == Population::Any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suites::retrieval::judge::section::Section;
    use crate::suites::retrieval::judge::span::Span;
    use crate::suites::retrieval::model::{Relevant, Retrieved};

    /// Two relevant blocks in S.4.2, one of them a table; a negative and one of grade 0.
    fn question() -> Question {
        let relevant =
            |id: &str, grade, kind| Relevant { id: id.into(), grade, kind, span: Span::new(1000, 2000) };
        Question {
            relevant: [relevant("S.4.2.p.Bk1", 2, Kind::Prose), relevant("S.4.2.t.Bk2", 1, Kind::Table)]
                .into(),
            grades: [2, 1].into_iter().collect(),
            kinds: [1, 0, 1, 0, 0],
            negatives: ["S.4.1.p.Bk9".into()].into(),
            nonrelevant: ["S.4.1.p.Bk9".into(), "S.5.p.Bk3".into()].into(),
            anchor: Some("S.04.2".into()),
            ..Question::default()
        }
    }

    fn run(
        retrieved: &[(&'static str, f64)],
        cited: &[(&'static str, u64, u64)],
    ) -> (Verdict, Option<Box<str>>) {
        let retrieved = retrieved.iter().map(|&(id, ds)| Retrieved {
            id: id.into(),
            kind: None,
            delta_s: DeltaS::new(ds),
        });
        let cited =
            cited.iter().map(|&(id, start, end)| Cited { id: Some(id.into()), span: Span::new(start, end) });
        let trace = Trace { retrieved: retrieved.collect(), cited: cited.collect(), ..Trace::default() };
        judge(&question(), &Blocks::default(), &trace, &Rules::default())
    }

    #[test]
    fn a_ranking() {
        let (verdict, place) = run(
            &[("S.4.1.p.Bk9", 0.1), ("S.5.p.Bk3", 0.2), ("S.4.2.c.Bk7", 0.3), ("S.4.2.t.Bk2", 0.5)],
            &[("S.4.2.t.Bk2", 970, 2030)],
        );
        assert_eq!(verdict.ranked.found[..], [Found { rank: 4, grade: 1, nonrelevant_above: 2 }]);
        assert_eq!((verdict.ranked.retrieved, verdict.ranked.nonrelevant), (4, 2));
        assert_eq!(verdict.anchor, Anchor::At(3), "another block of the section");
        assert!(verdict.negative_above);
        assert_eq!(verdict.kinds[..], [Kind::Prose, Kind::Prose, Kind::Code, Kind::Table]);
        let answer = verdict.answer.unwrap();
        assert!(answer.covers && answer.accurate);
        assert_eq!((answer.steps, answer.delta_s.get()), (Some(0), 0.5));
        let (median, p90) = verdict.spread.unwrap();
        assert!((median.get() - 0.25).abs() < 1e-12 && (p90.get() - 0.44).abs() < 1e-12);
        assert_eq!(place.as_deref(), Some("§S.4.2"));
    }

    #[test]
    fn what_is_not_right() {
        let ranked = [("S.4.2.p.Bk1", 0.1), ("S.4.1.p.Bk9", 0.2)];
        let answer = |cited| run(&ranked, cited).0.answer.unwrap();
        let off = answer(&[("S.4.2.p.Bk1", 969, 2000)]);
        assert!(off.covers && !off.accurate, "31 bytes outside");
        let later = answer(&[("S.5.p.Bk3", 1000, 2000), ("S.4.2.p.Bk1", 1000, 2000)]);
        assert!(later.covers && !later.accurate, "the first citation decides accuracy");
        assert_eq!((later.steps, later.delta_s), (Some(3), DeltaS::WORST));
        let unknown = answer(&[("nowhere", 1, 2)]);
        assert_eq!((unknown.covers, unknown.steps), (false, None));
        assert!(!run(&ranked, &[]).0.negative_above && run(&ranked[1..], &[]).0.negative_above);
        assert!(run(&[], &[]).0.answer.is_none() && run(&[], &[]).0.spread.is_none());
    }

    #[test]
    fn a_type_alone() {
        let (verdict, _) = run(&[("S.1.t.Bk5", 0.0), ("S.4.2.t.Bk2", 0.0), ("S.4.2.p.Bk1", 0.0)], &[]);
        let at = |k, kind| Params { k, kind: Some(kind), ..Params::default() };
        assert_eq!(verdict.precision(&at(3, Kind::Table)), Some(Observation::share(1, 2)));
        assert_eq!(verdict.precision(&at(1, Kind::Table)), Some(Observation::share(0, 1)));
        assert_eq!(verdict.precision(&at(2, Kind::Prose)), None);
        assert_eq!(verdict.recall(&at(2, Kind::Table)), Some(Observation::share(1, 1)));
        assert_eq!(verdict.recall(&at(2, Kind::Prose)), Some(Observation::share(0, 1)));
        assert_eq!(verdict.recall(&at(9, Kind::Code)), None);
    }

    #[test]
    fn the_table_beats_the_id() {
        let mut blocks = Blocks::default();
        let block = crate::suites::retrieval::model::Block {
            section: Some("S.9".into()),
            kind: Some(Kind::Code),
            ..Default::default()
        };
        blocks.by_id.insert("S.4.2.p.Bk1".into(), block);
        assert_eq!(blocks.section_of("S.4.2.p.Bk1"), Section::named("S.9"));
        assert_eq!(blocks.kind_of("S.4.2.p.Bk1"), Kind::Code);
        assert_eq!(blocks.kind_of("S.4.2.p.Bk2"), Kind::Prose);
    }
}
