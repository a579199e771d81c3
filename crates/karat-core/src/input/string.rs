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

/// The same for longer texts (questions, claims, chunks).
#[inline(never)]
fn plain_until_far(bytes: &[u8], mut at: usize) -> usize {
    // Of a chunk's text sixty-four bytes at a time, until something is among them.
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<64>())
        && let (quarters, []) = chunk.as_chunks()
        && quarters.iter().fold(u8x16::ZERO, |any, quarter| any | marks(quarter)).to_bitmask() == 0
    {
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

/// The same for the last bytes of a line.
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
    let quote = bytes.simd_eq(u8x16::splat(b'"'));
    let backslash = bytes.simd_eq(u8x16::splat(b'\\'));
    let control = bytes.min(u8x16::splat(0x1f)).simd_eq(bytes);
    quote | backslash | control
}

/// Whether `bytes` begin with the first `length` of `wanted`, of which there is at least one.
#[inline(always)]
pub(super) fn begin_with(bytes: &[u8], wanted: &[u8; 32], length: u8) -> bool {
    let Some(([a, b], [c, d])) = bytes.first_chunk().map(halves).zip(Some(halves(wanted))) else {
        return bytes.starts_with(&wanted[..usize::from(length).min(32)]);
    };
    let same = |x: &[u8; 16], y: &[u8; 16]| u8x16::new(*x).simd_eq(u8x16::new(*y)).to_bitmask();
    let equal = same(a, c) | same(b, d) << 16;
    equal.trailing_ones() >= u32::from(length)
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
