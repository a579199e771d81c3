//! Verdicts of `agreement`: do raters agree about an answer, and what becomes of it if they do not?

pub mod calibration;

use smallvec::SmallVec;

pub use super::labels::{Final, Label, Why};
use crate::metrics::{Facts, Population};
use crate::number::Ratio;

/// Decides between a scholar and an auditor by the first rule that applies.
#[must_use]
pub fn arbitrate(scholar: Label, auditor: Label, flagged: bool, in_scope: bool) -> Why {
    match (scholar, auditor) {
        _ if flagged => Why::HardFlag,
        _ if !in_scope => Why::CitationOutOfScope,
        (Label::NotInContext, Label::NotInContext) => Why::AgreedRefusal,
        (_, auditor) if auditor != Label::Valid => Why::AuditorVeto,
        (Label::Valid, _) => Why::AuditorOk,
        (Label::NotInContext, _) => Why::NeedsReview,
        _ => Why::IncoherentPair,
    }
}

/// The labels of all raters for one answer, in the order of the raters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// One label per rater.
    pub labels: SmallVec<[Label; 4]>,
}

impl Verdict {
    /// Whether all labels are equal.
    #[must_use]
    pub fn agrees(&self) -> bool {
        self.labels.iter().all(|label| *label == self.labels[0])
    }

    /// The number of pairs of raters that agree, and the number of pairs.
    #[must_use]
    pub fn pairs(&self) -> (u32, u32) {
        let raters = self.labels.len() as u32;
        let same: u32 = self.counts().into_iter().map(|n| n * n.saturating_sub(1) / 2).sum();
        (same, raters * raters.saturating_sub(1) / 2)
    }

    /// How many raters give each label.
    fn counts(&self) -> [u32; 4] {
        let mut counts = [0; 4];
        self.labels.iter().for_each(|&label| counts[label as usize] += 1);
        counts
    }
}

impl Facts for Verdict {
    type Params = ();

    fn belongs(&self, population: Population) -> bool {
        population == Population::Any
    }
}

/// Cohen's kappa of two raters, Fleiss' of more: agreement beyond what the frequencies of the labels alone would give.
/// `None` if all labels are the same, because chance alone would then always agree.
#[must_use]
pub fn kappa(cases: &[(&Verdict, u64)]) -> Option<Ratio> {
    let raters = cases.first()?.0.labels.len();
    if raters != 2 {
        return fleiss(cases);
    }
    let (mut n, mut same, mut marginals) = (0i128, 0i128, [[0i128; 4]; 2]);
    for (verdict, count) in cases {
        let count = i128::from(*count);
        n += count;
        same += if verdict.agrees() { count } else { 0 };
        for (marginal, &label) in marginals.iter_mut().zip(&verdict.labels) {
            marginal[label as usize] += count;
        }
    }
    let chance: i128 = marginals[0].iter().zip(&marginals[1]).map(|(a, b)| a * b).sum();
    ratio(same * n - chance, n * n - chance)
}

fn fleiss(cases: &[(&Verdict, u64)]) -> Option<Ratio> {
    let Ratings { given, raters, same, by_label } = Ratings::of(cases)?;
    let squares: i128 = by_label.iter().map(|n| n * n).sum();
    let (all, others) = (given * given, raters - 1);
    ratio(same * given - squares * others, (all - squares) * others)
}

/// Gwet's AC1, which does not collapse when one label prevails.
#[must_use]
pub fn ac1(cases: &[(&Verdict, u64)]) -> Option<Ratio> {
    let Ratings { given, raters, same, by_label } = Ratings::of(cases)?;
    let spread: i128 = by_label.iter().map(|n| n * (given - n)).sum();
    let (all, others, labels) = (given * given, raters - 1, Label::ALL.len() as i128 - 1);
    ratio(same * given * labels - spread * others, (all * labels - spread) * others)
}

/// Sums over all ratings.
struct Ratings {
    /// The number of ratings.
    given: i128,
    raters: i128,
    /// The number of ordered pairs of equal ratings of one answer.
    same: i128,
    by_label: [i128; 4],
}

