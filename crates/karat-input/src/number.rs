//! Exact numbers, so that `0.90 - 0.88 <= 0.02` is true.
//!
//! Values are fractions of whole numbers and thresholds are decimals as they were typed; both are compared exactly.
//! Floating point begins where a figure is shown.

use std::cmp::Ordering;
use std::fmt;

/// A fraction in lowest terms; the denominator is never 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        const WHOLE: u128 = 1 << f64::MANTISSA_DIGITS;
        let num = self.num.unsigned_abs();
        // A quotient of two doubles is rounded once, where both are what they stand for.
        if num <= WHOLE && self.den <= WHOLE || self.den > u128::MAX / 10 {
            return self.num as f64 / self.den as f64;
        }
        // Else it is parsed from more digits than a tie can have, and one that says whether any follow.
        let (mut digits, mut rest) = ((num / self.den).to_string(), num % self.den);
        digits.push('.');
        let mut significant = digits.trim_matches(['0', '.']).len();
        while rest > 0 && significant < 150 {
            rest *= 10;
            digits.push(char::from(b'0' + (rest / self.den) as u8));
            rest %= self.den;
            significant += usize::from(significant > 0 || !digits.ends_with('0'));
        }
        if rest > 0 {
            digits.push('1');
        }
        let nearest: f64 = digits.parse().unwrap_or(num as f64 / self.den as f64);
        if self.num < 0 { -nearest } else { nearest }
    }

    /// Without its sign.
    #[must_use]
    pub fn abs(self) -> Self {
        Ratio { num: self.num.saturating_abs(), den: self.den }
    }

    /// The exact product; `None` where it takes more digits than there are.
    #[must_use]
    pub fn times(self, other: Ratio) -> Option<Self> {
        Ratio::new(self.num.checked_mul(other.num)?, self.den.checked_mul(other.den)?)
    }

    /// The exact quotient; `None` by 0, and where it takes more digits than there are.
    #[must_use]
    pub fn over(self, other: Ratio) -> Option<Self> {
        let den = i128::try_from(other.den).ok()?;
        let turned = if other.num < 0 { -den } else { den };
        self.times(Ratio::new(turned, other.num.unsigned_abs())?)
    }

    /// The exact difference; `None` where it takes more digits than there are.
    #[must_use]
    pub fn minus(self, other: Ratio) -> Option<Self> {
        if self.den == other.den {
            return Ratio::new(self.num.checked_sub(other.num)?, self.den);
        }
        let common = gcd(self.den, other.den);
        let (mine, theirs) = (other.den / common, self.den / common);
        let scaled = |num: i128, by: u128| num.checked_mul(i128::try_from(by).ok()?);
        let num = scaled(self.num, mine)?.checked_sub(scaled(other.num, theirs)?)?;
        Ratio::new(num, self.den.checked_mul(mine)?)
    }
}

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

/// A figure's value: exact where it is made of counts or of decimals, a double where it is made of doubles.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    /// A fraction.
    Exact(Ratio),
    /// What no fraction holds.
    Double(f64),
}

impl Value {
    /// The nearest double.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self {
            Value::Exact(ratio) => ratio.to_f64(),
            Value::Double(value) => value,
        }
    }

    /// How it compares with a threshold. A double is what a report prints of it: 0.4 is not above 0.40, though the
    /// nearest double is.
    #[must_use]
    pub fn against(self, threshold: Decimal) -> Ordering {
        match self {
            Value::Exact(ratio) => ratio.cmp(&threshold.ratio()),
            Value::Double(value) => match Decimal::nearest(value) {
                Some(printed) => printed.ratio().cmp(&threshold.ratio()),
                None => value.total_cmp(&threshold.to_f64()), // more digits than a threshold can have
            },
        }
    }

    /// `self / other`; `None` by 0.
    #[must_use]
    pub fn over(self, other: Value) -> Option<Value> {
        if let (Value::Exact(a), Value::Exact(b)) = (self, other)
            && let Some(exact) = a.over(b)
        {
            return Some(Value::Exact(exact));
        }
        let (num, den) = (self.to_f64(), other.to_f64());
        Some(num / den).filter(|quotient| den != 0.0 && quotient.is_finite()).map(Value::Double)
    }

    /// `self - other`.
    #[must_use]
    pub fn minus(self, other: Value) -> Value {
        let exact = match (self, other) {
            (Value::Exact(a), Value::Exact(b)) => a.minus(b),
            _ => None,
        };
        exact.map_or_else(|| Value::Double(self.to_f64() - other.to_f64()), Value::Exact)
    }
}

