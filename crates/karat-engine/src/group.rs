//! Groups: all cases together, or one slice, added up and scored.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering};

use foldhash::quality::FixedState;
use indexmap::IndexMap;

use crate::input::scan::on_threads;
use crate::interval::{FEWEST, Part, Sample, jackknife, wilson};
use crate::metrics::{Facts, Fold, Measure, Population, Scale};
use crate::number::{Ratio, Value};
use crate::score::Score;
use crate::tally::{Cell, Figure, Tally, scale};

/// Cases that are added up together: all cases, or one slice.
///
/// Most cases have one of a few hundred verdicts, so equal verdicts are counted and measured once.
#[derive(Debug)]
pub struct Group<V> {
    verdicts: HashMap<V, u64, FixedState>,
    /// Sums of cases in which several runs count.
    summed: Vec<Tally>,
    /// The number of cases.
    pub cases: u64,
    /// Gold cases without a trace.
    pub missing: u64,
    rows: [u64; Population::ALL.len()],
    several_runs: bool,
    /// Whether to compute bootstrap intervals.
    resample: bool,
    /// How many threads may score the group.
    pub threads: usize,
}

/// Groups with fewer cases are scored on one thread: a second one would start too late.
const MANY: u64 = 20_000;

/// How a case enters a group.
#[derive(Clone, Copy, Debug)]
pub enum Contribution<'a> {
    /// With its verdict.
    Verdict,
    /// With the sum of its runs, and their number.
    Runs(&'a Tally, u64),
    /// Not at all, because it is left out of every figure.
    Skipped,
}

