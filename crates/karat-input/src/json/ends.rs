//! Where does a number end, and where a string with escapes?

use super::syntax::{Expected, Syntax};
use crate::string::{digits, plain_until};

#[inline(always)]
pub(super) fn fail<T>(at: usize, expected: Expected) -> Result<T, Syntax> {
    Err(Syntax::new(at, expected))
}

/// Where the string ends, its closing quote, from the first byte on that does not stand for itself.
#[inline(never)]
pub(super) fn escaped_end(bytes: &[u8], mut at: usize) -> Result<usize, Syntax> {
    loop {
        at = match bytes.get(at) {
            Some(b'"') => return Ok(at),
            Some(b'\\') => escape_end(bytes, at)?,
            Some(_) => return fail(at, Expected::NoControl),
            None => return fail(at, Expected::Quote),
        };
        at = plain_until(bytes, at);
    }
}

#[inline]
fn escape_end(bytes: &[u8], at: usize) -> Result<usize, Syntax> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => match bytes.get(at + 2..at + 6) {
            Some(digits) if digits.iter().all(u8::is_ascii_hexdigit) => Ok(at + 6),
            _ => fail(at, Expected::Hex),
        },
        _ => fail(at, Expected::Escape),
    }
}

/// The place after a number.
pub(super) fn number_end(bytes: &[u8], mut at: usize) -> Result<usize, Syntax> {
    let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte);
    at += usize::from(is(at, b'-'));
    at = if is(at, b'0') { at + 1 } else { digits_end(bytes, at)? };
    if is(at, b'.') {
        at = digits_end(bytes, at + 1)?;
    }
    if is(at, b'e') || is(at, b'E') {
        at += 1;
        at += usize::from(is(at, b'+') || is(at, b'-'));
        at = digits_end(bytes, at)?;
    }
    Ok(at)
}

#[inline(always)]
fn digits_end(bytes: &[u8], start: usize) -> Result<usize, Syntax> {
    match digits(bytes, start) {
        0 => fail(start, Expected::Digit),
        count => Ok(start + count),
    }
}
