//! What did all the cases come to? One pass over the slots in gold's order.

use std::collections::HashMap;

use indexmap::IndexMap;

use crate::gold::Gold;
use crate::interval::Sample;
use crate::judge::blame;
use crate::judge::outcome;
use crate::judge::{Label, Scu, Stage, Verdict};
use crate::ledger::Entry;
use crate::metrics::{Fold, Population};
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
#[derive(Debug)]
pub struct Settled {
    /// The case's number in gold.
    pub case: u32,
    /// What became of it.
    pub label: Label,
    /// What broke first.
    pub stage: Stage,
    /// The verdict that it is shown by.
    pub verdict: Verdict,
    /// What its traces came to.
    pub entry: Option<Entry>,
    /// It was left out.
    pub skipped: bool,
}

/// Cases that are added up together: all of them, or a slice.
#[derive(Debug)]
pub struct Group {
    tally: Tally,
    /// Gold rows in it.
    pub cases: u64,
    missing: u64,
    rows: [u64; 4],
    several_runs: bool,
    /// For the figures that want it: how many cases added what.
    samples: Vec<Option<HashMap<(u128, u64), u64>>>,
}

impl Group {
    fn new(figures: &[Figure], resample: bool) -> Self {
        let wants = |figure: &Figure| resample && !matches!(figure.metric.fold, Fold::Count | Fold::Input);
        Group {
            tally: Tally::new(figures),
            cases: 0,
            missing: 0,
            rows: [0; 4],
            several_runs: false,
            samples: figures.iter().map(|figure| wants(figure).then(HashMap::new)).collect(),
        }
    }

    fn add(&mut self, settled: &Settled, constrained: bool, figures: &[Figure]) {
        self.cases += 1;
        self.missing += u64::from(settled.entry.is_none());
        let answerable = settled.verdict.answerable;
        self.rows[Population::Any as usize] += 1;
        self.rows[Population::Answerable as usize] += u64::from(answerable);
        self.rows[Population::Unanswerable as usize] += u64::from(!answerable);
        self.rows[Population::Constrained as usize] += u64::from(constrained);
        if settled.skipped {
            return;
        }
        let summed = settled.entry.as_ref().and_then(|entry| entry.tally.as_ref());
        self.several_runs |= summed.is_some() && settled.entry.as_ref().is_some_and(|entry| entry.runs > 1);
        for (i, figure) in figures.iter().enumerate() {
            let cell = match summed {
                Some(tally) => tally.cells[i],
                None => {
                    let mut cell = Cell::default();
                    if let Some(observation) = (figure.metric.measure)(&settled.verdict, &figure.params) {
                        cell.add(observation);
                    }
                    cell
                }
            };
            if cell.cases == 0 {
                continue;
            }
            self.tally.cells[i].merge(&cell);
            if let Some(sample) = &mut self.samples[i] {
                *sample.entry((cell.num, cell.den)).or_default() += 1;
            }
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
            let clustered = figure.metric.fold != Fold::Proportion || self.several_runs;
            let sample = self.samples[i].as_ref().filter(|_| clustered);
            let sample = sample.map(|sample| Sample::new(sample.iter().map(|(&key, &count)| (key, count))));
            Score::finish(figure, &self.tally.cells[i], sample.as_ref())
        };
        figures.iter().enumerate().map(score).collect()
    }
}

/// Everything that the cases came to.
#[derive(Debug)]
pub struct Settlement {
    /// The cases, in gold's order.
    pub cases: Vec<Settled>,
    /// All of them together.
    pub all: Group,
    /// By field and value, values sorted, the cases without one last.
    pub slices: Vec<IndexMap<Option<String>, Group>>,
}

/// What the pass over the slots needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Settling<'a> {
    /// What is counted.
    pub figures: &'a [Figure],
    /// What becomes of a case without a trace.
    pub missing: Missing,
    /// What is done about constraints.
    pub scu: Scu,
    /// Slices want bootstrap intervals too.
    pub resample_slices: bool,
}

impl Settling<'_> {
    /// Settles every case.
    #[must_use]
    pub fn settle(&self, gold: &Gold, entries: Vec<Option<Entry>>) -> Settlement {
        let figures = self.figures;
        let mut all = Group::new(figures, true);
        let mut slices: Vec<IndexMap<Option<String>, Group>> =
            gold.slice_fields.iter().map(|_| IndexMap::new()).collect();
        let mut cases = Vec::with_capacity(entries.len());
        for (i, (case, entry)) in gold.cases.iter().zip(entries).enumerate() {
            let verdict = match &entry {
                Some(entry) => entry.verdict.clone(),
                None => Verdict::missing(case, self.scu),
            };
            let settled = Settled {
                case: i as u32,
                label: outcome::label(&verdict, self.scu),
                stage: blame::stage(&verdict, self.scu),
                skipped: entry.is_none() && self.missing == Missing::Skip,
                verdict,
                entry,
            };
            let constrained = !case.constraints.is_empty();
            all.add(&settled, constrained, figures);
            for (groups, values) in slices.iter_mut().zip(&case.slices) {
                let mut enter = |value: Option<String>| {
                    let group =
                        groups.entry(value).or_insert_with(|| Group::new(figures, self.resample_slices));
                    group.add(&settled, constrained, figures);
                };
                if values.is_empty() {
                    enter(None);
                }
                for value in values {
                    enter(Some(value.to_string()));
                }
            }
            cases.push(settled);
        }
        for groups in &mut slices {
            groups.sort_by(|a, _, b, _| (a.is_none(), a).cmp(&(b.is_none(), b)));
        }
        Settlement { cases, all, slices }
    }
}
