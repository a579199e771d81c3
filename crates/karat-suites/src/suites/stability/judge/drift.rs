//! How far apart the wordings of one answer are: the median edit distance over all pairs.
//!
//! The distance is Levenshtein's, in characters, divided by the length of the longer text; it is exact and computed
//! bit-parallel. Equal texts are passed once with their number, so their pairs cost nothing, and common beginnings and
//! ends are skipped. The work is still quadratic in length, so each case has a [`BUDGET`].

use rapidfuzz::distance::levenshtein;

/// A fraction of whole numbers; the denominator is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Share {
    /// The numerator.
    pub num: u64,
    /// The denominator.
    pub den: u64,
}

impl Default for Share {
    fn default() -> Self {
        Share::ZERO
    }
}

impl Share {
    /// Nothing at all.
    pub const ZERO: Share = Share { num: 0, den: 1 };
    /// The whole.
    pub const ONE: Share = Share { num: 1, den: 1 };

    /// The fraction `num / den`; `None` if `den` is 0.
    #[must_use]
    pub fn of(num: u64, den: u64) -> Option<Self> {
        (den > 0).then_some(Share { num, den })
    }

    /// The nearest double.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        let common = gcd(self.num, self.den);
        (self.num / common) as f64 / (self.den / common) as f64
    }

    /// Compares the fraction with a number of hundredths.
    #[must_use]
    pub fn against(self, hundredths: u64) -> std::cmp::Ordering {
        (u128::from(self.num) * 100).cmp(&(u128::from(self.den) * u128::from(hundredths)))
    }
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// The number of steps that the comparisons of one case may take, about a second or two.
///
/// A step compares 64 characters with one. Twenty different claims of 15,000 characters stay below the limit. Pairs are
/// compared from the shortest claims to the longest; pairs that are left when the budget is used up count as completely
/// different, which fails closed, and the report says how many there were.
pub const BUDGET: u64 = 1 << 30;

/// The fixed cost of a comparison in steps, which limits the number of distances that are kept.
const OVERHEAD: u64 = 512;

/// How far apart the wordings of an answer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drift {
    /// The median over all pairs; 0 if there is no pair.
    pub median: Share,
    /// The number of pairs that count as completely different because comparing them would have taken too long.
    pub uncompared: u64,
}

/// The median distance over all pairs of claims. The claims are distinct and not empty, each with its number.
#[must_use]
pub fn drift(claims: &mut [(&str, u64)], budget: u64) -> Drift {
    let all = pairs(claims.iter().map(|(_, n)| n).sum());
    let equal: u64 = claims.iter().map(|(_, n)| pairs(*n)).sum();
    if equal > all / 2 || all == 0 {
        // More than half of the pairs are equal, so the median is 0.
        return Drift { median: Share::ZERO, uncompared: 0 };
    }
    // The order decides which pairs are compared within the budget, so it must not depend on the input order.
    claims.sort_unstable_by_key(|(text, _)| (text.len(), *text));
    let (mut distances, mut compared, mut left) = (Vec::new(), 0, budget);
    'claims: for (i, (long, many)) in claims.iter().enumerate() {
        for (short, few) in &claims[..i] {
            let pair = Pair::new(long, short);
            let Some(rest) = left.checked_sub(pair.cost()) else { break 'claims };
            left = rest;
            let Share { num, den } = pair.distance();
            distances.push((num as u32, den as u32, many * few));
            compared += many * few;
        }
    }
    distances.sort_unstable_by(|a, b| compare((a.0, a.1), (b.0, b.1)));
    let at = |index: u64| {
        let mut before = equal;
        if index < before {
            return Share::ZERO;
        }
        for &(num, den, weight) in &distances {
            before += weight;
            if index < before {
                return Share { num: num.into(), den: den.into() };
            }
        }
        Share::ONE
    };
    let (low, high) = (at((all - 1) / 2), at(all / 2));
    Drift { median: middle(low, high), uncompared: all - equal - compared }
}

/// The number of pairs among `n` things.
#[must_use]
pub fn pairs(n: u64) -> u64 {
    n.checked_sub(1).map_or(0, |others| n.saturating_mul(others) / 2)
}

/// Lengths are below 2^28, here and below, because a line has at most 64 MiB.
fn compare(a: (u32, u32), b: (u32, u32)) -> std::cmp::Ordering {
    (u64::from(a.0) * u64::from(b.1)).cmp(&(u64::from(b.0) * u64::from(a.1)))
}

/// The mean of two fractions.
fn middle(low: Share, high: Share) -> Share {
    if low == high {
        return low;
    }
    let (num, den) = (low.num * high.den + high.num * low.den, 2 * low.den * high.den);
    let common = gcd(num, den);
    Share { num: num / common, den: den / common }
}

/// Two texts without their common beginning and end, which no edit touches.
struct Pair<'t> {
    texts: [&'t str; 2],
    /// The characters of each text.
    lengths: [u64; 2],
    /// The length in characters of the longer text, in full.
    longest: u64,
}

