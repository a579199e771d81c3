//! Calibration: how well does a rater find what the truth rejects?

use std::collections::BTreeMap;

use super::{Label, Verdict, kappa};
use crate::interval;
use crate::number::{Ratio, Value};
use crate::score::Score;

/// One rater measured against the rater that is taken as right, over the answers that both judged.
#[derive(Clone, Debug, Default)]
pub struct Calibrated {
    /// The number of answers that both judged.
    pub n: u64,
    /// The number of answers that both reject.
    hits: u64,
    /// The number of answers that the rater rejects.
    rejected: u64,
    /// The number of answers that the truth rejects.
    bad: u64,
    /// Kappa: agreement beyond chance.
    kappa: Option<Ratio>,
}

impl Calibrated {
    /// Compares the rater's labels with the true ones, answer by answer.
    #[must_use]
    pub fn of(labels: impl Iterator<Item = (Label, Label)>) -> Self {
        let mut kinds: BTreeMap<(usize, usize), (Verdict, u64)> = BTreeMap::new();
        let mut found = Calibrated::default();
        for (says, is) in labels {
            let (no, bad) = (says == Label::Reject, is == Label::Reject);
            found.n += 1;
            found.hits += u64::from(no && bad);
            found.rejected += u64::from(no);
            found.bad += u64::from(bad);
            let verdict = || Verdict { labels: [says, is].into_iter().collect() };
            kinds.entry((says as usize, is as usize)).or_insert_with(|| (verdict(), 0)).1 += 1;
        }
        let cases: Vec<(&Verdict, u64)> = kinds.values().map(|(verdict, n)| (verdict, *n)).collect();
        found.kappa = kappa(&cases);
        found
    }

    /// Precision: the share of its rejections that are right.
    #[must_use]
    pub fn precision(&self) -> Score {
        share(self.hits, self.rejected)
    }

    /// Recall: the share of true rejections that it finds.
    #[must_use]
    pub fn recall(&self) -> Score {
        share(self.hits, self.bad)
    }

    /// F1: the harmonic mean of precision and recall.
    #[must_use]
    pub fn f1(&self) -> Score {
        Score { ci95: None, ..share(2 * self.hits, self.rejected + self.bad) }
    }

    /// Cohen's kappa of the rater and the truth.
    #[must_use]
    pub fn kappa(&self) -> Score {
        let (value, den) = (self.kappa.map(Value::Exact), Some(self.n));
        Score { value, den, degenerate: value.is_none() && self.n > 0, ..Score::UNKNOWN }
    }
}

/// A proportion with its interval; no value if the denominator is 0.
fn share(num: u64, den: u64) -> Score {
    let value = Ratio::new(num.into(), den.into()).map(Value::Exact);
    let ci95 = value.map(|_| interval::wilson(num, den));
    Score { value, num: Some(num), den: Some(den), vacuous: value.is_none(), ci95, ..Score::UNKNOWN }
}

/// The worst figure of several raters; no value if one of them has none.
#[must_use]
pub fn worst(raters: &[Calibrated], of: fn(&Calibrated) -> Score) -> Score {
    let mut scores = raters.iter().map(of);
    let Some(first) = scores.next() else { return Score::UNKNOWN };
    scores.fold(first, |worst, score| match (worst.value, score.value) {
        (Some(least), Some(value)) if value.minus(least).to_f64() < 0.0 => score,
        (Some(_), None) => score,
        _ => worst,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calibrated(both: usize, only_rater: usize, only_truth: usize, neither: usize) -> Calibrated {
        use Label::{Reject, Valid};
        let some = |says, is, n| std::iter::repeat_n((says, is), n);
        let rejects = some(Reject, Reject, both).chain(some(Reject, Valid, only_rater));
        Calibrated::of(rejects.chain(some(Valid, Reject, only_truth)).chain(some(Valid, Valid, neither)))
    }

    fn values(of: &Calibrated) -> [Option<f64>; 4] {
        [of.precision(), of.recall(), of.f1(), of.kappa()].map(|score| score.value.map(Value::to_f64))
    }

    #[test]
    fn known_figures() {
        assert_eq!(values(&calibrated(3, 1, 2, 4)), [Some(0.75), Some(0.6), Some(6.0 / 9.0), Some(0.4)]);
        // It rejects nothing, and there is nothing to reject.
        assert_eq!(values(&calibrated(0, 0, 2, 4)), [None, Some(0.0), Some(0.0), Some(0.0)]);
        assert_eq!(values(&calibrated(0, 0, 0, 4)), [None; 4]);
        assert!(calibrated(0, 0, 0, 4).kappa().degenerate && calibrated(0, 0, 0, 0).kappa().value.is_none());
    }

    #[test]
    fn the_worst_of_several_counts() {
        let (good, bad, none) = (calibrated(9, 1, 0, 1), calibrated(1, 1, 3, 1), calibrated(0, 0, 1, 1));
        let worst = |raters: &[Calibrated]| worst(raters, Calibrated::precision).value.map(Value::to_f64);
        assert_eq!(worst(&[good.clone(), bad.clone()]), Some(0.5));
        assert_eq!((worst(&[bad, none.clone()]), worst(&[none, good])), (None, None));
        assert_eq!(worst(&[]), None);
    }
}
