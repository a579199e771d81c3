//! What is said of a text that is no JSON?

use std::num::NonZeroU64;

/// Where the text stopped being JSON, and what would have been right there. One word, so that a reading that may fail
/// still returns in registers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Syntax(NonZeroU64);

impl Syntax {
    #[cold]
    #[inline(never)]
    pub(crate) fn new(at: usize, expected: Expected) -> Self {
        let place = (at as u64) << 8;
        Syntax(NonZeroU64::MIN.saturating_add(place | expected as u64))
    }

    /// Byte offset of the spot.
    #[must_use]
    pub fn at(self) -> usize {
        ((self.0.get() - 1) >> 8) as usize
    }

    /// What could have stood there.
    #[must_use]
    pub fn expected(self) -> &'static str {
        EXPECTED.get((self.0.get() - 1) as usize & 0xff).copied().unwrap_or_default()
    }
}

impl std::fmt::Debug for Syntax {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Syntax").field("at", &self.at()).field("expected", &self.expected()).finish()
    }
}

/// What could have stood where the text stopped being JSON.
#[derive(Clone, Copy, Debug)]
#[repr(u8)]
pub(crate) enum Expected {
    Value,
    Literal,
    Object,
    List,
    String,
    Key,
    Colon,
    MoreOfObject,
    MoreOfList,
    End,
    NoControl,
    Quote,
    Hex,
    Escape,
    Digit,
    Depth,
}

/// What was expected, in words, in that order.
const EXPECTED: [&str; 16] = [
    "a value",
    "a value (true, false, null, a number, a string, a list or an object)",
    "an object",
    "a list",
    "a string",
    "a key in double quotes",
    "`:` behind the key",
    "`,` or `}`",
    "`,` or `]`",
    "the end of the line",
    "no raw control character in a string",
    "`\"` at the end of the string",
    "four hexadecimal digits behind `\\u`",
    "an escape that JSON knows (\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX)",
    "a digit",
    "at most 1,024 levels of nesting",
];
