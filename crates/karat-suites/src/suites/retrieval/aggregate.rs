//! Aggregates the runs of each question, and all questions, in one pass in gold's order.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::input::log::{Key, Log, Paraphrase, Run};
use crate::gold::distinct;
use crate::group::{Contribution, Groups};
use crate::suites::retrieval::judge::lambda::{RunPlace, State, converges, derive};
use crate::suites::retrieval::judge::{Runs, Sides, Verdict};
use crate::suites::retrieval::labels::{self, Label, Stage};
use crate::suites::retrieval::model::Question;

/// The result of a question against one index.
pub(super) struct CaseResult {
    pub(super) runs: Arc<Runs>,
    pub(super) label: Label,
    pub(super) stage: Stage,
    /// Seeds whose logged λ is not what the runs show.
    pub(super) conflicts: Vec<Conflict>,
}

/// A group of runs whose logged λ is not what they show.
pub(super) struct Conflict {
    pub(super) seed: i64,
    /// What the log says, each state once.
    logged: Vec<State>,
    pub(super) derived: State,
}

impl Conflict {
    /// The names of the logged states.
    pub(super) fn logged(&self) -> Vec<&'static str> {
        self.logged.iter().map(|state| state.name()).collect()
    }
}

/// The result of every question of a log.
pub(super) fn results(questions: &[Question], log: &Log) -> Vec<CaseResult> {
    questions.iter().zip(&log.runs).map(|(question, runs)| result(question, runs)).collect()
}

fn result(question: &Question, runs: &[(Key, Run)]) -> CaseResult {
    if runs.is_empty() {
        let runs =
            Runs { verdicts: vec![Verdict::missing(question)], missing: true, groups: 1, convergent: 0 };
        return CaseResult::new(runs, Vec::new());
    }
    let mut conflicts = Vec::new();
    let (mut groups, mut convergent) = (0, 0);
    for group in runs.chunk_by(|(a, _), (b, _)| a.seed == b.seed) {
        let places: Vec<RunPlace<'_>> = group.iter().map(|(_, run)| place(run)).collect();
        let derived = derive(&places);
        let asked: BTreeSet<u64> = group.iter().filter_map(|(key, _)| listed(key)).collect();
        groups += 1;
        convergent += u32::from(asked.len() == question.paraphrases.len() && converges(&places, derived));
        let logged = distinct(places.iter().filter_map(|place| place.logged));
        if let Some((key, _)) = group.first().filter(|_| logged.iter().any(|state| *state != derived)) {
            conflicts.push(Conflict { seed: key.seed, logged, derived });
        }
    }
    let verdicts = runs.iter().map(|(_, run)| run.verdict.clone()).collect();
    CaseResult::new(Runs { verdicts, missing: false, groups, convergent }, conflicts)
}

fn place(run: &Run) -> RunPlace<'_> {
    RunPlace { logged: run.lambda, cites: run.verdict.answer.is_some(), arrives: run.arrives.as_deref() }
}

fn listed(key: &Key) -> Option<u64> {
    match key.paraphrase {
        Paraphrase::Listed(number) => Some(number),
        _ => None,
    }
}

impl CaseResult {
    fn new(runs: Runs, conflicts: Vec<Conflict>) -> Self {
        CaseResult {
            label: labels::label(&runs),
            stage: labels::stage(&runs),
            runs: Arc::new(runs),
            conflicts,
        }
    }

    /// A topic of a TREC run: a ranking, of which nothing else is known.
    pub(super) fn of_ranking(runs: Runs) -> Self {
        let (label, stage) = labels::of_ranking(&runs);
        CaseResult { label, stage, runs: Arc::new(runs), conflicts: Vec::new() }
    }
}

/// Questions that are left out where they were not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// They count 0.
    Count,
    /// They are left out, as trec_eval does.
    Skip,
}

/// Adds all questions up, together and by slices.
pub(super) fn groups<'a>(
    slices: impl Iterator<Item = &'a [Box<[Box<str>]>]>,
    fields: usize,
    new: &[CaseResult],
    baseline: Option<&[CaseResult]>,
    missing: Missing,
    resample_slices: bool,
) -> Groups<Sides> {
    let mut groups = Groups::new(fields, resample_slices);
    for (number, (values, result)) in slices.zip(new).enumerate() {
        let baseline = baseline.and_then(|baseline| baseline.get(number)).map(|result| result.runs.clone());
        // A topic that either run has is one of both: what a run lacks of it counts 0.
        let nowhere = result.runs.missing && baseline.as_ref().is_none_or(|runs| runs.missing);
        let skipped = nowhere && missing == Missing::Skip;
        let sides = Sides { new: result.runs.clone(), baseline };
        groups.each(values, |group| {
            group.missing += u64::from(result.runs.missing);
            group.add(&sides, if skipped { Contribution::Skipped } else { Contribution::Verdict });
        });
    }
    groups.sort();
    groups
}
