//! MERGE: how do the observations of many cases add up, in any order and any split, to the same bits?
//!
//! Everything is whole numbers, so merging has an identity, commutes and associates. That is what lets threads, slices
//! and the partitions of a cluster share one definition.

use crate::judge::retrieval::Side;
use crate::metrics::{Facts, Fold, Metric, Observation, Params};

/// One figure of a report: a metric at its parameters.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The metric.
    pub metric: &'static Metric,
    /// Its parameters.
    pub params: Params,
    /// The name with its cut-off: `recall@5`.
    pub name: String,
}

/// The sum of one figure's observations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The numerators; of a mean in units of 1/[`Observation::UNIT`].
    pub num: u128,
    /// The denominators.
    pub den: u64,
    /// How many observations there were.
    pub cases: u64,
}

impl Figure {
    /// The same figure of the baseline.
    #[must_use]
    pub fn of_baseline(&self) -> Figure {
        Figure { params: Params { side: Side::Baseline, ..self.params }, ..self.clone() }
    }
}

impl Cell {
    /// What one case adds to a figure.
    #[must_use]
    pub fn of<V: Facts>(verdict: &V, figure: &Figure) -> Cell {
        let mut cell = Cell::default();
        if let Some(observation) = verdict.measure(figure.metric, &figure.params) {
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

    /// The sum of so many of these.
    #[must_use]
    pub fn times(self, count: u64) -> Cell {
        Cell { num: self.num * u128::from(count), den: self.den * count, cases: self.cases * count }
    }

    /// Adds another sum.
    #[inline]
    pub fn merge(&mut self, other: &Cell) {
        // A partial from a stranger must not reach an overflow; sums of real cases are nowhere near it.
        self.num = self.num.saturating_add(other.num);
        self.den = self.den.saturating_add(other.den);
        self.cases = self.cases.saturating_add(other.cases);
    }
}

/// Partial sums of every figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// One sum a figure.
    pub cells: Vec<Cell>,
}

impl Tally {
    /// Nothing yet.
    #[must_use]
    pub fn new(figures: &[Figure]) -> Self {
        Tally { cells: vec![Cell::default(); figures.len()] }
    }

    /// Adds one verdict to every figure that counts it.
    pub fn add<V: Facts>(&mut self, verdict: &V, figures: &[Figure]) {
        for (cell, figure) in self.cells.iter_mut().zip(figures) {
            if let Some(observation) = verdict.measure(figure.metric, &figure.params) {
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
