//! Where does a JSON string end, and what do its escapes stand for?

/// The first byte at or behind `at` that is a quote, a backslash or a control character (or the end).
#[inline]
pub(super) fn plain_until(bytes: &[u8], mut at: usize) -> usize {
    // Eight bytes at a time: most strings of a trace are ids and end within four steps.
    for _ in 0..4 {
        let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else { break };
        let found = special(u64::from_le_bytes(*chunk));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    plain_until_far(bytes, at)
}

/// The same for long texts (claims, chunks).
fn plain_until_far(bytes: &[u8], mut at: usize) -> usize {
    // A loop that the compiler turns into vector instructions.
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<64>()) {
        let any = chunk.iter().fold(0u8, |any, &b| any | u8::from(b == b'"' || b == b'\\' || b < 0x20));
        if any != 0 {
            break;
        }
        at += 64;
    }
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let found = special(u64::from_le_bytes(*chunk));
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&b) = bytes.get(at) {
        if b == b'"' || b == b'\\' || b < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

/// A high bit in each byte of `word` that is special; exact for the lowest one, which is all that is asked.
#[inline]
fn special(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    let zero = |v: u64| v.wrapping_sub(ONES) & !v;
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    (zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) | control) & (ONES << 7)
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
