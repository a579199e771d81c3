//! How far apart are two quantiles of the same cases, such as the p95 of their latency?
//!
//! All values of both sides are sorted once; a draw then walks over them and asks of each whose it is.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::interval::{FEWEST, RESAMPLES, SEED, percentile};

/// The values of cases on both sides.
#[derive(Clone, Debug)]
pub struct Values {
    /// Every value, sorted: the value, its case, and whether it is of the new side.
    sorted: Vec<(f64, u32, bool)>,
    /// How many values each case has on either side.
    sizes: Vec<[u32; 2]>,
    /// Where the quantile is taken: 0.95.
    at: f64,
}

impl Values {
    /// The values of each case, base and new; cases without any on both sides are left out.
    #[must_use]
    pub fn new(cases: impl Iterator<Item = (Vec<f64>, Vec<f64>)>, percent: u8) -> Values {
        let (mut sorted, mut sizes) = (Vec::new(), Vec::new());
        for (base, new) in cases.filter(|(base, new)| !(base.is_empty() && new.is_empty())) {
            let case = sizes.len() as u32;
            sizes.push([base.len() as u32, new.len() as u32]);
            sorted.extend(base.into_iter().map(|value| (value, case, false)));
            sorted.extend(new.into_iter().map(|value| (value, case, true)));
        }
        sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        Values { sorted, sizes, at: f64::from(percent) / 100.0 }
    }

    /// How many cases there are.
    #[must_use]
    pub fn cases(&self) -> usize {
        self.sizes.len()
    }

    /// New minus base, with the sides of some cases swapped; `None` where a side has no value.
    pub fn difference(&self, swapped: impl Fn(u32) -> bool) -> Option<f64> {
        self.weighed(|case, new| (1, new != swapped(case))).map(|(base, new)| new - base)
    }

    /// The quantiles of both sides, base and new; `None` where a side has no value.
    #[must_use]
    pub fn both(&self) -> Option<(f64, f64)> {
        self.weighed(|_, new| (1, new))
    }

    /// The quantiles where each value counts so many times, on the side that is said.
    fn weighed(&self, of: impl Fn(u32, bool) -> (u64, bool)) -> Option<(f64, f64)> {
        let mut totals = [0u64; 2];
        for (case, sizes) in self.sizes.iter().enumerate() {
            for new in [false, true] {
                let (times, side) = of(case as u32, new);
                totals[usize::from(side)] += times * u64::from(sizes[usize::from(new)]);
            }
        }
        // Where each side's quantile lies between two of its values.
        let mut wanted = [(0, 0.0, f64::NAN, f64::NAN); 2];
        for (wanted, total) in wanted.iter_mut().zip(totals) {
            let place = self.at * total.checked_sub(1)? as f64;
            *wanted = (place.floor() as u64, place - place.floor(), f64::NAN, f64::NAN);
        }
        let (mut seen, mut open) = ([0u64; 2], 2);
        for &(value, case, new) in &self.sorted {
            let (times, side) = of(case, new);
            let side = usize::from(side);
            let (before, now) = (seen[side], seen[side] + times);
            seen[side] = now;
            let (place, _, low, high) = &mut wanted[side];
            if before <= *place && *place < now {
                *low = value;
            }
            if high.is_nan() && *place + 1 < now {
                *high = value;
                open -= 1;
                if open == 0 {
                    break;
                }
            }
        }
        // At the very end there is no further value, and nothing to go on to.
        let value = |(_, share, low, high): (u64, f64, f64, f64)| {
            if share == 0.0 || high.is_nan() { low } else { low + (high - low) * share }
        };
        Some((value(wanted[0]), value(wanted[1])))
    }

    /// The 95 % interval of new minus base: percentiles of a bootstrap over cases. None under ten cases.
    #[must_use]
    pub fn interval(&self) -> Option<[f64; 2]> {
        if (self.cases() as u64) < FEWEST {
            return None;
        }
        let mut random = Xoshiro256PlusPlus::seed_from_u64(SEED);
        let mut drawn = vec![0u32; self.cases()];
        let mut differences = Vec::with_capacity(RESAMPLES);
        for _ in 0..RESAMPLES {
            drawn.fill(0);
            for _ in 0..drawn.len() {
                let at = (u128::from(random.next_u64()) * drawn.len() as u128) >> 64;
                drawn[at as usize] += 1;
            }
            let both = self.weighed(|case, new| (u64::from(drawn[case as usize]), new));
            differences.extend(both.map(|(base, new)| new - base));
        }
        differences.sort_unstable_by(f64::total_cmp);
        (!differences.is_empty()).then(|| [percentile(&differences, 0.025), percentile(&differences, 0.975)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plainly(mut values: Vec<f64>, percent: u8) -> f64 {
        values.sort_unstable_by(f64::total_cmp);
        percentile(&values, f64::from(percent) / 100.0)
    }

    #[test]
    fn the_walk_is_the_definition() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut next = |n: u64| random.next_u64() % n;
        for _ in 0..300 {
            let some = |next: &mut dyn FnMut(u64) -> u64| {
                (0..next(3)).map(|_| next(20) as f64 / 4.0).collect::<Vec<f64>>()
            };
            let count = next(12) + 1;
            let cases: Vec<(Vec<f64>, Vec<f64>)> =
                (0..count).map(|_| (some(&mut next), some(&mut next))).collect();
            for percent in [0, 25, 50, 95, 100] {
                let values = Values::new(cases.iter().cloned(), percent);
                let base: Vec<f64> = cases.iter().flat_map(|case| case.0.clone()).collect();
                let new: Vec<f64> = cases.iter().flat_map(|case| case.1.clone()).collect();
                let want = (!base.is_empty() && !new.is_empty())
                    .then(|| plainly(new.clone(), percent) - plainly(base.clone(), percent));
                assert_eq!(values.difference(|_| false), want, "{cases:?} {percent}");
                assert_eq!(
                    values.difference(|_| true),
                    want.map(|want| -want),
                    "swapped: {cases:?} {percent}"
                );
            }
        }
    }
}
