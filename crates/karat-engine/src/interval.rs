//! Two-sided 95 % intervals: how certain is a figure?
//!
//! A proportion over cases gets Wilson's interval. A mean, a pooled ratio, and a figure that counts several runs of one case
//! get a bootstrap over cases (BCa, 2,000 resamples, fixed seed). Only additions, multiplications, square roots and the
//! pure-Rust `libm` are used, so every machine prints the same digits.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The 97.5 % point of the normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;
/// The number of bootstrap resamples.
pub const RESAMPLES: usize = 2000;
/// The seed of the resampling; reports print it.
pub const SEED: u64 = 24;
/// The fewest cases for a bootstrap.
pub const FEWEST: u64 = 10;

/// With more groups than this, cases are drawn one by one.
const MANY: usize = 1000;

/// Wilson's interval for the proportion `num / den`; `den` is not 0.
#[must_use]
pub fn wilson(num: u64, den: u64) -> [f64; 2] {
    let (x, n, z2) = (num as f64, den as f64, Z * Z);
    let centre = (x + z2 / 2.0) / (n + z2);
    let half = Z / (n + z2) * (x * (n - x) / n + z2 / 4.0).sqrt();
    // At the ends the formula gives exactly 0 or 1; rounding must not change that.
    [if num == 0 { 0.0 } else { centre - half }, if num == den { 1.0 } else { centre + half }]
}

/// The total number of cases at which, with the same rate, Wilson's interval of `num / den` would lie entirely on one side of
/// `threshold`; `None` if no number would do.
#[must_use]
pub fn cases_to_decide(num: u64, den: u64, threshold: f64) -> Option<u64> {
    let gap = num as f64 / den as f64 - threshold;
    // Wilson's interval holds p exactly where n (rate - p)² <= z² p (1 - p).
    let needed = Z * Z * threshold * (1.0 - threshold) / (gap * gap);
    (needed.is_finite() && needed > 0.0 && needed < 1e15).then(|| needed.floor() as u64 + 1)
}

/// The numerator and denominator that one case adds to a ratio.
pub type Part = (u128, u64);

/// What cases add to one ratio, or to two ratios compared on the same cases; equal cases are grouped and counted.
#[derive(Clone, Debug, Default)]
pub struct Sample<const N: usize> {
    groups: Vec<([Part; N], u64)>,
}

impl<const N: usize> Sample<N> {
    /// Builds a sample from what each case adds, in any order.
    pub fn new(cases: impl IntoIterator<Item = ([Part; N], u64)>) -> Self {
        let mut groups: Vec<_> = cases.into_iter().collect();
        groups.sort_unstable_by_key(|&(parts, count)| (std::cmp::Reverse(count), parts));
        Sample { groups }
    }

    /// The BCa interval of Σ numerators / Σ denominators / `scale`, or of the first ratio minus the second if there are two.
    #[must_use]
    pub fn interval(&self, scale: u64) -> Option<[f64; 2]> {
        let cases: u64 = self.groups.iter().map(|group| group.1).sum();
        let statistic = |sums: &[(u128, u128); N]| statistic(sums, scale as f64);
        let whole = self.sums(self.groups.iter().map(|group| group.1));
        let value = statistic(&whole)?;
        if cases < FEWEST {
            return None;
        }
        let mut coins = Coins::new(cases);
        let mut drawn = vec![0; self.groups.len()];
        let mut values = Vec::with_capacity(RESAMPLES);
        let one_by_one = (self.groups.len() > MANY).then(|| self.group_of_each());
        for _ in 0..RESAMPLES {
            match &one_by_one {
                Some(groups) => draw_each(groups, &mut coins.random, &mut drawn),
                None => self.draw(cases, &mut coins, &mut drawn),
            }
            values.extend(statistic(&self.sums(drawn.iter().copied())));
        }
        values.sort_unstable_by(f64::total_cmp);
        if values.first() == values.last() {
            return values.first().map(|&v| [v, v]);
        }
        let below = values.iter().filter(|&&v| v < value).count() as f64;
        let equal = values.iter().filter(|&&v| v == value).count() as f64;
        let share = (below + equal / 2.0) / values.len() as f64;
        let least = 0.5 / values.len() as f64;
        let bias = normal_quantile(share.clamp(least, 1.0 - least));
        let skew = self.acceleration(&whole, statistic);
        let corner = |z: f64| {
            let p = normal_cdf(bias + (bias + z) / (1.0 - skew * (bias + z)));
            if p.is_nan() { normal_cdf(z) } else { p }
        };
        Some([percentile(&values, corner(-Z)), percentile(&values, corner(Z))])
    }