impl<V: Facts> Group<V> {
    /// An empty group.
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
            threads: 1,
        }
    }

    /// Adds a case.
    pub fn add(&mut self, verdict: &V, enters: Contribution<'_>) {
        self.count(verdict, 1);
        match enters {
            Contribution::Skipped => {}
            Contribution::Runs(tally, runs) => {
                self.several_runs |= runs > 1;
                self.summed.push(tally.clone());
            }
            Contribution::Verdict => match self.verdicts.get_mut(verdict) {
                Some(count) => *count += 1,
                None => _ = self.verdicts.insert(verdict.clone(), 1),
            },
        }
    }

    /// Adds a number of cases with the same verdict.
    pub fn add_equal(&mut self, verdict: &V, cases: u64) {
        self.count(verdict, cases);
        if cases > 0 {
            *self.verdicts.entry(verdict.clone()).or_default() += cases;
        }
    }

    fn count(&mut self, verdict: &V, cases: u64) {
        self.cases += cases;
        for (rows, population) in self.rows.iter_mut().zip(Population::ALL) {
            *rows += cases * u64::from(verdict.belongs(population));
        }
    }

    /// Marks that a case enters figures more than once, so Wilson's interval would be too narrow.
    pub fn cluster(&mut self) {
        self.several_runs = true;
    }

    /// The number of gold rows of a kind.
    #[must_use]
    pub fn population(&self, kind: Population) -> u64 {
        self.rows[kind as usize]
    }

    /// The score of each figure; `input` has the counts that come from reading the input.
    #[must_use]
    pub fn scores(&self, figures: &[Figure<V>], input: &HashMap<&str, u64>) -> Vec<Score> {
        let score = |(i, figure): (usize, &Figure<V>)| match (figure.metric.fold, figure.metric.measure) {
            (Fold::Input, _) => match (input.get(figure.metric.name), figure.metric.name) {
                (Some(&n), _) => Score::count(n),
                (None, "missing") => Score::count(self.missing),
                (None, _) => Score::UNKNOWN,
            },
            (_, Measure::Given) => Score::UNKNOWN,
            (Fold::Quantile { percent }, _) => self.quantile(figure, percent),
            (Fold::Statistic, _) => self.statistic(figure),
            (_, Measure::Drop(of)) => {
                let now = Figure { metric: *of, ..figure.clone() };
                self.difference(&now.of_baseline(), &now)
            }
            _ => self.sum(i, figure),
        };
        if self.threads < 2 || self.cases < MANY {
            return figures.iter().enumerate().map(score).collect();
        }
        // Each figure has its own random generator, so it does not matter which thread scores it.
        let next = AtomicUsize::new(0);
        let some = || {
            let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
            let taken = numbers.map_while(|i| Some((i, figures.get(i)?)));
            taken.map(|(i, figure)| (i, score((i, figure)))).collect::<Vec<_>>()
        };
        let mut scores =
            on_threads(self.threads.min(figures.len()), some).into_iter().flatten().collect::<Vec<_>>();
        scores.sort_unstable_by_key(|(i, _)| *i);
        scores.into_iter().map(|(_, score)| score).collect()
    }

    /// How much larger each figure is than the baseline's, with its paired interval.
    #[must_use]
    pub fn deltas(&self, figures: &[Figure<V>]) -> Vec<Score> {
        let delta = |figure: &Figure<V>| match figure.metric.fold {
            Fold::Input | Fold::Difference | Fold::Statistic | Fold::Derived => Score::UNKNOWN,
            Fold::Quantile { percent } => {
                let before = self.quantile(&figure.of_baseline(), percent);
                self.quantile(figure, percent).minus(&before, None)
            }
            _ => self.difference(figure, &figure.of_baseline()),
        };
        figures.iter().map(delta).collect()
    }

    fn sum(&self, i: usize, figure: &Figure<V>) -> Score {
        let mut total = Cell::default();
        let mut sample: BTreeMap<[Part; 1], u64> = BTreeMap::new();
        let clustered = figure.metric.fold != Fold::Proportion || self.several_runs;
        let wanted = clustered && self.resample && figure.metric.fold != Fold::Count;
        let mut enter = |cell: Cell, count: u64| {
            total.merge(&cell.times(count));
            if wanted && cell.cases > 0 {
                *sample.entry([(cell.num, cell.den)]).or_default() += count;
            }
        };
        for (verdict, &count) in &self.verdicts {
            enter(Cell::of(verdict, figure), count);
        }
        self.summed.iter().for_each(|tally| enter(tally.cells[i], 1));
        // A bootstrap of identical cases has no width; Wilson's interval of bits still reflects their number.
        let alike = match sample.iter().next() {
            Some(([(num, den)], &n))
                if sample.len() == 1 && n >= FEWEST && figure.metric.scale == Scale::Rate =>
            {
                let whole = u128::from(*den) * u128::from(scale(figure.metric.fold));
                (*num == 0 || *num == whole).then(|| wilson(if *num == 0 { 0 } else { n }, n))
            }
            _ => None,
        };
        let sample = wanted.then(|| Sample::new(sample));
        let score = Score::finish(figure, &total, sample.as_ref());
        Score { ci95: alike.filter(|_| score.ci95.is_some()).or(score.ci95), ..score }
    }

    fn quantile(&self, figure: &Figure<V>, percent: u8) -> Score {
        let mut values = Vec::new();
        for (verdict, &count) in &self.verdicts {
            for _ in 0..count {
                figure.values(verdict, &mut values);
            }
        }
        Score::quantile(values, percent)
    }

    /// A statistic over all cases, with a jackknife interval that leaves out each kind of case once.
    fn statistic(&self, figure: &Figure<V>) -> Score {
        let cases: Vec<(&V, u64)> = self.verdicts.iter().map(|(verdict, &count)| (verdict, count)).collect();
        let n: u64 = cases.iter().map(|(_, count)| count).sum();
        let Measure::Statistic(statistic) = figure.metric.measure else { return Score::UNKNOWN };
        let value = statistic(&cases);
        let without = (0..cases.len()).map(|i| {
            let mut fewer = cases.clone();
            fewer[i].1 -= 1;
            let left = statistic(&fewer).map(Ratio::to_f64);
            (left, cases[i].1)
        });
        let ci95 = value.and_then(|value| jackknife(value.to_f64(), without.collect()));
        Score {
            value: value.map(Value::Exact),
            den: Some(n),
            vacuous: n == 0,
            degenerate: n > 0 && value.is_none(),
            ci95: ci95.filter(|_| self.resample),
            ..Score::UNKNOWN
        }
    }

    /// One figure minus another, on the same cases.
    fn difference(&self, figure: &Figure<V>, other: &Figure<V>) -> Score {
        let mut totals = [Cell::default(); 2];
        let mut sample: BTreeMap<[Part; 2], u64> = BTreeMap::new();
        let wanted = self.resample && figure.metric.fold != Fold::Count;
        for (verdict, &count) in &self.verdicts {
            let cells = [figure, other].map(|figure| Cell::of(verdict, figure));
            for (total, cell) in totals.iter_mut().zip(&cells) {
                total.merge(&cell.times(count));
            }
            if wanted && cells.iter().any(|cell| cell.cases > 0) {
                *sample.entry(cells.map(|cell| (cell.num, cell.den))).or_default() += count;
            }
        }
        let ci95 = wanted.then(|| Sample::new(sample).interval(scale(figure.metric.fold))).flatten();
        Score::finish(figure, &totals[0], None).minus(&Score::finish(other, &totals[1], None), ci95)
    }
}

