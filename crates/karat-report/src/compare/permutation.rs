//! Could chance have made the difference? A paired permutation over cases: if the change did nothing, each case might as
//! well have come out the other way round.
//!
//! Each draw swaps the sides of every case by a coin and takes the difference again. Draws have their own streams, so
//! any number of threads counts the same. Where there are fewer ways to swap than draws, all of them are taken.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::quantile::Values;
use crate::interval::{Part, SEED};
use crate::number::{Ratio, Value};

/// How many times sides are swapped.
pub const DRAWS: u64 = 10_000;

/// With so many cases that differ, there are fewer ways to swap than draws.
const FEW: u64 = 13;

/// What a permutation says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Permutation {
    /// The two-sided p-value.
    pub p: f64,
    /// Every way to swap was taken.
    pub all: bool,
}

impl Permutation {
    /// The name of the test and its p-value.
    pub(super) fn named(self) -> (&'static str, f64) {
        (if self.all { "permutation-all" } else { "permutation" }, self.p)
    }

    /// The share of all ways to swap that are as extreme.
    fn of_all(ways: u64, extreme: impl Fn(u64) -> bool) -> Self {
        let hits = (0..ways).filter(|way| extreme(*way)).count();
        Permutation { p: hits as f64 / ways as f64, all: true }
    }

    /// The share of random draws that are as extreme, what was found counted among them.
    fn of_draws(threads: usize, extreme: impl Fn(u64) -> bool + Sync) -> Self {
        let hits = count_draws(threads, extreme);
        Permutation { p: (hits + 1) as f64 / (DRAWS + 1) as f64, all: false }
    }
}

/// Ratios of sums, base and new: what each kind of case adds on both sides, and how many cases are of that kind.
#[must_use]
pub fn of_ratios(kinds: &[([Part; 2], u64)], threads: usize) -> Option<Permutation> {
    let mut sums = [(0i128, 0i128); 2];
    for (parts, count) in kinds {
        for (sum, part) in sums.iter_mut().zip(parts) {
            sum.0 = sum.0.checked_add(i128::try_from(part.0).ok()?.checked_mul(i128::from(*count))?)?;
            sum.1 += i128::from(part.1) * i128::from(*count);
        }
    }
    let found = difference(sums)?;
    // What a swap moves from base to new; a case that is alike on both sides moves nothing.
    let moves = kinds.iter().filter(|([base, new], _)| base != new).map(|([base, new], count)| {
        let by = |base: u128, new: u128| base as i128 - new as i128;
        (by(base.0, new.0), i128::from(base.1) - i128::from(new.1), *count)
    });
    let moves: Vec<(i128, i128, u64)> = moves.collect();
    let after = |num: i128, den: i128| {
        let [base, new] = sums;
        difference([(base.0 - num, base.1 - den), (new.0 + num, new.1 + den)])
    };
    // Where a side is left with nothing to divide by, nothing speaks against chance.
    // Values that were decimals once may differ by a rounding where they are the same.
    let nearly = found.to_f64() * (1.0 - 1e-12);
    let extreme =
        |found_now: Option<Ratio>| found_now.is_none_or(|now| now >= found || now.to_f64() >= nearly);
    let changing: u64 = moves.iter().map(|(_, _, count)| count).sum();
    if changing <= FEW {
        let each: Vec<(i128, i128)> =
            moves.iter().flat_map(|&(num, den, count)| (0..count).map(move |_| (num, den))).collect();
        return Some(Permutation::of_all(1 << changing, |way| {
            let swapped = each.iter().enumerate().filter(|(i, _)| way >> i & 1 == 1);
            let (num, den) = swapped.fold((0, 0), |sum, (_, by)| (sum.0 + by.0, sum.1 + by.1));
            extreme(after(num, den))
        }));
    }
    // Where values are many, nearly every case is of a kind of its own: 64 of those share a word of coins, and small
    // numbers are added up as such.
    const SMALL: u128 = 1 << 56;
    let lone = |&(num, den, count): &(i128, i128, u64)| {
        count == 1 && num.unsigned_abs() < SMALL && den.unsigned_abs() < SMALL
    };
    let (lone, several): (Vec<_>, Vec<_>) = moves.into_iter().partition(lone);
    let nums: Vec<i64> = lone.iter().map(|(num, _, _)| *num as i64).collect();
    let dens: Vec<i64> = lone.iter().map(|(_, den, _)| *den as i64).collect();
    let dens = if dens.iter().all(|den| *den == 0) { Vec::new() } else { dens };
    Some(Permutation::of_draws(threads, |draw| {
        let mut coins = Coins::new(draw);
        let (mut num, mut den) = (0, 0);
        for (i, cases) in nums.chunks(64).enumerate() {
            let word = coins.random.next_u64();
            num += i128::from(chosen(cases, word));
            let from = i * 64;
            den += dens.get(from..from + cases.len()).map_or(0, |dens| i128::from(chosen(dens, word)));
        }
        for &(by_num, by_den, count) in &several {
            let heads = i128::from(coins.heads(count));
            num += by_num * heads;
            den += by_den * heads;
        }
        extreme(after(num, den))
    }))
}

/// The sum of those of up to 64 numbers whose coin shows heads; all ones or all zeros as a mask, so that nothing branches.
fn chosen(numbers: &[i64], coins: u64) -> i64 {
    numbers.iter().enumerate().map(|(i, number)| number & -((coins >> i & 1) as i64)).sum()
}