    /// Adds with saturation: a foreign partial may contain any number, and real sums are far from the limit.
    fn sums(&self, counts: impl Iterator<Item = u64>) -> [(u128, u128); N] {
        let mut sums = [(0u128, 0u128); N];
        for ((parts, _), count) in self.groups.iter().zip(counts) {
            let times = u128::from(count);
            for ((num, den), part) in sums.iter_mut().zip(parts) {
                *num = num.saturating_add(part.0.saturating_mul(times));
                *den = den.saturating_add(u128::from(part.1) * times);
            }
        }
        sums
    }

    /// The group of each case.
    fn group_of_each(&self) -> Vec<u32> {
        let each = |(group, (_, count)): (usize, &(_, u64))| {
            std::iter::repeat_n(group as u32, usize::try_from(*count).unwrap_or(usize::MAX))
        };
        self.groups.iter().enumerate().flat_map(each).collect()
    }

    /// Draws as many cases as there are, with replacement, and counts them by group.
    fn draw(&self, cases: u64, coins: &mut Coins, drawn: &mut [u64]) {
        let (mut open, mut left) = (cases, cases);
        for (group, count) in self.groups.iter().zip(drawn) {
            *count = if open == group.1 { left } else { binomial(left, group.1, open, coins) };
            left -= *count;
            open -= group.1;
        }
    }

    /// The BCa acceleration, from leaving one case out at a time; equal cases are computed once.
    fn acceleration(
        &self,
        whole: &[(u128, u128); N],
        statistic: impl Fn(&[(u128, u128); N]) -> Option<f64>,
    ) -> f64 {
        let without = |(parts, count): &([Part; N], u64)| {
            let mut rest = *whole;
            for ((num, den), part) in rest.iter_mut().zip(parts) {
                (*num, *den) = (num.saturating_sub(part.0), den.saturating_sub(u128::from(part.1)));
            }
            (statistic(&rest).unwrap_or(0.0), *count as f64)
        };
        let all: Vec<(f64, f64)> = self.groups.iter().map(without).collect();
        let total: f64 = all.iter().map(|(_, weight)| weight).sum();
        let mean = all.iter().map(|(value, weight)| value * weight).sum::<f64>() / total;
        let power = |p: i32| {
            all.iter()
                .map(|(value, weight)| weight * (0..p).fold(1.0, |product, _| product * (mean - value)))
                .sum::<f64>()
        };
        let spread = power(2);
        if spread == 0.0 { 0.0 } else { power(3) / (6.0 * spread * spread.sqrt()) }
    }
}

/// Draws case by case, which is less work than by group if there are nearly as many groups as cases.
fn draw_each(groups: &[u32], random: &mut Xoshiro256PlusPlus, drawn: &mut [u64]) {
    drawn.fill(0);
    for _ in groups {
        let at = (u128::from(random.next_u64()) * groups.len() as u128) >> 64;
        drawn[groups[at as usize] as usize] += 1;
    }
}

/// A ratio, or the difference of two ratios; `None` if a denominator is 0.
fn statistic(sums: &[(u128, u128)], scale: f64) -> Option<f64> {
    let ratio = |(num, den): (u128, u128)| (den > 0).then(|| num as f64 / den as f64 / scale);
    match *sums {
        // With the same denominator one rounding is enough, so equal differences stay equal.
        [(a, den), (b, same)] if den == same => {
            let sign = if a < b { -1.0 } else { 1.0 };
            ratio((a.abs_diff(b), den)).map(|difference| sign * difference)
        }
        [a, b] => Some(ratio(a)? - ratio(b)?),
        [one] => ratio(one),
        _ => None,
    }
}

/// Draws how many of `n` uniform draws fall below `part/whole`. It compares binary digits of all draws with those of the
/// fraction at once; each digit decides half of the remaining draws.
fn binomial(mut n: u64, part: u64, whole: u64, coins: &mut Coins) -> u64 {
    let (mut rest, whole) = (u128::from(part), u128::from(whole));
    let mut below = 0;
    while n > 0 && rest > 0 {
        rest *= 2;
        let digit = rest >= whole;
        if digit {
            rest -= whole;
        }
        let ones = coins.heads(n);
        if digit {
            below += n - ones; // draws with 0 where the fraction has 1 are below it
            n = ones;
        } else {
            n -= ones; // draws with 1 where the fraction has 0 are above it
        }
    }
    below
}

/// Binomial draws of fair coins, from precomputed tables.
struct Coins {
    random: Xoshiro256PlusPlus,
    /// Tables for 2^[`SMALLEST`] coins, twice as many, and so on.
    bags: Vec<Bag>,
}

const SMALLEST: u32 = 8;
const LARGEST: u32 = 20;

