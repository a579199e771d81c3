//! Percentiles of decimals, exact to the last digit.
//!
//! p95 of 100, 200, 300, 400 and 1000 is 880, and not 879.9999999999999: times are used as the decimals that they were written
//! as, and interpolating between two decimals at a whole number of hundredths gives a decimal again. ΔS is a double by
//! definition and uses [`crate::interval::percentile`].

use crate::number::{Decimal, Value};

/// A percentile of sorted values, by linear interpolation at p/100·(n − 1); `None` if there are none.
#[must_use]
pub fn at(sorted: &[f64], percent: u8) -> Option<Value> {
    let last = sorted.len().checked_sub(1)?;
    let way = last as u128 * u128::from(percent.min(100));
    let low = (way / 100) as usize;
    Some(between(sorted[low], sorted[(low + 1).min(last)], (way % 100) as u8))
}

/// The value `n` hundredths of the way from one value to another.
fn between(low: f64, high: f64, hundredths: u8) -> Value {
    let exactly = || Decimal::nearest(low)?.towards(Decimal::nearest(high)?, hundredths);
    // Doubles are used only for values with more digits than a decimal can hold.
    let share = f64::from(hundredths) / 100.0;
    exactly().map_or(Value::Double(low + (high - low) * share), |found| Value::Exact(found.ratio()))
}

/// The sum of values as the decimals that they print as: 0.1 and 0.2 make 0.3.
#[must_use]
pub fn sum(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let exactly = values.clone().try_fold(Decimal::ZERO, |sum, value| sum.plus(Decimal::nearest(value)?));
    exactly.map_or_else(|| values.fold(0.0, |sum, value| sum + value), Decimal::to_f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(sorted: &[f64], percent: u8) -> String {
        at(sorted, percent).unwrap().to_f64().to_string()
    }

    #[test]
    fn known_percentiles_are_exact() {
        let values = [100.0, 200.0, 300.0, 400.0, 1000.0];
        let found = [0, 50, 90, 95, 99, 100].map(|percent| shown(&values, percent));
        assert_eq!(found, ["100", "300", "760", "880", "976", "1000"]);
        assert_eq!(shown(&[0.1, 0.2, 0.4], 95), "0.38");
        assert_eq!(shown(&[7.0], 99), "7");
        assert!(at(&[], 95).is_none());
        let p95 = at(&values, 95).unwrap();
        assert_eq!(p95.against(Decimal::parse("880").unwrap()), std::cmp::Ordering::Equal);
    }

    #[test]
    fn what_has_too_many_digits_is_a_double() {
        let found = at(&[1e-30, 3e-30], 50).unwrap();
        assert!(matches!(found, Value::Double(_)) && (found.to_f64() - 2e-30).abs() < 1e-40);
        assert!(at(&[0.0, f64::MAX], 100).unwrap().to_f64() == f64::MAX);
    }

    #[test]
    fn sums_of_decimals() {
        assert_eq!(sum([0.1, 0.2].into_iter()).to_string(), "0.3");
        assert_eq!(sum([1e-30, 1.0].into_iter()), 1.0);
        assert_eq!(sum(std::iter::empty()), 0.0);
    }

    proptest! {
        /// Matches the definition in doubles up to rounding, and never leaves the range of the values.
        #[test]
        fn it_is_the_definition(mut values in prop::collection::vec(0.0f64..1e6, 1..40), percent in 0u8..=100) {
            values.sort_unstable_by(f64::total_cmp);
            let found = at(&values, percent).unwrap().to_f64();
            let doubles = crate::interval::percentile(&values, f64::from(percent) / 100.0);
            prop_assert!((found - doubles).abs() <= 1e-9 * doubles.abs().max(1.0), "{} {}", found, doubles);
            prop_assert!(values[0] <= found && found <= values[values.len() - 1]);
        }
    }
}
