//! MERGE: what do the cases of a set come to, all of them together or a slice?

use std::collections::{BTreeMap, HashMap};

use foldhash::quality::FixedState;
use indexmap::IndexMap;

use crate::interval::Sample;
use crate::metrics::{Facts, Fold, Population};
use crate::score::Score;
use crate::tally::{Cell, Figure, Tally};

/// Cases that are added up together: all of them, or a slice.
///
/// Most cases end in one of a few hundred verdicts, so verdicts are counted, and each is measured once.
#[derive(Debug)]
pub struct Group<V> {
    verdicts: HashMap<V, u64, FixedState>,
    /// The cases with several runs that each count, added up already.
    summed: Vec<Tally>,
    /// Cases in it.
    pub cases: u64,
    /// Gold cases without a trace.
    pub missing: u64,
    rows: [u64; Population::ALL.len()],
    several_runs: bool,
    /// Bootstrap intervals are wanted.
    resample: bool,
}

/// How a case enters a group.
#[derive(Clone, Copy, Debug)]
pub enum Enters<'a> {
    /// By its verdict.
    Verdict,
    /// By the sum of its runs, of which there are so many.
    Runs(&'a Tally, u64),
    /// Not at all: it was left out of every figure.
    Skipped,
}

impl<V: Facts> Group<V> {
    /// Nothing in it yet.
    #[must_use]
    pub fn new(resample: bool) -> Self {
        Group {
            verdicts: HashMap::with_hasher(FixedState::with_seed(0)),
            summed: Vec::new(),
            cases: 0,
            missing: 0,
            rows: [0; Population::ALL.len()],
            several_runs: false,
            resample,
        }
    }

    /// Adds a case.
    pub fn add(&mut self, verdict: &V, enters: Enters<'_>) {
        self.cases += 1;
        for (rows, population) in self.rows.iter_mut().zip(Population::ALL) {
            *rows += u64::from(verdict.belongs(population));
        }
        match enters {
            Enters::Skipped => {}
            Enters::Runs(tally, runs) => {
                self.several_runs |= runs > 1;
                self.summed.push(tally.clone());
            }
            Enters::Verdict => match self.verdicts.get_mut(verdict) {
                Some(count) => *count += 1,
                None => _ = self.verdicts.insert(verdict.clone(), 1),
            },
        }
    }

    /// How many rows of a kind there are.
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
                if let Some(observation) = verdict.measure(figure.metric, &figure.params) {
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

/// All cases together, and by the values of each field that is sliced by.
#[derive(Debug)]
pub struct Groups<V> {
    /// All of them.
    pub all: Group<V>,
    /// By field and value, values sorted, the cases without one last.
    pub slices: Vec<IndexMap<Option<String>, Group<V>>>,
    resample_slices: bool,
}

impl<V: Facts> Groups<V> {
    /// Nothing yet, for so many sliced fields.
    #[must_use]
    pub fn new(fields: usize, resample_slices: bool) -> Self {
        Groups {
            all: Group::new(true),
            slices: (0..fields).map(|_| IndexMap::new()).collect(),
            resample_slices,
        }
    }

    /// Lets `add` enter a case in every group that it belongs to, by its values of each field.
    pub fn each(&mut self, values: &[Box<[Box<str>]>], mut add: impl FnMut(&mut Group<V>)) {
        add(&mut self.all);
        for (groups, values) in self.slices.iter_mut().zip(values) {
            let mut enter = |value: Option<String>| {
                add(groups.entry(value).or_insert_with(|| Group::new(self.resample_slices)));
            };
            if values.is_empty() {
                enter(None);
            }
            for value in values {
                enter(Some(value.to_string()));
            }
        }
    }

    /// Puts the slices in order.
    pub fn sort(&mut self) {
        for groups in &mut self.slices {
            groups.sort_by(|a, _, b, _| (a.is_none(), a).cmp(&(b.is_none(), b)));
        }
    }
}
