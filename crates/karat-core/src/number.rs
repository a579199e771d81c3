//! How can `0.90 - 0.88 <= 0.02` be true?
//!
//! Values are fractions of whole numbers and thresholds are decimals as they were typed; both are compared exactly.
//! Floating point begins where a figure is shown.

use std::cmp::Ordering;
use std::fmt;

/// A fraction; the denominator is never 0.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    num: i128,
    den: u128,
}

impl Ratio {
    /// `num / den`, or `None` for a denominator of 0.
    #[must_use]
    pub fn new(num: i128, den: u128) -> Option<Self> {
        if den == 0 {
            return None;
        }
        let common = gcd(num.unsigned_abs(), den);
        // A divisor of `num` fits an i128 wherever `num` itself does, but for i128::MIN / 2^127, which no count reaches.
        let divisor = i128::try_from(common).ok()?;
        Some(Ratio { num: num / divisor, den: den / common })
    }

    /// A whole number.
    #[must_use]
    pub fn whole(n: u64) -> Self {
        Ratio { num: i128::from(n), den: 1 }
    }

    /// The nearest double.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.num as f64 / self.den as f64
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Ratio {}
impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.num.signum(), other.num.signum()) {
            (1, 1) => compare(self.num.unsigned_abs(), self.den, other.num.unsigned_abs(), other.den),
            (-1, -1) => compare(other.num.unsigned_abs(), other.den, self.num.unsigned_abs(), self.den),
            (mine, theirs) => mine.cmp(&theirs),
        }
    }
}

/// `a/b` against `c/d` without a product that could overflow: whole parts first, then the turned-over rests.
fn compare(mut a: u128, mut b: u128, mut c: u128, mut d: u128) -> Ordering {
    let mut turned = false;
    loop {
        let order = match ((a / b).cmp(&(c / d)), a % b, c % d) {
            (Ordering::Equal, 0, 0) => Ordering::Equal,
            (Ordering::Equal, 0, _) => Ordering::Less,
            (Ordering::Equal, _, 0) => Ordering::Greater,
            (Ordering::Equal, left, right) => {
                (a, b, c, d) = (b, left, d, right);
                turned = !turned;
                continue;
            }
            (decided, _, _) => decided,
        };
        return if turned { order.reverse() } else { order };
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// A decimal exactly as somebody typed it: `0.80` stays `0.80`.
#[derive(Clone, Copy, Debug)]
pub struct Decimal {
    digits: i128,
    places: u32,
}

impl Decimal {
    /// `0`.
    pub const ZERO: Decimal = Decimal { digits: 0, places: 0 };

    /// Reads `0.80`, `-3`, `.5`; at most 18 digits on either side of the point.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, rest) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
        let digits = |part: &str| part.len() <= 18 && part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() && fraction.is_empty() || !digits(whole) || !digits(fraction) {
            return None;
        }
        let value: i128 = format!("0{whole}{fraction}").parse().ok()?;
        Some(Decimal { digits: if negative { -value } else { value }, places: fraction.len() as u32 })
    }

    /// The value as an exact fraction.
    #[must_use]
    pub fn ratio(self) -> Ratio {
        Ratio::new(self.digits, 10u128.pow(self.places)).unwrap_or(Ratio::whole(0))
    }

    /// The nearest double: parsed from its digits, since a quotient of two doubles may be one off.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.to_string().parse().unwrap_or_else(|_| self.ratio().to_f64())
    }
}

impl PartialEq for Decimal {
    fn eq(&self, other: &Self) -> bool {
        self.ratio() == other.ratio()
    }
}
impl Eq for Decimal {}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let (digits, one) = (self.digits.unsigned_abs(), 10u128.pow(self.places));
        write!(f, "{sign}{}", digits / one)?;
        if self.places > 0 {
            write!(f, ".{:0width$}", digits % one, width = self.places as usize)?;
        }
        Ok(())
    }
}

/// A double rounded to four decimals: of its exact binary value, ties to even, as Python's `round(x, 4)`.
#[must_use]
pub fn round4(value: f64) -> f64 {
    format!("{value:.4}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn decimals_keep_their_spelling() {
        for text in ["0.80", "-3", "12.500", "0", "999999999999999999.999999999999999999"] {
            assert_eq!(decimal(text).to_string(), text);
        }
        assert_eq!(decimal(".5").to_string(), "0.5");
        assert_eq!(decimal("0.22727272727272727").to_f64(), 0.22727272727272727);
        for bad in ["", ".", "1e3", "0x1", "1,5", "--1", "1.2.3", "1234567890123456789"] {
            assert!(Decimal::parse(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_difference_that_floats_get_wrong() {
        let drop = Ratio::new(90 - 88, 100).unwrap();
        assert!(drop <= decimal("0.02").ratio());
        assert_eq!(Ratio::new(4, 5).unwrap(), decimal("0.80").ratio());
    }

    proptest! {
        #[test]
        fn comparison_is_cross_multiplication(a in -1000i128..1000, b in 1u128..1000, c in -1000i128..1000, d in 1u128..1000) {
            let exact = (a * d as i128).cmp(&(c * b as i128));
            prop_assert_eq!(Ratio::new(a, b).unwrap().cmp(&Ratio::new(c, d).unwrap()), exact);
        }

        #[test]
        fn large_fractions_do_not_overflow(a in 1i128.., b in 1u128.., c in 1i128.., d in 1u128..) {
            let (x, y) = (Ratio::new(a, b).unwrap(), Ratio::new(c, d).unwrap());
            prop_assert_eq!(x.cmp(&y), y.cmp(&x).reverse());
        }
    }
}
