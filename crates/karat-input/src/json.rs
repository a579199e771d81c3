//! How is one JSON text read without building a tree, and without losing a byte's position?
//!
//! A pull reader over UTF-8 text. It exists beside the general JSON crates because karat needs four things at once that
//! none of them gives: the byte span of every value (errors mark the spot, list elements of a wrong type stay
//! distinct), a skip that validates without recursion (a nesting bomb is a message, not a stack overflow), lone
//! surrogates in a model's words (evidence, so decoded to U+FFFD instead of refused), and no allocation a line.
//! What it accepts is held equal to `serde_json` by property tests (tests/json.rs) and by a fuzz target.

mod ends;
mod skip;
mod syntax;
pub mod tree;

use std::borrow::Cow;

use self::ends::{escaped_end, fail, number_end};
pub(crate) use self::syntax::Expected;
pub use self::syntax::Syntax;
pub use self::tree::canonical;
pub(crate) use crate::string::Prefix;
use crate::string::{plain_until, unescape};

/// How many levels of arrays and objects a value may nest.
pub const MAX_DEPTH: usize = 1024;

/// What kind of value comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// any number
    Number,
    /// a string
    String,
    /// a list
    Array,
    /// an object
    Object,
}

impl Kind {
    /// The kind as a person names it: "a string".
    #[must_use]
    pub fn with_article(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Bool => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "a list",
            Kind::Object => "an object",
        }
    }
}

/// A string as it stands in the text, between its quotes.
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    raw: &'a str,
    escaped: bool,
}

impl<'a> Text<'a> {
    /// A string that was read before; `escaped` if it holds an escape.
    #[inline(always)]
    pub fn new(raw: &'a str, escaped: bool) -> Self {
        Text { raw, escaped }
    }

    /// Whether it is the empty string.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.raw.is_empty()
    }

    /// The string as it is written.
    pub fn written(self) -> &'a str {
        self.raw
    }

    /// The string's value, if it is written as it is.
    #[inline]
    #[must_use]
    pub fn plain(self) -> Option<&'a str> {
        (!self.escaped).then_some(self.raw)
    }

    /// The string's value; borrowed unless it holds an escape.
    #[inline]
    #[must_use]
    pub fn decode(self) -> Cow<'a, str> {
        if self.escaped { Cow::Owned(unescape(self.raw)) } else { Cow::Borrowed(self.raw) }
    }
}

/// A position in one JSON text.
///
/// Two words that the compiler can keep in registers: what is not inlined takes them by value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
}

type Result<T, E = Syntax> = std::result::Result<T, E>;

