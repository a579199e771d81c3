//! Ranking measures: how good is one ranking, judged by the relevant ids?
//!
//! [`Ranked`] holds what a ranking shows about one question; each measure is one small function of it, by trec_eval's rules.
//! Counts are exact; fractions are sums in [`Observation::UNIT`]ths; logarithms come from a fixed table. A question
//! without a relevant id measures 0 everywhere.

use smallvec::SmallVec;

use crate::metrics::Observation;
use crate::suites::answers::metrics::ndcg_at_k::discount;

/// The places of one question's relevant ids in one ranking: everything that a ranking measure may see.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ranked {
    /// The number of ids returned.
    pub retrieved: u32,
    /// Relevant ids that were returned, by rank.
    pub found: SmallVec<[Found; 4]>,
    /// The grades of all relevant ids, highest first.
    pub grades: SmallVec<[u32; 4]>,
    /// The number of ids that gold judged as not relevant.
    pub nonrelevant: u32,
}

/// A relevant id that was returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Found {
    /// The rank, from 1.
    pub rank: u32,
    /// The grade, from 1.
    pub grade: u32,
    /// The number of ids above it that gold judged as not relevant.
    pub nonrelevant_above: u32,
}

impl Ranked {
    /// How many ids are relevant.
    #[must_use]
    pub fn relevant(&self) -> u32 {
        self.grades.len() as u32
    }

    /// How many relevant ids are among the first `k`.
    #[must_use]
    pub fn hits(&self, k: u32) -> u32 {
        self.found.partition_point(|found| found.rank <= k) as u32
    }

    /// Precision at `k`; unfilled places count as misses.
    #[must_use]
    pub fn precision(&self, k: u32) -> Observation {
        fraction(self.hits(k), k)
    }

    /// Precision among the first `k` ids that were actually returned; 0 if there are none.
    #[must_use]
    pub fn precision_of_returned(&self, k: u32) -> Observation {
        fraction(self.hits(k), k.min(self.retrieved))
    }

    /// The share of the relevant ids that is among the first `k`.
    #[must_use]
    pub fn recall(&self, k: u32) -> Observation {
        fraction(self.hits(k), self.relevant())
    }

    /// Whether a relevant id is among the first `k`.
    #[must_use]
    pub fn success(&self, k: u32) -> Observation {
        fraction(self.hits(k).min(1), 1)
    }

    /// One over the rank of the first relevant id.
    #[must_use]
    pub fn reciprocal_rank(&self) -> Observation {
        self.found.first().map_or(fraction(0, 1), |found| fraction(1, found.rank))
    }

    /// The mean over all relevant ids of the precision at their ranks, 0 for those that were not returned.
    #[must_use]
    pub fn average_precision(&self) -> Observation {
        let precisions = self.found.iter().zip(1..).map(|(found, hits)| fraction(hits, found.rank).num);
        let sum: u128 = precisions.sum();
        let relevant = u128::from(self.relevant());
        // A mean of parts of UNIT, rounded once more; it cannot pass UNIT, as no precision does.
        let mean = (sum + relevant / 2).checked_div(relevant).unwrap_or(0);
        Observation { num: mean, den: 1 }
    }

    /// R-precision: precision at as many places as there are relevant ids.
    #[must_use]
    pub fn r_precision(&self) -> Observation {
        self.recall(self.relevant())
    }

    /// nDCG at `k`: the gain is the grade, the discount log2(rank + 1); the ideal ranking has all relevant ids first, best first.
    #[must_use]
    pub fn ndcg_at(&self, k: u32) -> Observation {
        let gain = |grade: u32, rank: u32| u128::from(grade) * discount(rank);
        let within = &self.found[..self.hits(k) as usize];
        let dcg: u128 = within.iter().map(|found| gain(found.grade, found.rank)).sum();
        let ideal: u128 = self.grades.iter().zip(1..=k).map(|(&grade, rank)| gain(grade, rank)).sum();
        // Only absurd grades need more than 64 bits; the quotient keeps 63 significant ones.
        let spare = (128 - ideal.leading_zeros()).saturating_sub(64);
        Observation::fraction(dcg >> spare, ideal >> spare)
    }

    /// [`Ranked::ndcg_at`] over the whole ranking.
    #[must_use]
    pub fn ndcg(&self) -> Observation {
        self.ndcg_at(u32::MAX)
    }

    /// bpref: how rarely an id judged as not relevant is above a relevant one. Ids that nobody judged do not count.
    #[must_use]
    pub fn bpref(&self) -> Observation {
        let relevant = u64::from(self.relevant());
        let pairs = relevant.min(u64::from(self.nonrelevant)).max(1);
        let kept = |found: &Found| u128::from(pairs.saturating_sub(found.nonrelevant_above.into()));
        let kept: u128 = self.found.iter().map(kept).sum();
        Observation::fraction(kept, u128::from(pairs) * u128::from(relevant))
    }
}

