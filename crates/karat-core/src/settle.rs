//! What did all the cases come to? One pass over the slots in gold's order.

use std::collections::{BTreeMap, HashMap};

use foldhash::quality::FixedState;
use indexmap::IndexMap;

use crate::gold::Gold;
use crate::interval::Sample;
use crate::judge::blame;
use crate::judge::outcome;
use crate::judge::{Label, Scu, Stage, Verdict};
use crate::ledger::Entry;
use crate::metrics::{Fold, Population};
use crate::model::Case;
use crate::score::Score;
use crate::tally::{Cell, Figure, Tally};

/// What becomes of a case without a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// It counts as a shipped empty answer.
    #[default]
    Score,
    /// It is left out of every set, and the gate on it is dropped.
    Skip,
}

/// A case once it is settled.
#[derive(Clone, Copy, Debug)]
pub struct Settled {
    /// The case's number in gold.
    pub case: u32,
    /// What became of it.
    pub label: Label,
    /// What broke first.
    pub stage: Stage,
    /// It has no trace and was left out.
    pub skipped: bool,
}

/// Cases that are added up together: all of them, or a slice.
///
/// Most cases end in one of a few hundred verdicts, so verdicts are counted, and each is measured once.
#[derive(Debug)]
pub struct Group {
    verdicts: HashMap<Verdict, u64, FixedState>,
    /// The cases with several runs that each count, added up already.
    summed: Vec<Tally>,
    /// Gold rows in it.
    pub cases: u64,
    missing: u64,
    rows: [u64; 4],
    several_runs: bool,
    /// Bootstrap intervals are wanted.
    resample: bool,
}

impl Group {
    fn new(resample: bool) -> Self {
        Group {
            verdicts: HashMap::with_hasher(FixedState::with_seed(0)),
            summed: Vec::new(),
            cases: 0,
            missing: 0,
            rows: [0; 4],
            several_runs: false,
            resample,
        }
    }

    fn add(&mut self, case: &Case, verdict: &Verdict, entry: Option<&Entry>, skipped: bool) {
        self.cases += 1;
        self.missing += u64::from(entry.is_none());
        self.rows[Population::Any as usize] += 1;
        self.rows[Population::Answerable as usize] += u64::from(case.answerable);
        self.rows[Population::Unanswerable as usize] += u64::from(!case.answerable);
        self.rows[Population::Constrained as usize] += u64::from(case.constraints().len() > 0);
        if skipped {
            return;
        }
        match entry.and_then(|entry| entry.tally.as_ref().map(|tally| (tally, entry.runs))) {
            Some((tally, runs)) => {
                self.several_runs |= runs > 1;
                self.summed.push((**tally).clone());
            }
            None => match self.verdicts.get_mut(verdict) {
                Some(count) => *count += 1,
                None => _ = self.verdicts.insert(verdict.clone(), 1),
            },
        }
    }

    /// How many gold rows of a kind there are.
    #[must_use]
    pub fn population(&self, kind: Population) -> u64 {
        self.rows[kind as usize]
    }

    /// The score of each figure; `input` are the counts that no verdict makes.
    #[must_use]
    pub fn scores(&self, figures: &[Figure], input: &HashMap<&str, u64>) -> Vec<Score> {
        let score = |(i, figure): (usize, &Figure)| {
            if figure.metric.fold == Fold::Input {
                return match figure.metric.name {
                    "missing" => Score::count(self.missing),
                    name => input.get(name).map_or(Score::UNKNOWN, |&n| Score::count(n)),
                };
            }
            let mut total = Cell::default();
            let mut sample: BTreeMap<(u128, u64), u64> = BTreeMap::new();
            let clustered = figure.metric.fold != Fold::Proportion || self.several_runs;
            let wanted = clustered && self.resample && figure.metric.fold != Fold::Count;
            let mut enter = |cell: Cell, count: u64| {
                total.merge(&cell.times(count));
                if wanted && cell.cases > 0 {
                    *sample.entry((cell.num, cell.den)).or_default() += count;
                }
            };
            for (verdict, &count) in &self.verdicts {
                let mut cell = Cell::default();
                if let Some(observation) = (figure.metric.measure)(verdict, &figure.params) {
                    cell.add(observation);
                }
                enter(cell, count);
            }
            self.summed.iter().for_each(|tally| enter(tally.cells[i], 1));
            let sample = wanted.then(|| Sample::new(sample));
            Score::finish(figure, &total, sample.as_ref())
        };
        figures.iter().enumerate().map(score).collect()
    }
}

/// Everything that the cases came to.
#[derive(Debug)]
pub struct Settlement {
    /// The cases, in gold's order.
    pub cases: Vec<Settled>,
    /// What the traces of each case came to, in gold's order.
    pub entries: Vec<Option<Entry>>,
    /// Shipped claims that all but refuse, and the first such case.
    pub near_refusals: (u64, Option<u32>),
    /// All of them together.
    pub all: Group,
    /// By field and value, values sorted, the cases without one last.
    pub slices: Vec<IndexMap<Option<String>, Group>>,
}

/// What the pass over the slots needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Settling {
    /// What becomes of a case without a trace.
    pub missing: Missing,
    /// What is done about constraints.
    pub scu: Scu,
    /// Slices want bootstrap intervals too.
    pub resample_slices: bool,
}

impl Settling {
    /// Settles every case.
    #[must_use]
    pub fn settle(&self, gold: &Gold, entries: Vec<Option<Entry>>) -> Settlement {
        let mut all = Group::new(true);
        let mut slices: Vec<IndexMap<Option<String>, Group>> =
            gold.slice_fields.iter().map(|_| IndexMap::new()).collect();
        let mut cases = Vec::with_capacity(entries.len());
        let mut near_refusals = (0, None);
        for (number, (case, entry)) in (0..).zip(gold.cases.iter().zip(&entries)) {
            let absent;
            let verdict = match entry {
                Some(entry) => &entry.verdict,
                None => {
                    absent = Verdict::missing(case, self.scu);
                    &absent
                }
            };
            let skipped = entry.is_none() && self.missing == Missing::Skip;
            let (label, stage) = (outcome::label(verdict, self.scu), blame::stage(verdict, self.scu));
            cases.push(Settled { case: number, label, stage, skipped });
            if verdict.near_refusal {
                near_refusals = (near_refusals.0 + 1, near_refusals.1.or(Some(number)));
            }
            all.add(case, verdict, entry.as_ref(), skipped);
            for (groups, values) in slices.iter_mut().zip(&case.slices) {
                let mut enter = |value: Option<String>| {
                    let group = groups.entry(value).or_insert_with(|| Group::new(self.resample_slices));
                    group.add(case, verdict, entry.as_ref(), skipped);
                };
                if values.is_empty() {
                    enter(None);
                }
                for value in values {
                    enter(Some(value.to_string()));
                }
            }
        }
        for groups in &mut slices {
            groups.sort_by(|a, _, b, _| (a.is_none(), a).cmp(&(b.is_none(), b)));
        }
        Settlement { cases, entries, near_refusals, all, slices }
    }
}
