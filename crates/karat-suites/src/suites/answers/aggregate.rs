//! Aggregates the results of all cases, in one pass over the slots in gold's order.

use foldhash::quality::FixedState;
use indexmap::IndexMap;

use crate::gold::Gold;
use crate::group::{Contribution, Groups};
use crate::judge::{Label, Packed, Scu, Stage, Verdict};
use crate::ledger::Entry;
use crate::suites::answers::labels;

/// How a case without a trace is treated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// It counts as a shipped empty answer.
    #[default]
    Score,
    /// It is left out of every set, and `missing` is not gated.
    Skip,
}

/// The result of one case.
#[derive(Clone, Copy, Debug)]
pub struct CaseResult {
    /// The case's number in gold.
    pub case: u32,
    /// The label of the case.
    pub label: Label,
    /// The stage that broke first.
    pub stage: Stage,
    /// Whether the case has no trace and was left out.
    pub skipped: bool,
}

/// The results of all cases.
#[derive(Debug)]
pub struct Aggregate {
    /// The cases, in gold's order.
    pub cases: Vec<CaseResult>,
    /// The ledger entry of each case, in gold's order.
    pub entries: Vec<Option<Entry>>,
    /// The number of shipped claims that are nearly a refusal, and the first such case.
    pub near_refusals: (u64, Option<u32>),
    /// The number of cases of each kind.
    pub counts: Counts,
    /// The group of all cases, and the slices.
    pub groups: Groups<Verdict>,
}

/// The number of cases of each kind, without those that are left out of every figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    ends: [[u64; Stage::ALL.len()]; Label::ALL.len()],
    /// Cases whose trace is not an error.
    pub traced: u64,
    /// Answerable cases among them.
    pub answerable: u64,
    /// Answerable cases with evidence among the first `k` chunks, or without gold citations.
    pub found: u64,
}

impl Counts {
    /// The number of cases with this label that broke at this stage.
    #[must_use]
    pub fn both(&self, label: Label, stage: Stage) -> u64 {
        self.ends[label as usize][stage as usize]
    }

    /// The number of cases with this label.
    #[must_use]
    pub fn label(&self, label: Label) -> u64 {
        self.ends[label as usize].iter().sum()
    }

    /// Each label that occurs, with its number of cases.
    #[must_use]
    pub fn labels(&self) -> IndexMap<String, u64> {
        occurring(Label::ALL.map(|label| (label.name(), self.label(label))))
    }

    /// Each stage that occurs, with the number of cases that broke there.
    #[must_use]
    pub fn stages(&self) -> IndexMap<String, u64> {
        let broken = |stage| Label::ALL.iter().map(|&label| self.both(label, stage)).sum();
        occurring(Stage::ALL.map(|stage| (stage.name(), broken(stage))))
    }

    fn add(&mut self, verdict: &Verdict, label: Label, stage: Stage, cases: u64, k: u32) {
        self.ends[label as usize][stage as usize] += cases;
        if verdict.traced() {
            let near = verdict.gold == 0 || verdict.ranks.first().is_some_and(|rank| rank <= k);
            self.traced += cases;
            self.answerable += cases * u64::from(verdict.answerable);
            self.found += cases * u64::from(verdict.answerable && near);
        }
    }
}

/// The counts that are not 0, by name.
fn occurring(counts: impl IntoIterator<Item = (&'static str, u64)>) -> IndexMap<String, u64> {
    counts.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| (name.to_owned(), n)).collect()
}

/// The settings of the aggregation.
#[derive(Clone, Copy, Debug)]
pub struct Aggregation {
    /// How a case without a trace is treated.
    pub missing: Missing,
    /// How constraints are treated.
    pub scu: Scu,
    /// Whether slices get bootstrap intervals too.
    pub resample_slices: bool,
    /// How many of the first chunks [`Counts::found`] looks at.
    pub k: u32,
    /// The number of threads.
    pub threads: usize,
}

impl Aggregation {
    /// Aggregates every case.
    #[must_use]
    pub fn aggregate(&self, gold: &Gold, entries: Vec<Option<Entry>>) -> Aggregate {
        let mut groups = Groups::new(gold.slice_fields.len(), self.resample_slices);
        let mut cases = Vec::with_capacity(entries.len());
        let (mut near_refusals, mut counts) = ((0, None), Counts::default());
        let mut kinds = IndexMap::with_hasher(FixedState::with_seed(0));
        for (number, (case, entry)) in (0..).zip(gold.cases.iter().zip(&entries)) {
            let missing = entry.is_none().then(|| Packed::from(Verdict::missing(case, self.scu)));
            let Some(packed) = missing.as_ref().or(entry.as_ref().map(|entry| &entry.packed)) else {
                continue;
            };
            let at = match kinds.get_index_of(packed) {
                Some(at) => at,
                None => kinds.insert_full(packed.clone(), Kind::new(packed.verdict(), self.scu)).0,
            };
            let kind = &mut kinds[at];
            let skipped = entry.is_none() && self.missing == Missing::Skip;
            cases.push(CaseResult { case: number, label: kind.label, stage: kind.stage, skipped });
            if kind.verdict.near_refusal {
                near_refusals = (near_refusals.0 + 1, near_refusals.1.or(Some(number)));
            }
            kind.counted += u64::from(!skipped);
            let missing = u64::from(entry.is_none());
            groups.all.missing += missing;
            let enters = match entry.as_ref().and_then(|entry| Some((entry.tally()?, entry.runs.into()))) {
                _ if skipped => Contribution::Skipped,
                Some((tally, runs)) => Contribution::Runs(tally, runs),
                None => Contribution::Verdict,
            };
            match enters {
                Contribution::Verdict => kind.entered += 1,
                _ => groups.all.add(&kind.verdict, enters),
            }
            groups.each_slice(&case.slices, |group| {
                group.missing += missing;
                group.add(&kind.verdict, enters);
            });
        }
        for Kind { verdict, label, stage, counted, entered } in kinds.values() {
            counts.add(verdict, *label, *stage, *counted, self.k);
            groups.all.add_equal(verdict, *entered);
        }
        groups.sort();
        groups.all.threads = self.threads;
        Aggregate { cases, entries, near_refusals, counts, groups }
    }
}

/// Cases with the same result: most of a set have one of a few hundred verdicts, and each is processed once.
struct Kind {
    verdict: Verdict,
    label: Label,
    stage: Stage,
    /// How many cases were not left out, and how many enter figures with their verdict.
    counted: u64,
    entered: u64,
}

impl Kind {
    fn new(verdict: Verdict, scu: Scu) -> Self {
        let (label, stage) = (labels::label(&verdict, scu), labels::stage(&verdict, scu));
        Kind { verdict, label, stage, counted: 0, entered: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_count() {
        assert!((0..).zip(Label::ALL).all(|(at, label)| label as usize == at));
        assert!((0..).zip(Stage::ALL).all(|(at, stage)| stage as usize == at));
    }
}