/// The distribution of heads among a fixed number of coins.
struct Bag {
    size: u64,
    /// The smallest number of heads in the table.
    least: u64,
    /// Cumulative probabilities, out of 2^64, from that number of heads upwards.
    chances: Vec<u64>,
    /// How many of the probabilities lie below each 256th, to narrow the search.
    below: Vec<u32>,
}

impl Coins {
    /// Builds the tables; `most` is the largest number of coins of one draw.
    fn new(most: u64) -> Self {
        let sizes = (SMALLEST..=LARGEST).map(|power| 1 << power).take_while(|&size| size <= most);
        Coins { random: Xoshiro256PlusPlus::seed_from_u64(SEED), bags: sizes.map(Bag::new).collect() }
    }

    /// Draws how many of `n` coins show heads.
    fn heads(&mut self, mut n: u64) -> u64 {
        let mut ones = 0;
        // One table for each binary digit of `n`, the highest first; the rest is counted in random words.
        while let Some(power) = n.checked_ilog2().and_then(|power| power.min(LARGEST).checked_sub(SMALLEST))
            && let Some(bag) = self.bags.get(power as usize)
        {
            ones += bag.heads(self.random.next_u64());
            n -= bag.size;
        }
        for _ in 0..n / 64 {
            ones += u64::from(self.random.next_u64().count_ones());
        }
        let rest = n % 64;
        if rest > 0 {
            ones += u64::from((self.random.next_u64() >> (64 - rest)).count_ones());
        }
        ones
    }
}

impl Bag {
    /// The distribution of heads among `size` coins, within ten standard deviations of its mean.
    fn new(size: u64) -> Self {
        let reach = (5.0 * (size as f64).sqrt()) as u64;
        let least = size / 2 - reach;
        // From the mean outwards, relative to the weight of the mean; the halves are symmetric.
        let mut weights = vec![1.0];
        for k in 0..reach {
            let (heads, last) = (size / 2 + k, weights.last().copied().unwrap_or(0.0));
            weights.push(last * (size - heads) as f64 / (heads + 1) as f64);
        }
        let all: Vec<f64> = weights.iter().skip(1).rev().chain(&weights).copied().collect();
        let total: f64 = all.iter().sum();
        let mut sum = 0.0;
        let chances = all.iter().map(|weight| {
            sum += weight / total;
            (sum * 18_446_744_073_709_551_616.0) as u64
        });
        let mut chances: Vec<u64> = chances.collect();
        chances.pop(); // whatever is above the last but one is the last
        let below = (0..256).map(|slot| chances.partition_point(|&chance| chance >> 56 < slot) as u32);
        let below = below.chain([chances.len() as u32]).collect();
        Bag { size, least, chances, below }
    }

    /// The number of heads for a random number out of 2^64.
    fn heads(&self, throw: u64) -> u64 {
        let slot = (throw >> 56) as usize;
        let (from, to) = (self.below[slot] as usize, self.below[slot + 1] as usize);
        let below = from + self.chances[from..to].partition_point(|&chance| chance < throw);
        self.least + below as u64
    }
}

/// The quantile `p` of sorted values, by linear interpolation at p·(n − 1).
#[must_use]
pub fn percentile(sorted: &[f64], p: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = p.clamp(0.0, 1.0) * last as f64;
    let low = at.floor() as usize;
    let (from, to) = (sorted[low], sorted[(low + 1).min(last)]);
    from + (to - from) * (at - at.floor())
}

fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// The inverse of [`normal_cdf`], by bisection; 60 steps reach the precision of a double.
fn normal_quantile(p: f64) -> f64 {
    let (mut low, mut high) = (-9.0, 9.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if normal_cdf(middle) < p { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// The normal interval of a jackknife. `without` has, for each kind of case, the statistic without one such case and the
/// number of such cases. `None` with fewer than [`FEWEST`] cases, or if leaving one out makes the statistic undefined.
#[must_use]
pub fn jackknife(value: f64, without: Vec<(Option<f64>, u64)>) -> Option<[f64; 2]> {
    const NORMAL_95: f64 = 1.959_963_984_540_054;
    let n: u64 = without.iter().map(|(_, count)| count).sum();
    if n < FEWEST {
        return None;
    }
    // In an order that does not depend on hashing.
    let mut left: Vec<(f64, u64)> = Vec::with_capacity(without.len());
    for (value, count) in without {
        left.push((value?, count));
    }
    left.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let n = n as f64;
    let mean = left.iter().map(|(value, count)| value * *count as f64).sum::<f64>() / n;
    let squares: f64 =
        left.iter().map(|(value, count)| (value - mean) * (value - mean) * *count as f64).sum();
    let half = NORMAL_95 * ((n - 1.0) / n * squares).sqrt();
    Some([(value - half).max(-1.0), (value + half).min(1.0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: [f64; 2], b: [f64; 2], by: f64) {
        assert!((a[0] - b[0]).abs() < by && (a[1] - b[1]).abs() < by, "{a:?} {b:?}");
    }

    #[test]
    fn wilson_matches_published_values() {
        close(wilson(2, 2), [0.342_380_2, 1.0], 1e-6);
        close(wilson(0, 10), [0.0, 0.277_532_8], 1e-6);
        close(wilson(81, 263), [0.255_289_1, 0.366_232_6], 1e-4);
        close(wilson(10, 12), [0.551_966, 0.953_053], 1e-4);
    }

    #[test]
    fn the_promised_number_of_cases_decides() {
        for (num, den, threshold) in [(10, 12, 0.8), (19, 20, 0.8), (3, 4, 0.8), (1, 50, 0.05), (0, 9, 0.05)]
        {
            let more = cases_to_decide(num, den, threshold).unwrap();
            let scaled = |n: u64| {
                // Wilson's interval at the same rate, whether or not that is a whole number of cases.
                let (p, n, z2) = (num as f64 / den as f64, n as f64, Z * Z);
                let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
                let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
                threshold < centre - half || threshold > centre + half
            };
            assert!(
                scaled(more) && (more < 2 || !scaled(more - 1)),
                "{num}/{den} against {threshold}: {more}"
            );
        }
        assert_eq!(cases_to_decide(8, 10, 0.8), None, "at the threshold itself no number decides");
        assert_eq!(cases_to_decide(9, 10, 1.0), None);
    }

    #[test]
    fn binomial_draws_have_the_right_mean_and_spread() {
        // Below, between and above the sizes of the bags.
        for n in [1000, 5000, 300_000] {
            let mut coins = Coins::new(n);
            let draws = 4000;
            let got: Vec<f64> = (0..draws).map(|_| binomial(n, 3, 10, &mut coins) as f64).collect();
            let mean = got.iter().sum::<f64>() / f64::from(draws);
            let variance = got.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / f64::from(draws);
            let spread = 0.21 * n as f64;
            assert!((mean - 0.3 * n as f64).abs() < 4.0 * (spread / f64::from(draws)).sqrt(), "{n}: {mean}");
            assert!((variance / spread - 1.0).abs() < 0.1, "{n}: {variance}");
        }
    }

    #[test]
    fn bootstrap_brackets_the_mean_as_the_normal_approximation_does() {
        // 400 cases, values 0..=3 of 4: the mean's standard error is known.
        let sample = Sample::new([0, 1, 2, 3].map(|num| ([(num, 1)], 100)));
        let error = (1.25_f64 / 400.0).sqrt() / 4.0;
        close(sample.interval(4).unwrap(), [0.375 - Z * error, 0.375 + Z * error], 0.01);
        assert_eq!(Sample::new([([(1, 1)], 9)]).interval(1), None, "nine cases say nothing");
        assert_eq!(Sample::new([([(1, 1)], 10)]).interval(1), Some([1.0, 1.0]));
    }

    #[test]
    fn many_groups_are_drawn_like_few() {
        let spread = |groups: u128| {
            Sample::new((0..groups).map(|num| ([(num * 4000 / groups, 1)], 4000 / groups as u64)))
        };
        let (few, many) = (spread(1000).interval(4000).unwrap(), spread(4000).interval(4000).unwrap());
        close(few, many, 0.002);
    }

    #[test]
    fn pairs_are_drawn_together() {
        // Both sides vary a lot, and always by the same difference: paired, nothing is uncertain.
        let same = Sample::new([0, 1, 2, 3].map(|num| ([(num + 1, 1), (num, 1)], 25)));
        assert_eq!(same.interval(4), Some([0.25, 0.25]));
        let gain = Sample::new([([(1, 1), (0, 1)], 60), ([(0, 1), (1, 1)], 40)]);
        let [low, high] = gain.interval(1).unwrap();
        assert!(low < 0.2 && 0.2 < high && low > -0.05 && high < 0.45, "{low} {high}");
        let one_sided = Sample::new([([(1, 1), (0, 0)], 20)]);
        assert_eq!(one_sided.interval(1), None, "there is nothing to compare with");
    }

    #[test]
    fn percentiles_of_the_background() {
        let values = [100.0, 200.0, 300.0, 400.0, 1000.0];
        let at = |p| percentile(&values, p);
        close([at(0.5), at(0.9)], [300.0, 760.0], 1e-9);
        close([at(0.95), at(0.99)], [880.0, 976.0], 1e-9);
    }

    #[test]
    fn normal_quantiles() {
        close([normal_quantile(0.975), normal_quantile(0.5)], [Z, 0.0], 1e-12);
    }
}