impl From<Ratio> for Value {
    fn from(ratio: Ratio) -> Self {
        Value::Exact(ratio)
    }
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
        let negative = text.starts_with('-');
        let rest = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
        let digits = |part: &str| part.len() <= 18 && part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() && fraction.is_empty() || !digits(whole) || !digits(fraction) {
            return None;
        }
        let value: i128 = format!("0{whole}{fraction}").parse().ok()?;
        Some(Decimal { digits: if negative { -value } else { value }, places: fraction.len() as u32 })
    }

    /// The decimal that a double is printed as; `None` where it has more digits than a decimal can have.
    #[must_use]
    pub fn nearest(value: f64) -> Option<Self> {
        Decimal::parse(&value.to_string())
    }

    /// The exact sum; `None` where it takes more digits than there are.
    #[must_use]
    pub fn plus(self, other: Decimal) -> Option<Self> {
        let places = self.places.max(other.places);
        let digits = self.digits_at(places)?.checked_add(other.digits_at(places)?)?;
        Some(Decimal { digits, places })
    }

    /// What lies this many hundredths of the way to another one, exactly; `None` where it takes more digits than there are.
    #[must_use]
    pub fn towards(self, other: Decimal, hundredths: u8) -> Option<Self> {
        let places = self.places.max(other.places);
        let (low, high) = (self.digits_at(places)?, other.digits_at(places)?);
        let way = high.checked_sub(low)?.checked_mul(i128::from(hundredths))?;
        Some(Decimal { digits: low.checked_mul(100)?.checked_add(way)?, places: places + 2 })
    }

    /// The digits with this many after the point.
    fn digits_at(self, places: u32) -> Option<i128> {
        self.digits.checked_mul(10i128.checked_pow(places - self.places)?)
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

    #[test]
    fn a_double_compares_as_it_is_printed() {
        let against = |value: f64, threshold: &str| Value::Double(value).against(decimal(threshold));
        assert_eq!(against(0.4, "0.40"), Ordering::Equal);
        assert_eq!(against(0.1 + 0.2, "0.3"), Ordering::Greater, "it is printed as 0.30000000000000004");
        assert_eq!(against(1e-30, "0"), Ordering::Greater);
        assert_eq!(against(0.55, "0.5500000000000001"), Ordering::Less);
    }

    #[test]
    fn differences_are_exact() {
        let ratio = |num, den| Ratio::new(num, den).unwrap();
        assert_eq!(ratio(9, 10).minus(ratio(22, 25)).unwrap(), decimal("0.02").ratio());
        assert_eq!(ratio(1, 3).minus(ratio(1, 2)).unwrap(), ratio(-1, 6));
        let (huge, odd) = (ratio(1, u128::MAX), ratio(1, u128::MAX - 2));
        assert!(huge.minus(odd).is_none());
        assert!(Value::Exact(huge).minus(Value::Exact(odd)).to_f64().abs() < 1e-30);
    }

    #[test]
    fn quotients_are_exact_and_their_double_is_the_nearest() {
        let ratio = |num, den| Ratio::new(num, den).unwrap();
        assert_eq!(ratio(976, 1).over(ratio(300, 1)), Ratio::new(976, 300));
        assert_eq!(ratio(1, 2).over(ratio(-1, 4)), Some(ratio(-2, 1)));
        assert!(ratio(1, 2).over(ratio(0, 1)).is_none());
        assert!(Value::Double(1.0).over(Value::Double(0.0)).is_none());
        // 0.1234567890123456789 and its like are no quotient of two doubles.
        for text in ["0.123456789012345678", "87654321.000000012345678901", "-3.141592653589793238"] {
            assert_eq!(decimal(text).ratio().to_f64(), text.parse::<f64>().unwrap(), "{text}");
        }
        let small = ratio(10i128.pow(17) + 1, 10u128.pow(36));
        assert_eq!(small.to_f64(), "1.00000000000000001e-19".parse::<f64>().unwrap());
    }

    #[test]
    fn decimals_between_decimals() {
        let towards = |low: &str, high: &str, n| decimal(low).towards(decimal(high), n).unwrap().to_string();
        assert_eq!(towards("400", "1000", 80), "880.00");
        assert_eq!(towards("0.1", "-0.25", 50), "-0.0750");
        assert_eq!(decimal("0.1").plus(decimal("2")).unwrap(), decimal("2.1"));
    }

    proptest! {
        #[test]
        fn a_fraction_of_many_digits_is_its_nearest_double(value in 0.0f64..1e9, den in 1u128..1000) {
            let printed = Decimal::parse(&format!("{value:.12}")).unwrap();
            prop_assert_eq!(printed.ratio().to_f64(), printed.to_f64());
            let third = Ratio::new(10i128.pow(30), den * 10u128.pow(30)).unwrap();
            prop_assert_eq!(third.to_f64(), 1.0 / den as f64);
        }

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