/// The group of all cases, and the groups of each slice field.
#[derive(Debug)]
pub struct Groups<V> {
    /// All cases.
    pub all: Group<V>,
    /// Groups by field and value; values sorted, cases without a value last.
    pub slices: Vec<IndexMap<Option<String>, Group<V>>>,
    resample_slices: bool,
}

impl<V: Facts> Groups<V> {
    /// Empty groups for `n` slice fields.
    #[must_use]
    pub fn new(fields: usize, resample_slices: bool) -> Self {
        Groups {
            all: Group::new(true),
            slices: (0..fields).map(|_| IndexMap::new()).collect(),
            resample_slices,
        }
    }

    /// Calls `add` for every group that a case belongs to, by its value in each field.
    pub fn each(&mut self, values: &[Box<[Box<str>]>], mut add: impl FnMut(&mut Group<V>)) {
        add(&mut self.all);
        self.each_slice(values, add);
    }

    /// Calls `add` for the slices of a case, without the group of all cases.
    pub fn each_slice(&mut self, values: &[Box<[Box<str>]>], mut add: impl FnMut(&mut Group<V>)) {
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

    /// Sorts the slices.
    pub fn sort(&mut self) {
        for groups in &mut self.slices {
            groups.sort_by(|a, _, b, _| (a.is_none(), a).cmp(&(b.is_none(), b)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{About, Metric, Observation};

    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Toy(u32);

    impl Facts for Toy {
        type Params = ();

        fn belongs(&self, population: Population) -> bool {
            population == Population::Any
        }
    }

    #[test]
    fn threads_score_alike() {
        let mut group = Group::new(true);
        (0..MANY as u32).for_each(|i| group.add(&Toy(i % 7), Contribution::Verdict));
        let metrics: [Metric<Toy>; 3] = [
            Metric::case(&About { name: "rate", ..About::PLAIN }, |toy, ()| {
                Some(Observation::bit(toy.0 > 2))
            }),
            Metric::case(&About { name: "mean", fold: Fold::Mean, ..About::PLAIN }, |toy, ()| {
                Some(Observation::share(toy.0, 7))
            }),
            Metric::case(&About { name: "pooled", fold: Fold::Pooled, ..About::PLAIN }, |toy, ()| {
                Some(Observation::pooled(1, toy.0))
            }),
        ];
        let figures = metrics.map(|metric| Figure { metric, params: (), name: metric.name.into() });
        let told = |group: &Group<Toy>| format!("{:?}", group.scores(&figures, &HashMap::new()));
        let alone = told(&group);
        group.threads = 3;
        assert_eq!(told(&group), alone);
        assert!(alone.contains("ci95: Some"));
    }
}