impl<'t> Pair<'t> {
    fn new(a: &'t str, b: &'t str) -> Self {
        let same = |(a, b): &(u8, u8)| a == b;
        let mut start = a.bytes().zip(b.bytes()).take_while(same).count();
        while !a.is_char_boundary(start) {
            start -= 1;
        }
        let (left, right) = (&a[start..], &b[start..]);
        let mut end = left.bytes().rev().zip(right.bytes().rev()).take_while(same).count();
        while !left.is_char_boundary(left.len() - end) {
            end -= 1;
        }
        let texts = [&left[..left.len() - end], &right[..right.len() - end]];
        let lengths = texts.map(characters);
        let shared = characters(&a[..start]) + characters(&left[left.len() - end..]);
        Pair { texts, lengths, longest: shared + lengths[0].max(lengths[1]) }
    }

    fn cost(&self) -> u64 {
        let [a, b] = self.lengths;
        OVERHEAD + self.longest + a.max(b).div_ceil(64) * a.min(b)
    }

    fn distance(&self) -> Share {
        let [a, b] = self.texts;
        let edits = match self.lengths {
            [0, n] | [n, 0] => n,
            _ if a.is_ascii() && b.is_ascii() => levenshtein::distance(a.bytes(), b.bytes()) as u64,
            _ => levenshtein::distance(a.chars(), b.chars()) as u64,
        };
        Share { num: edits, den: self.longest.max(1) }
    }
}

fn characters(text: &str) -> u64 {
    text.chars().count() as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn share(num: u64, den: u64) -> Share {
        Share { num, den }
    }

    #[test]
    fn kitten_to_sitting_takes_three_edits_of_seven() {
        let mut claims = [("kitten", 1), ("sitting", 1)];
        assert_eq!(drift(&mut claims, BUDGET), Drift { median: share(3, 7), uncompared: 0 });
    }

    #[test]
    fn the_median_counts_every_pair() {
        // Three pairs: 0, 1/3, 1/3.
        assert_eq!(drift(&mut [("abc", 2), ("abd", 1)], BUDGET).median, share(1, 3));
        // Three of six pairs are equal: the middle ones are 0 and 1/3.
        assert_eq!(drift(&mut [("abc", 3), ("abd", 1)], BUDGET).median, share(1, 6));
        assert_eq!(drift(&mut [("abc", 4), ("abd", 1)], BUDGET).median, share(0, 1));
        assert_eq!(drift(&mut [("abc", 1)], BUDGET).median, share(0, 1));
        assert_eq!(drift(&mut [], BUDGET).median, share(0, 1));
    }

    #[test]
    fn distances_are_in_characters() {
        assert_eq!(drift(&mut [("größe", 1), ("grösse", 1)], BUDGET).median, share(2, 6));
        assert_eq!(drift(&mut [("日本語", 1), ("日木語", 1)], BUDGET).median, share(1, 3));
        assert_eq!(drift(&mut [("é", 1), ("è", 1)], BUDGET).median, share(1, 1), "they share a byte");
    }

    #[test]
    fn what_would_take_too_long_counts_as_wholly_different() {
        let texts: Vec<String> =
            ["a", "b", "c", "d"].iter().map(|c| format!("{c}{}{c}", "x".repeat(6400))).collect();
        let mut claims: Vec<(&str, u64)> = texts.iter().map(|text| (text.as_str(), 1)).collect();
        let whole = drift(&mut claims, BUDGET);
        assert_eq!(whole, Drift { median: share(2, 6402), uncompared: 0 });
        let one = OVERHEAD + 6402 + 101 * 6402;
        claims.reverse();
        let cut = drift(&mut claims, 2 * one);
        assert_eq!(cut, Drift { median: share(1, 1), uncompared: 4 });
        assert_eq!(drift(&mut claims, 4 * one).median, share(2, 6402), "the middle is known all the same");
    }

    #[test]
    fn a_share_is_compared_exactly() {
        assert_eq!(share(19, 20).against(95), std::cmp::Ordering::Equal);
        assert_eq!(share(18, 19).against(95), std::cmp::Ordering::Less);
    }

    proptest! {
        #[test]
        fn distances_are_those_of_the_plain_method(
            a in "[abé日 ]{0,200}", b in "[abé日 ]{0,200}", shared in "[a日]{0,90}", cut in 0usize..90,
        ) {
            let cut = shared.char_indices().nth(cut).map_or(0, |(at, _)| at);
            let (a, b) = (format!("{}{a}{}", &shared[..cut], &shared[cut..]), format!("{}{b}{}", &shared[..cut], &shared[cut..]));
            let longest = a.chars().count().max(b.chars().count()).max(1) as u64;
            prop_assert_eq!(Pair::new(&a, &b).distance(), share(strsim::levenshtein(&a, &b) as u64, longest));
        }
    }
}
