//! Scores: the value of a figure, and what it is counted over.

use crate::interval::{self, Sample};
use crate::metrics::{Empty, Facts, Fold};
use crate::number::{Ratio, Value};
use crate::tally::{Cell, Figure, scale};

/// A finished figure.
#[derive(Clone, Debug)]
pub struct Score {
    /// The exact value; `None` if nothing could be measured.
    pub value: Option<Value>,
    /// The numerator, if it is a whole number.
    pub num: Option<u64>,
    /// The denominator; for a quantile, the number of values.
    pub den: Option<u64>,
    /// Whether the denominator is 0, so that the value is the one declared for that.
    pub vacuous: bool,
    /// Whether the figure is undefined because all cases are alike.
    pub degenerate: bool,
    /// If not every sample has the value: how many do, and how many there are.
    pub partial: Option<[u64; 2]>,
    /// The 95 % interval.
    pub ci95: Option<[f64; 2]>,
}

impl Score {
    /// A score without a value: nothing was measured.
    pub const UNKNOWN: Score = Score {
        value: None,
        num: None,
        den: None,
        vacuous: false,
        degenerate: false,
        partial: None,
        ci95: None,
    };

    /// The score of a plain count.
    #[must_use]
    pub fn count(n: u64) -> Score {
        Score { value: Some(Ratio::whole(n).into()), num: Some(n), ..Score::UNKNOWN }
    }

    /// A percentile of these values; no value if there are none.
    #[must_use]
    pub fn quantile(mut values: Vec<f64>, percent: u8) -> Score {
        values.sort_unstable_by(f64::total_cmp);
        let value = interval::percentile(&values, f64::from(percent) / 100.0);
        Score {
            value: (!values.is_empty()).then_some(Value::Double(value)),
            den: Some(values.len() as u64),
            vacuous: values.is_empty(),
            ..Score::UNKNOWN
        }
    }

    /// The difference from another score, with `ci95` as its interval.
    #[must_use]
    pub fn minus(&self, other: &Score, ci95: Option<[f64; 2]>) -> Score {
        let value = self.value.zip(other.value).map(|(mine, theirs)| mine.minus(theirs));
        Score { value, ci95: ci95.filter(|_| value.is_some()), ..Score::UNKNOWN }
    }

    /// Turns a sum into a score. `sample` has the individual cases, if the interval needs them.
    #[must_use]
    pub fn finish<V: Facts>(figure: &Figure<V>, cell: &Cell, sample: Option<&Sample<1>>) -> Score {
        let metric = figure.metric;
        if (metric.off)(&figure.params) {
            return Score::UNKNOWN;
        }
        if matches!(metric.fold, Fold::Count | Fold::Input) {
            if cell.cases == 0 && metric.empty == Empty::Undefined {
                return Score::UNKNOWN;
            }
            return Score::count(u64::try_from(cell.num).unwrap_or(u64::MAX));
        }
        let scale = scale(metric.fold);
        let num = if scale == 1 { u64::try_from(cell.num).ok() } else { None };
        if cell.den == 0 {
            let value = match metric.empty {
                Empty::Zero => Some(Ratio::whole(0).into()),
                Empty::One => Some(Ratio::whole(1).into()),
                Empty::Undefined => None,
            };
            return Score { value, num, den: Some(0), vacuous: true, ..Score::UNKNOWN };
        }
        let value = i128::try_from(cell.num)
            .ok()
            .and_then(|num| Ratio::new(num, u128::from(cell.den) * u128::from(scale)))
            .map(Value::Exact);
        let ci95 = match (sample, metric.fold, num) {
            (Some(sample), _, _) => sample.interval(scale),
            (None, Fold::Proportion, Some(num)) => Some(interval::wilson(num, cell.den)),
            _ => None,
        };
        Score { value, num, den: Some(cell.den), ci95, ..Score::UNKNOWN }
    }
}
