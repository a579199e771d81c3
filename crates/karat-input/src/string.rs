//! Where does a JSON string end, and what do its escapes stand for?

use wide::u8x16;

/// The first byte at or behind `at` that is a quote, a backslash or a control character (or the end).
#[inline(always)]
pub(super) fn plain_until(bytes: &[u8], at: usize) -> usize {
    // Most strings of a trace are keys and ids and end within the first step.
    match bytes.get(at..).and_then(|rest| rest.first_chunk()).map(special) {
        Some(0) => plain_until_far(bytes, at + 16),
        Some(found) => at + found.trailing_zeros() as usize,
        None => plain_until_end(bytes, at),
    }
}

/// Where a longer text ends (a question, a claim, a chunk).
#[inline(never)]
fn plain_until_far(bytes: &[u8], mut at: usize) -> usize {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<64>()) {
        let (quarters, _) = chunk.as_chunks();
        if let [a, b, c, d] = quarters {
            let [a, b, c, d] = [a, b, c, d].map(marks);
            if (a | b | c | d).to_bitmask() != 0 {
                let found = [d, c, b, a].iter().fold(0, |all, m| all << 16 | u64::from(m.to_bitmask()));
                return at + found.trailing_zeros() as usize;
            }
        }
        at += 64;
    }
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let found = special(chunk);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += 16;
    }
    plain_until_end(bytes, at)
}

/// Where a text ends that is in the last bytes of a line.
#[inline(never)]
fn plain_until_end(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20).unwrap_or(rest.len())
}

/// A bit for each of sixteen bytes that is special, the first byte's lowest.
#[inline(always)]
fn special(chunk: &[u8; 16]) -> u32 {
    marks(chunk).to_bitmask()
}

/// All bits of each byte that is special.
#[inline(always)]
fn marks(chunk: &[u8; 16]) -> u8x16 {
    let bytes = u8x16::new(*chunk);
    // With its second bit turned, a quote (0x22) is next to the control characters (below 0x20), and a blank is not.
    let turned = bytes ^ u8x16::splat(2);
    let quote_or_control = turned.min(u8x16::splat(b'"' ^ 2)).simd_eq(turned);
    quote_or_control | bytes.simd_eq(u8x16::splat(b'\\'))
}

/// How many digits stand at `at`.
#[inline(always)]
pub(super) fn digits(bytes: &[u8], at: usize) -> usize {
    // Nearly every number is shorter than one step.
    match bytes.get(at..).and_then(|rest| rest.first_chunk()).map(|chunk| digit_marks(chunk).trailing_ones())
    {
        Some(count @ 0..16) => count as usize,
        _ => digits_far(bytes, at),
    }
}

#[inline(never)]
fn digits_far(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|b| b.is_ascii_digit()).count()
}

/// A bit for each of sixteen bytes that is a digit.
#[inline(always)]
fn digit_marks(chunk: &[u8; 16]) -> u32 {
    let from_zero = u8x16::new(*chunk) - u8x16::splat(b'0');
    from_zero.min(u8x16::splat(9)).simd_eq(from_zero).to_bitmask()
}

/// A few bytes that are often met again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prefix {
    bytes: [u8; Self::LONGEST],
    length: u8,
    /// A bit for each byte that counts.
    counts: u32,
}

impl Prefix {
    /// The longest there is.
    const LONGEST: usize = 32;

    /// These bytes; `None` where they are too many or none at all.
    pub(crate) fn new(written: &[u8]) -> Option<Self> {
        let mut bytes = [0; Self::LONGEST];
        bytes.get_mut(..written.len())?.copy_from_slice(written);
        let counts = u32::MAX.checked_shr((Self::LONGEST - written.len()) as u32)?;
        Some(Prefix { bytes, length: written.len() as u8, counts })
    }

    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        usize::from(self.length)
    }

    /// Whether `bytes` begin with it.
    #[inline(always)]
    pub(super) fn begins(&self, bytes: &[u8]) -> bool {
        let Some(([a, b], [c, d])) = bytes.first_chunk().map(halves).zip(Some(halves(&self.bytes))) else {
            return bytes.starts_with(&self.bytes[..self.len()]);
        };
        let other = |x: &[u8; 16], y: &[u8; 16]| !u8x16::new(*x).simd_eq(u8x16::new(*y)).to_bitmask();
        self.counts & (other(a, c) & 0xffff | other(b, d) << 16) == 0
    }
}

#[inline(always)]
fn halves(bytes: &[u8; 32]) -> [&[u8; 16]; 2] {
    const NONE: &[u8; 16] = &[0; 16];
    [bytes.first_chunk().unwrap_or(NONE), bytes.last_chunk().unwrap_or(NONE)]
}

/// Decodes the escapes of a string that the reader has accepted.
pub(super) fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(slash) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..slash]);
        let (plain, length) = match rest.as_bytes().get(slash + 1) {
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(b'u') => unicode(&rest[slash..]),
            Some(&other) => (char::from(other), 2),
            None => break,
        };
        out.push(plain);
        rest = &rest[slash + length..];
    }
    out.push_str(rest);
    out
}

/// The character of a `\uXXXX` at the start of `rest`, with its partner where it is half of a pair, and its length.
fn unicode(rest: &str) -> (char, usize) {
    let unit = |at: usize| rest.get(at..at + 4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    let Some(first) = unit(2) else { return (char::REPLACEMENT_CHARACTER, 6) };
    if (0xd800..0xdc00).contains(&first)
        && rest[6..].starts_with("\\u")
        && let Some(second @ 0xdc00..0xe000) = unit(8)
    {
        let joined = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        return (char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER), 12);
    }
    (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_told_apart_wherever_it_stands() {
        for byte in 0..=255u8 {
            for (before, behind) in [(0, 0), (3, 40), (15, 1), (16, 100), (40, 3), (79, 64), (300, 200)] {
                let text = [vec![b'x'; before], vec![byte], vec![0xc3; behind]].concat();
                let special = byte == b'"' || byte == b'\\' || byte < 0x20;
                assert_eq!(
                    plain_until(&text, 0),
                    if special { before } else { text.len() },
                    "{byte} {before}"
                );
                let text = [vec![b'7'; before], vec![byte], vec![b'-'; behind]].concat();
                assert_eq!(digits(&text, 0), before + usize::from(byte.is_ascii_digit()), "{byte} {before}");
            }
        }
    }

    #[test]
    fn a_prefix_is_all_of_it() {
        for length in 0..40 {
            let written: Vec<u8> = (0..length).collect();
            let Some(prefix) = Prefix::new(&written) else {
                assert!(length == 0 || length > 32);
                continue;
            };
            for room in [0, 1, 40] {
                let mut text = [written.clone(), vec![b'x'; room]].concat();
                assert!(prefix.begins(&text) && !prefix.begins(&text[..usize::from(length) - 1]));
                text[usize::from(length) - 1] ^= 1;
                assert!(!prefix.begins(&text));
            }
        }
    }
}