/// A fraction of at most 1; 0 if the denominator is 0.
fn fraction(num: u32, den: u32) -> Observation {
    Observation::fraction(num.into(), den.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked(retrieved: u32, found: &[(u32, u32, u32)], grades: &[u32], nonrelevant: u32) -> Ranked {
        let found =
            found.iter().map(|&(rank, grade, nonrelevant_above)| Found { rank, grade, nonrelevant_above });
        Ranked { retrieved, found: found.collect(), grades: grades.iter().copied().collect(), nonrelevant }
    }

    #[track_caller]
    fn check(got: Observation, num: u128, den: u128) {
        assert_eq!(got, Observation::fraction(num, den));
    }

    /// Seven returned; relevant ids at 1, 3 and 6, a fourth one missed; two judged misses, at 2 and 5.
    fn example() -> Ranked {
        ranked(7, &[(1, 1, 0), (3, 2, 1), (6, 1, 2)], &[3, 2, 1, 1], 2)
    }

    #[test]
    fn counts_by_hand() {
        let ranked = example();
        check(ranked.precision(5), 2, 5);
        check(ranked.precision(10), 3, 10);
        check(ranked.precision_of_returned(5), 2, 5);
        check(ranked.precision_of_returned(10), 3, 7);
        check(ranked.recall(1), 1, 4);
        check(ranked.recall(100), 3, 4);
        check(ranked.reciprocal_rank(), 1, 1);
        check(ranked.average_precision(), 6 + 4 + 3, 6 * 4); // (1/1 + 2/3 + 3/6) / 4
        check(ranked.r_precision(), 2, 4);
        check(ranked.bpref(), 2 + 1, 2 * 4); // (1 + (1 - 1/2) + (1 - 2/2)) / 4
        check(ranked.success(1), 1, 1);
        check(super::tests::ranked(3, &[(3, 1, 0)], &[1], 0).success(2), 0, 1);
    }

    #[test]
    fn gains_by_hand() {
        let value = |o: Observation| o.num as f64 / Observation::UNIT as f64;
        let log = |rank: f64| (rank + 1.0).log2();
        let (dcg, ideal) = (1.0 + 2.0 / log(3.0), 3.0 + 2.0 / log(2.0) + 1.0 / log(3.0));
        assert!((value(example().ndcg_at(3)) - dcg / ideal).abs() < 1e-11);
        let (dcg, ideal) = (dcg + 1.0 / log(6.0), ideal + 1.0 / log(4.0));
        assert!((value(example().ndcg()) - dcg / ideal).abs() < 1e-11);
        assert_eq!(example().ndcg_at(1000), example().ndcg());
    }

    #[test]
    fn the_ideal_ranking_is_exactly_one() {
        for relevant in [1, 2, 47, 1000, 3000] {
            let found: Vec<_> = (1..=relevant).map(|rank| (rank, 1 + (relevant - rank) / 7, 0)).collect();
            let grades: Vec<_> = found.iter().map(|found| found.1).collect();
            let ranked = ranked(relevant, &found, &grades, 5);
            for one in [ranked.average_precision(), ranked.r_precision(), ranked.ndcg(), ranked.bpref()] {
                check(one, 1, 1);
            }
            check(ranked.ndcg_at(10), 1, 1);
        }
    }

    #[test]
    fn bpref_counts_only_as_many_misses_as_there_are_relevant_ids() {
        check(ranked(9, &[(1, 1, 0), (9, 1, 7)], &[1, 1], 30).bpref(), 1, 2);
        check(ranked(9, &[(2, 1, 1), (9, 1, 7)], &[1, 1], 30).bpref(), 1, 4);
        check(ranked(1, &[(1, 1, 0)], &[1, 1], 0).bpref(), 1, 2);
    }

    #[test]
    fn nothing_is_nothing() {
        for ranked in [Ranked::default(), ranked(10, &[], &[], 4), ranked(0, &[], &[1, 1], 4)] {
            let r = &ranked;
            let at_five = [r.precision(5), r.precision_of_returned(5), r.recall(5), r.success(5)];
            let whole = [r.reciprocal_rank(), r.average_precision(), r.r_precision(), r.ndcg(), r.bpref()];
            for zero in at_five.into_iter().chain(whole).chain([r.precision(0), r.ndcg_at(0)]) {
                check(zero, 0, 1);
            }
        }
    }

    #[test]
    fn absurd_grades_do_not_overflow() {
        let found: Vec<_> = (1..=5000).map(|rank| (rank * 2, u32::MAX, u32::MAX)).collect();
        let ranked = ranked(u32::MAX, &found, &vec![u32::MAX; 5000], u32::MAX);
        let unit = u128::from(Observation::UNIT);
        assert!((unit / 2 + 1..unit).contains(&ranked.ndcg().num));
        check(ranked.bpref(), 0, 1);
    }
}