/// Quantiles of the values of cases.
#[must_use]
pub fn of_quantiles(values: &Values, threads: usize) -> Option<Permutation> {
    let found = values.difference(|_| false)?.abs();
    // Differences of equal values may differ by a rounding.
    let found = found - 1e-12 * found.max(1.0);
    let words = values.cases().div_ceil(64);
    let extreme = |way: &[u64]| {
        let swapped = |case: u32| way[case as usize / 64] >> (case % 64) & 1 == 1;
        values.difference(swapped).is_none_or(|now| now.abs() >= found)
    };
    if values.cases() as u64 <= FEW {
        return Some(Permutation::of_all(1 << values.cases(), |way| extreme(&[way])));
    }
    Some(Permutation::of_draws(threads, |draw| {
        let mut coins = Coins::new(draw);
        let way: Vec<u64> = (0..words).map(|_| coins.random.next_u64()).collect();
        extreme(&way)
    }))
}

/// How much the two ratios differ, whichever is larger. The scale of a mean changes nothing.
fn difference(sums: [(i128, i128); 2]) -> Option<Ratio> {
    let ratio = |(num, den): (i128, i128)| Ratio::new(num, u128::try_from(den).ok()?);
    let [base, new] = sums;
    let (base, new) = (ratio(base)?, ratio(new)?);
    let (more, less) = if new >= base { (new, base) } else { (base, new) };
    more.minus(less).or_else(|| {
        // More digits than there are: sums of real cases are nowhere near.
        let rounded = Value::Exact(more).minus(Value::Exact(less)).to_f64();
        Ratio::new((rounded * 1e18) as i128, 1_000_000_000_000_000_000)
    })
}

/// How many draws are at least as extreme, by any number of threads.
fn count_draws(threads: usize, extreme: impl Fn(u64) -> bool + Sync) -> u64 {
    let threads = threads.clamp(1, 64) as u64;
    let share =
        |thread: u64| (thread..DRAWS).step_by(threads as usize).filter(|&draw| extreme(draw)).count() as u64;
    if threads == 1 {
        return share(0);
    }
    std::thread::scope(|scope| {
        let share = &share;
        let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(move || share(thread))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or(0)).sum()
    })
}

/// Fair coins, a stream a draw.
struct Coins {
    random: Xoshiro256PlusPlus,
    bits: u64,
    left: u64,
}

impl Coins {
    fn new(draw: u64) -> Self {
        let seed = SEED.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(draw);
        Coins { random: Xoshiro256PlusPlus::seed_from_u64(seed), bits: 0, left: 0 }
    }

    /// How many of `n` coins show heads.
    fn heads(&mut self, n: u64) -> u64 {
        let mut heads = 0;
        for _ in 0..n / 64 {
            heads += u64::from(self.random.next_u64().count_ones());
        }
        let rest = n % 64;
        if self.left < rest {
            (self.bits, self.left) = (self.random.next_u64(), 64);
        }
        heads += u64::from((self.bits & ((1 << rest) - 1)).count_ones());
        self.bits >>= rest;
        self.left -= rest;
        heads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(kinds: &[(u8, u8, u64)]) -> Vec<([Part; 2], u64)> {
        let part = |bit: u8| if bit == 2 { (0, 0) } else { (u128::from(bit), 1) };
        kinds.iter().map(|&(base, new, count)| ([part(base), part(new)], count)).collect()
    }

    #[test]
    fn few_cases_are_taken_every_way() {
        // Three cases broke: of eight ways to swap, two are as extreme.
        let three = of_ratios(&bits(&[(1, 0, 3), (1, 1, 5)]), 1).unwrap();
        assert_eq!(three, Permutation { p: 0.25, all: true });
        assert_eq!(of_ratios(&bits(&[(1, 1, 5)]), 1).unwrap().p, 1.0);
        assert!(of_ratios(&bits(&[(2, 1, 5)]), 1).is_none(), "nothing to divide by on one side");
    }

    #[test]
    fn over_one_denominator_it_is_mcnemar_but_for_the_draws() {
        for (broken, fixed) in [(12, 30), (20, 25), (40, 41)] {
            let kinds = bits(&[(1, 0, broken), (0, 1, fixed), (1, 1, 100)]);
            let drawn = of_ratios(&kinds, 1).unwrap();
            let exact = crate::compare::mcnemar::mcnemar(broken, fixed);
            let error = (exact * (1.0 - exact) / DRAWS as f64).sqrt();
            assert!((drawn.p - exact).abs() < 4.0 * error + 1e-3, "{drawn:?} {exact}");
        }
    }

    #[test]
    fn threads_do_not_matter() {
        let kinds = bits(&[(1, 0, 40), (0, 1, 25), (2, 1, 9), (1, 2, 11), (0, 2, 3)]);
        let one = of_ratios(&kinds, 1);
        assert_eq!(one, of_ratios(&kinds, 2));
        assert_eq!(one, of_ratios(&kinds, 7));
    }

    #[test]
    fn coins_are_fair() {
        let heads: u64 = (0..2000).map(|draw| Coins::new(draw).heads(101)).sum();
        let mean = heads as f64 / 2000.0;
        assert!((mean - 50.5).abs() < 4.0 * (101.0_f64 / 4.0 / 2000.0).sqrt(), "{mean}");
        let mut coins = Coins::new(3);
        let singles: u64 = (0..100_000).map(|_| coins.heads(1)).sum();
        assert!((singles as f64 - 50_000.0).abs() < 4.0 * 158.2, "{singles}");
    }
}