impl Ratings {
    fn of(cases: &[(&Verdict, u64)]) -> Option<Self> {
        let raters = i128::try_from(cases.first()?.0.labels.len()).ok()?;
        let mut sums = Ratings { given: 0, raters, same: 0, by_label: [0; 4] };
        for (verdict, count) in cases {
            let count = i128::from(*count);
            sums.given += count * raters;
            sums.same += count * 2 * i128::from(verdict.pairs().0);
            for (sum, n) in sums.by_label.iter_mut().zip(verdict.counts()) {
                *sum += count * i128::from(n);
            }
        }
        Some(sums)
    }
}

fn ratio(num: i128, den: i128) -> Option<Ratio> {
    if den < 0 { Ratio::new(-num, den.unsigned_abs()) } else { Ratio::new(num, den.unsigned_abs()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdicts(labels: &[(&[Label], u64)]) -> Vec<(Verdict, u64)> {
        labels.iter().map(|(labels, n)| (Verdict { labels: labels.iter().copied().collect() }, *n)).collect()
    }

    fn value(statistic: fn(&[(&Verdict, u64)]) -> Option<Ratio>, labels: &[(&[Label], u64)]) -> Option<f64> {
        let verdicts = verdicts(labels);
        let cases: Vec<(&Verdict, u64)> = verdicts.iter().map(|(verdict, n)| (verdict, *n)).collect();
        statistic(&cases).map(Ratio::to_f64)
    }

    #[test]
    fn published_kappas() {
        use Label::{Abstain as A, NotInContext as N, Reject as R, Valid as V};
        let check = |labels: &[(&[Label], u64)], expected: f64| {
            assert!((value(kappa, labels).unwrap() - expected).abs() < 1e-6, "{labels:?}");
        };
        check(&[(&[V, V], 20), (&[V, R], 5), (&[R, V], 10), (&[R, R], 15)], 0.40);
        check(&[(&[V, V], 60), (&[N, N], 30), (&[R, R], 5), (&[V, R], 3), (&[N, V], 2)], 0.901_845);
        check(&[(&[V, V], 5), (&[R, R], 4), (&[V, R], 1)], 0.8);
        check(&[(&[V, V], 9), (&[A, V], 1)], 0.0);
        assert_eq!(value(kappa, &[(&[V, V], 10)]), None, "all the same");
        assert_eq!(value(kappa, &[]), None);
    }

    #[test]
    fn fleiss_of_two_raters_and_of_three() {
        use Label::{Reject as R, Valid as V};
        // Three raters, four answers: P = (1 + 1 + 1/3 + 1/3) / 4, Pe = (7/12)² + (5/12)².
        let three: &[(&[Label], u64)] = &[(&[V, V, V], 1), (&[R, R, R], 1), (&[V, V, R], 1), (&[V, R, V], 1)];
        let (p, pe) = (2.0 / 3.0, (7f64 / 12.0).powi(2) + (5f64 / 12.0).powi(2));
        assert!((value(kappa, three).unwrap() - (p - pe) / (1.0 - pe)).abs() < 1e-12);
        let gwet = 2.0 * (7.0 / 12.0) * (5.0 / 12.0) / 3.0;
        assert!((value(ac1, three).unwrap() - (p - gwet) / (1.0 - gwet)).abs() < 1e-12);
    }

    #[test]
    fn arbitration_takes_the_first_rule() {
        use Label::{Abstain, NotInContext, Reject, Valid};
        assert_eq!(arbitrate(Valid, Valid, true, false), Why::HardFlag);
        assert_eq!(arbitrate(Valid, Valid, false, false), Why::CitationOutOfScope);
        assert_eq!(arbitrate(NotInContext, NotInContext, false, true), Why::AgreedRefusal);
        assert_eq!(arbitrate(Valid, Reject, false, true), Why::AuditorVeto);
        assert_eq!(arbitrate(Valid, Valid, false, true), Why::AuditorOk);
        assert_eq!(arbitrate(NotInContext, Valid, false, true), Why::NeedsReview);
        assert_eq!(arbitrate(Abstain, Valid, false, true), Why::IncoherentPair);
        assert!(Why::ALL.map(Why::outcome).contains(&Final::Review));
    }

    #[test]
    fn labels_are_read_in_any_case() {
        assert_eq!(Label::parse(" valid "), Some(Label::Valid));
        assert_eq!(Label::parse("Invalid"), Some(Label::Reject));
        assert_eq!(Label::parse("MAYBE"), None);
    }
}
