//! Did more cases break than were mended? The exact test on those that changed: under chance, each is a fair coin.
//!
//! Two-sided: twice the chance of at most the smaller number among as many coins, at most 1. Cases that did not change
//! say nothing, so the denominator must be the same on both sides.

/// The p-value of so many cases that broke and so many that were mended.
#[must_use]
pub fn mcnemar(broken: u64, fixed: u64) -> f64 {
    let (less, coins) = (broken.min(fixed), broken + fixed);
    (2.0 * at_most(less, coins)).min(1.0)
}

/// So many coins can be counted out in integers.
const EXACT: u64 = 100;

/// Counts the chance of at most `heads` heads: a sum of binomial coefficients over a power of two, rounded once.
fn counted(heads: u64, coins: u64) -> f64 {
    let (mut term, mut sum) = (1_u128, 0_u128);
    for k in 0..=heads {
        sum += term;
        term = term * u128::from(coins - k) / u128::from(k + 1);
    }
    sum as f64 * libm::exp2(-(coins as f64))
}

/// The chance of at most `heads` heads among `coins` fair coins.
fn at_most(heads: u64, coins: u64) -> f64 {
    if 2 * heads >= coins {
        return 1.0; // at least a half: doubled, it is 1 in any case
    }
    if coins <= EXACT {
        return counted(heads, coins);
    }
    // From the largest term downwards; terms that no longer matter are left out.
    let (mut term, mut sum) = (chance(heads, coins), 0.0);
    for k in (0..=heads).rev() {
        sum += term;
        term *= k as f64 / (coins - k + 1) as f64;
        if term < sum * 1e-18 {
            break;
        }
    }
    sum
}

/// The chance of exactly so many heads, by Loader's expansion: no difference of large logarithms, so no digit is lost.
fn chance(heads: u64, coins: u64) -> f64 {
    let (k, n) = (heads as f64, coins as f64);
    if heads == 0 {
        return libm::exp2(-n);
    }
    let exponent =
        rest(coins) - rest(heads) - rest(coins - heads) - spread(k, n / 2.0) - spread(n - k, n / 2.0);
    libm::exp(exponent) * (n / (2.0 * std::f64::consts::PI * k * (n - k))).sqrt()
}

/// What Stirling's formula leaves of ln n!.
fn rest(n: u64) -> f64 {
    let x = n as f64;
    if n < 16 {
        let factorial: u64 = (1..=n).product();
        let half = 0.5 * libm::log(2.0 * std::f64::consts::PI * x.max(f64::MIN_POSITIVE));
        return libm::log(factorial as f64) - (x * libm::log(x.max(f64::MIN_POSITIVE)) - x + half);
    }
    let square = x * x;
    let series = 1.0 / 1260.0 - (1.0 / 1680.0 - 1.0 / 1188.0 / square) / square;
    (1.0 / 12.0 - (1.0 / 360.0 - series / square) / square) / x
}

/// `x ln(x/m) + m - x` without cancellation.
fn spread(x: f64, m: f64) -> f64 {
    let difference = x - m;
    if difference.abs() < 0.1 * (x + m) {
        let v = difference / (x + m);
        let (mut sum, mut term) = (difference * v, 2.0 * x * v);
        for j in 1..1000 {
            term *= v * v;
            let next = sum + term / f64::from(2 * j + 1);
            if next == sum {
                break;
            }
            sum = next;
        }
        return sum;
    }
    x * libm::log(x / m) + m - x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, in whole numbers.
    fn plainly(broken: u64, fixed: u64) -> f64 {
        let n = u128::from(broken + fixed);
        let (mut choose, mut sum) = (1u128, 0u128);
        for k in 0..=u128::from(broken.min(fixed)) {
            sum += choose;
            choose = choose * (n - k) / (k + 1);
        }
        (2.0 * (sum as f64 / libm::exp2(n as f64))).min(1.0)
    }

    #[test]
    fn few_coins_are_counted_exactly() {
        assert_eq!(mcnemar(6, 1), 0.125);
        assert_eq!(mcnemar(3, 7), 0.34375);
        assert_eq!(mcnemar(0, 100), libm::exp2(-99.0));
    }

    #[test]
    fn it_is_the_definition() {
        for broken in 0..60 {
            for fixed in 0..60 {
                let (is, want) = (mcnemar(broken, fixed), plainly(broken, fixed));
                assert!((is / want - 1.0).abs() < 1e-12, "{broken} {fixed}: {is} {want}");
            }
        }
    }

    #[test]
    fn published_and_large() {
        // 121 against 59 (a textbook's table): p = 4.4e-6.
        assert!((mcnemar(59, 121) / 4.434e-6 - 1.0).abs() < 1e-3, "{}", mcnemar(59, 121));
        assert_eq!(
            (mcnemar(0, 0), mcnemar(7, 7), mcnemar(0, 1), mcnemar(0, 10)),
            (1.0, 1.0, 1.0, 2.0 / 1024.0)
        );
        let p = mcnemar(500_000, 501_000);
        assert!(p > 0.3 && p < 0.35, "{p}");
        assert_eq!(mcnemar(0, 100_000), 0.0, "less than a double can say");
    }
}