impl<'a> Reader<'a> {
    /// Starts at the beginning of `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Reader { text, at: 0 }
    }

    /// The byte offset of the next value, behind white space.
    #[inline]
    pub fn offset(&mut self) -> usize {
        self.white();
        self.at
    }

    /// Where the reader stands.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The text from `start` up to where the reader stands.
    #[must_use]
    pub fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// Looks at the next value without reading it.
    #[inline(always)]
    pub fn peek(&mut self) -> Result<Kind> {
        self.white();
        match self.byte() {
            Some(b'"') => Ok(Kind::String),
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            Some(b't' | b'f') => Ok(Kind::Bool),
            Some(b'n') => Ok(Kind::Null),
            _ => fail(self.at, Expected::Value),
        }
    }

    /// Reads an object, calling `field` at each value; it must read or skip that value.
    #[inline]
    pub fn object<E: From<Syntax>>(
        &mut self,
        mut field: impl FnMut(&mut Self, &str) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut inner = *self;
        let mut more = inner.enter()?;
        while more {
            let key = inner.key()?;
            match key.plain() {
                Some(key) => field(&mut inner, key)?,
                None => field(&mut inner, &key.decode())?,
            }
            more = inner.another()?;
        }
        *self = inner;
        Ok(())
    }

    /// Steps into an object; false where it has no field.
    #[inline(always)]
    pub fn enter(&mut self) -> Result<bool> {
        self.open(b'{', b'}', Expected::Object)
    }

    /// Reads a field's key, up to its value.
    #[inline(always)]
    pub fn key(&mut self) -> Result<Text<'a>> {
        self.white();
        if self.byte() != Some(b'"') {
            return fail(self.at, Expected::Key);
        }
        let key = self.text()?;
        self.white();
        self.expect(b':', Expected::Colon)?;
        Ok(key)
    }

    /// Steps over what is expected to come next; false, with nothing read, where something else does.
    #[inline(always)]
    pub(crate) fn pass(&mut self, expected: &Prefix) -> bool {
        let there = expected.begins(self.text.as_bytes().get(self.at..).unwrap_or_default());
        self.at += if there { expected.len() } else { 0 };
        there
    }

    /// What stands at these places.
    #[inline(always)]
    pub fn part(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Steps over the end of an object, if it comes next.
    #[inline(always)]
    pub fn pass_end(&mut self) -> bool {
        self.take(b'}')
    }

    /// Behind a field: whether another one follows, or the object ends here.
    #[inline(always)]
    pub fn another(&mut self) -> Result<bool> {
        self.more(b'}', Expected::MoreOfObject)
    }

    /// Reads a list, calling `item` at each value; it must read or skip that value.
    #[inline]
    pub fn array<E: From<Syntax>>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut inner = *self;
        let mut more = inner.open(b'[', b']', Expected::List)?;
        while more {
            item(&mut inner)?;
            more = inner.more(b']', Expected::MoreOfList)?;
        }
        *self = inner;
        Ok(())
    }

    /// Reads a list whose elements are mostly strings without an escape: `plain` puts those into `list`, and is given
    /// where each begins; `other` is called at anything else, and must read or skip it.
    #[inline(always)]
    pub fn strings<L>(
        &mut self,
        list: &mut L,
        plain: impl Fn(&mut L, &'a str, usize),
        other: impl Fn(&mut L, &mut Self) -> Result<()>,
    ) -> Result<()> {
        let mut inner = *self;
        let mut more = inner.open(b'[', b']', Expected::List)?;
        while more {
            inner.white();
            if inner.byte() != Some(b'"') || !inner.plain_strings(|text, at| plain(list, text, at)) {
                other(list, &mut inner)?;
            }
            more = inner.more(b']', Expected::MoreOfList)?;
        }
        *self = inner;
        Ok(())
    }

    /// Reads the string whose opening quote comes next, and those that follow it behind a comma, or a comma and one blank,
    /// as most programs write them. False at one that is not plain, with nothing of it read.
    #[inline(always)]
    fn plain_strings(&mut self, mut plain: impl FnMut(&'a str, usize)) -> bool {
        let Some(mut rest) = self.text.get(self.at + 1..) else { return false };
        loop {
            let at = self.text.len() - rest.len() - 1;
            let end = plain_until(rest.as_bytes(), 0);
            let Some((string, behind)) = rest.split_at_checked(end).filter(|split| split.1.starts_with('"'))
            else {
                self.at = at;
                return false;
            };
            plain(string, at);
            let Some(next) = behind.strip_prefix("\", \"").or_else(|| behind.strip_prefix("\",\"")) else {
                self.at = at + end + 2;
                return true;
            };
            rest = next;
        }
    }

    /// Reads a string.
    #[inline(always)]
    pub fn string(&mut self) -> Result<Text<'a>> {
        self.white();
        if self.byte() != Some(b'"') {
            return fail(self.at, Expected::String);
        }
        self.text()
    }

    /// Reads a boolean.
    pub fn boolean(&mut self) -> Result<bool> {
        self.white();
        if self.byte() == Some(b't') {
            self.literal("true").map(|()| true)
        } else {
            self.literal("false").map(|()| false)
        }
    }

    /// Reads a number and gives it as it is written.
    #[inline]
    pub fn number(&mut self) -> Result<&'a str> {
        self.white();
        let start = self.at;
        self.at = number_end(self.text.as_bytes(), start)?;
        Ok(&self.text[start..self.at])
    }

    /// Checks that nothing but white space follows.
    #[inline]
    pub fn end(&mut self) -> Result<()> {
        self.white();
        if self.at == self.text.len() { Ok(()) } else { fail(self.at, Expected::End) }
    }

    /// Reads the string whose opening quote comes next.
    #[inline(always)]
    fn text(&mut self) -> Result<Text<'a>> {
        let start = self.at + 1;
        let end = plain_until(self.text.as_bytes(), start);
        if self.text.as_bytes().get(end) == Some(&b'"') {
            self.at = end + 1;
            return Ok(Text { raw: &self.text[start..end], escaped: false });
        }
        let end = escaped_end(self.text.as_bytes(), end)?;
        self.at = end + 1;
        Ok(Text { raw: &self.text[start..end], escaped: true })
    }

    /// Steps into a list or an object; false where it is empty.
    #[inline(always)]
    fn open(&mut self, open: u8, close: u8, expected: Expected) -> Result<bool> {
        self.white();
        self.expect(open, expected)?;
        self.white();
        Ok(!self.take(close))
    }

    /// Behind a value: steps over the comma, or over the end of what holds it, which is false.
    #[inline(always)]
    fn more(&mut self, close: u8, expected: Expected) -> Result<bool> {
        self.white();
        let comma = match self.byte() {
            Some(b',') => true,
            Some(byte) if byte == close => false,
            _ => return fail(self.at, expected),
        };
        self.at += 1;
        Ok(comma)
    }

    fn literal(&mut self, word: &'static str) -> Result<()> {
        self.white();
        if self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(())
        } else {
            fail(self.at, Expected::Literal)
        }
    }

    #[inline(always)]
    fn white(&mut self) {
        while matches!(self.byte(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline(always)]
    fn take(&mut self, byte: u8) -> bool {
        let there = self.byte() == Some(byte);
        self.at += usize::from(there);
        there
    }

    #[inline(always)]
    fn expect(&mut self, byte: u8, expected: Expected) -> Result<()> {
        if self.take(byte) { Ok(()) } else { fail(self.at, expected) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(text: &str) -> bool {
        let mut reader = Reader::new(text);
        reader.skip().and_then(|()| reader.end()).is_ok()
    }

    #[test]
    fn skips_what_json_is_and_refuses_the_rest() {
        for good in
            ["null", " [ ] ", "{}", r#"{"a":[1,-0.5e+3,"\u00e9\n",{"b":null}],"c":true}"#, "-0", "\"\""]
        {
            assert!(accepts(good), "{good}");
        }
        for bad in [
            "",
            "nul",
            "[1,]",
            "{\"a\":}",
            "{\"a\"}",
            "{a:1}",
            "01",
            "1.",
            "[}",
            "\"\\x\"",
            "\"\\u12g4\"",
            "+1",
            "\"\u{1}\"",
            "1 2",
            "[1",
            "{\"a\":1,}",
            "NaN",
            "\"",
            "\"\\",
        ] {
            assert!(!accepts(bad), "{bad}");
        }
    }

    #[test]
    fn a_nesting_bomb_is_a_message() {
        let deep = "[".repeat(100_000);
        let error = Reader::new(&deep).skip().unwrap_err();
        assert_eq!(error.expected(), "at most 1,024 levels of nesting");
        assert_eq!(error, Syntax::new(MAX_DEPTH, Expected::Depth));
        let fine = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
        assert!(accepts(&fine));
    }

    #[test]
    fn strings_decode() {
        let read = |text: &str| Reader::new(text).string().unwrap().decode().into_owned();
        assert_eq!(read(r#""a\u00e9\ud83d\ude00\/\"\\\b\f\n\r\t""#), "aé😀/\"\\\u{8}\u{c}\n\r\t");
        assert_eq!(read(r#""\ud83d x""#), "\u{fffd} x", "half a pair is evidence, not an error");
        assert_eq!(read(r#""\ud83d\u0041""#), "\u{fffd}A");
        assert_eq!(read(&format!("\"{}é\"", "x".repeat(200))), format!("{}é", "x".repeat(200)));
    }
}
