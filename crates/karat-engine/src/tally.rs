//! Tallies: sums of observations that give the same bits in any order and any split.
//!
//! All sums are whole numbers, so merging is associative and commutative and has an identity. Threads, slices and the
//! partitions of a cluster therefore share one definition.

use crate::metrics::{Facts, Fold, Measure, Metric, Observation, Params};

/// One figure of a report: a metric with its parameters.
#[derive(Clone, Debug)]
pub struct Figure<V: Facts> {
    /// The metric.
    pub metric: Metric<V>,
    /// The parameters of the metric.
    pub params: V::Params,
    /// The name with its cut-off: `recall@5`.
    pub name: String,
}

/// The sum of one figure's observations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The sum of numerators; for a mean in units of 1/[`Observation::UNIT`].
    pub num: u128,
    /// The sum of denominators.
    pub den: u64,
    /// How many observations there were.
    pub cases: u64,
}

impl<V: Facts> Figure<V> {
    /// This figure, of the baseline.
    #[must_use]
    pub fn of_baseline(&self) -> Self {
        Figure { params: self.params.of_baseline(), ..self.clone() }
    }

    /// What a case adds; `None` if it does not count.
    #[inline]
    pub fn measure(&self, verdict: &V) -> Option<Observation> {
        match self.metric.measure {
            Measure::Case(of) => of(verdict, &self.params),
            _ => None,
        }
    }

    /// The values that a case adds to a quantile.
    pub fn values(&self, verdict: &V, into: &mut Vec<f64>) {
        if let Measure::Values(of) = self.metric.measure {
            of(verdict, &self.params, into);
        }
    }
}

impl Cell {
    /// What one case adds to a figure.
    #[must_use]
    pub fn of<V: Facts>(verdict: &V, figure: &Figure<V>) -> Cell {
        let mut cell = Cell::default();
        if let Some(observation) = figure.measure(verdict) {
            cell.add(observation);
        }
        cell
    }

    /// Adds one observation.
    #[inline]
    pub fn add(&mut self, observation: Observation) {
        self.num += observation.num;
        self.den += observation.den;
        self.cases += 1;
    }

    /// The sum of `n` such observations.
    #[must_use]
    pub fn times(self, count: u64) -> Cell {
        Cell { num: self.num * u128::from(count), den: self.den * count, cases: self.cases * count }
    }

    /// Adds another sum.
    #[inline]
    pub fn merge(&mut self, other: &Cell) {
        // A foreign partial must not cause an overflow; sums of real cases are far from it.
        self.num = self.num.saturating_add(other.num);
        self.den = self.den.saturating_add(other.den);
        self.cases = self.cases.saturating_add(other.cases);
    }
}

/// Partial sums of every figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// One sum per figure.
    pub cells: Vec<Cell>,
}

impl Tally {
    /// An empty tally.
    #[must_use]
    pub fn new<V: Facts>(figures: &[Figure<V>]) -> Self {
        Tally { cells: vec![Cell::default(); figures.len()] }
    }

    /// Adds one verdict to every figure that counts it.
    pub fn add<V: Facts>(&mut self, verdict: &V, figures: &[Figure<V>]) {
        for (cell, figure) in self.cells.iter_mut().zip(figures) {
            if let Some(observation) = figure.measure(verdict) {
                cell.add(observation);
            }
        }
    }

    /// Adds another tally of the same figures.
    pub fn merge(&mut self, other: &Tally) {
        for (mine, theirs) in self.cells.iter_mut().zip(&other.cells) {
            mine.merge(theirs);
        }
    }
}

/// The scale of a figure's numerator.
#[must_use]
pub fn scale(fold: Fold) -> u64 {
    if fold == Fold::Mean { Observation::UNIT } else { 1 }
}
