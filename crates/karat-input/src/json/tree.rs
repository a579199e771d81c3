//! Reads a whole value without recursion, and writes it in canonical form.
//!
//! Canonical: the keys of every object sorted by their characters, strings with the shortest escapes, no white space.
//! [`Scalars`] says whether numbers and strings are kept as they were written or normalised as well.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::{Expected, Kind, MAX_DEPTH, Reader, Syntax};

/// What canonical form does to numbers and strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalars {
    /// Numbers by their value, strings in NFC: an editor or a formatter makes no difference.
    Normal,
    /// Numbers as they were written, strings with the characters they have: `0.2` and `0.20` are two values.
    Written,
}

/// The canonical form of a JSON text, its scalars as they were written. The last of a repeated key counts.
///
/// This is what settings of a pipeline are compared by, when they are sent and when they are scored.
pub fn canonical(json: &str) -> Result<String, Syntax> {
    let mut reader = Reader::new(json);
    let tree = Tree::read(&mut reader, Scalars::Written)?;
    reader.end()?;
    let mut out = String::with_capacity(json.len());
    tree.write(0, &mut out);
    Ok(out)
}

/// A value, its parts kept in one list: neither reading, writing nor dropping it costs stack.
#[derive(Debug)]
pub struct Tree<'a> {
    nodes: Vec<Node<'a>>,
    scalars: Scalars,
    /// What makes it ambiguous.
    pub ambiguities: Vec<Ambiguity>,
    /// Some text of it was not in NFC.
    pub denormal: bool,
}

/// Why a value cannot be written in one canonical way, and where.
#[derive(Debug)]
pub enum Ambiguity {
    /// An object has this key twice.
    Repeated {
        /// The key.
        key: String,
        /// Where it stands for the second time.
        at: Range<usize>,
    },
    /// A string holds half of a surrogate pair, which reads like any other half.
    HalfCharacter {
        /// Where the text stands.
        at: Range<usize>,
    },
}

#[derive(Debug)]
enum Node<'a> {
    /// A number, `true`, `false` or `null`.
    Plain(Cow<'a, str>),
    Text(Cow<'a, str>),
    List(Vec<usize>),
    Object(Vec<Field<'a>>),
}

/// A key and where it stands.
type Key<'a> = (Cow<'a, str>, Range<usize>);

#[derive(Debug)]
struct Field<'a> {
    key: Cow<'a, str>,
    at: Range<usize>,
    value: usize,
}

impl<'a> Tree<'a> {
    /// Reads the value at the reader.
    pub fn read(reader: &mut Reader<'a>, scalars: Scalars) -> Result<Tree<'a>, Syntax> {
        let mut tree = Tree { nodes: Vec::new(), scalars, ambiguities: Vec::new(), denormal: false };
        // Lists and objects that are open, each with the key whose value is being read.
        let mut open: Vec<(usize, Option<Key<'a>>)> = Vec::new();
        loop {
            let mut done = tree.nodes.len();
            match reader.peek()? {
                kind @ (Kind::Null | Kind::Bool | Kind::Number) => {
                    let text = reader.raw()?;
                    let normal = kind == Kind::Number && scalars == Scalars::Normal;
                    tree.nodes.push(Node::Plain(if normal { number(text) } else { Cow::Borrowed(text) }));
                }
                Kind::String => {
                    let start = reader.offset();
                    let text = reader.string()?.decode();
                    tree.whole(&text, start..reader.at, reader);
                    let text = tree.normal(text);
                    tree.nodes.push(Node::Text(text));
                }
                kind => {
                    let object = kind == Kind::Object;
                    if open.len() == MAX_DEPTH {
                        return Err(Syntax::new(reader.at, Expected::Depth));
                    }
                    tree.nodes.push(if object { Node::Object(Vec::new()) } else { Node::List(Vec::new()) });
                    reader.at += 1;
                    reader.white();
                    if !reader.take(super::skip::closing(object)) {
                        let key = if object { Some(tree.key(reader)?) } else { None };
                        open.push((done, key));
                        continue;
                    }
                }
            }
            // After a value: it belongs to what is open, and may be the last thing in it.
            loop {
                let Some((parent, key)) = open.last_mut() else { return Ok(tree) };
                let object = key.is_some();
                match (&mut tree.nodes[*parent], key.take()) {
                    (Node::Object(fields), Some((key, at))) => fields.push(Field { key, at, value: done }),
                    (Node::List(items), _) => items.push(done),
                    _ => {}
                }
                reader.white();
                if !reader.take(super::skip::closing(object)) {
                    reader
                        .expect(b',', if object { Expected::MoreOfObject } else { Expected::MoreOfList })?;
                    if object {
                        reader.white();
                        *key = Some(tree.key(reader)?);
                    }
                    break;
                }
                done = *parent;
                open.pop();
                tree.sort(done);
            }
        }
    }

    fn key(&mut self, reader: &mut Reader<'a>) -> Result<Key<'a>, Syntax> {
        let start = reader.at;
        let key = reader.key()?.decode();
        let at = start..start + 1;
        self.whole(&key, at.clone(), reader);
        Ok((self.normal(key), at))
    }

    fn normal(&mut self, text: Cow<'a, str>) -> Cow<'a, str> {
        if self.scalars == Scalars::Written {
            return text;
        }
        let normal = nfc(text.clone());
        self.denormal |= normal != text;
        normal
    }

    /// Notes a text that lost something when it was decoded.
    fn whole(&mut self, text: &str, at: Range<usize>, reader: &Reader<'a>) {
        if text.contains('\u{fffd}') && half_character(&reader.text[at.start..reader.at]) {
            self.ambiguities.push(Ambiguity::HalfCharacter { at });
        }
    }

    fn sort(&mut self, node: usize) {
        let Node::Object(fields) = &mut self.nodes[node] else { return };
        fields.sort_by(|a, b| a.key.cmp(&b.key)); // stable: of two, the later one is the repetition
        for pair in fields.windows(2).filter(|pair| pair[0].key == pair[1].key) {
            let (key, at) = (pair[1].key.clone().into_owned(), pair[1].at.clone());
            self.ambiguities.push(Ambiguity::Repeated { key, at });
        }
    }

    /// The fields of the whole value, if it is an object: key and canonical text, by key.
    pub fn fields(&self) -> Vec<(String, String)> {
        let Some(Node::Object(fields)) = self.nodes.first() else { return Vec::new() };
        let written = |field: &Field<'a>| {
            let mut out = String::new();
            self.write(field.value, &mut out);
            (field.key.clone().into_owned(), out)
        };
        fields.iter().map(written).collect()
    }

    /// The text of a top-level field that is a string, in NFC, or a whole number, and where the field stands.
    pub fn scalar(&self, key: &str) -> Option<(Option<&str>, Range<usize>)> {
        let Some(Node::Object(fields)) = self.nodes.first() else { return None };
        let field = fields.iter().find(|field| field.key == key)?;
        let text = match &self.nodes[field.value] {
            Node::Text(text) => Some(&**text),
            Node::Plain(text) if text.ends_with(|c: char| c.is_ascii_digit()) => {
                Some(&**text).filter(|text| !text.contains(['.', 'e']))
            }
            _ => None,
        };
        Some((text, field.at.clone()))
    }

    fn write(&self, node: usize, out: &mut String) {
        enum Step<'t> {
            Value(usize),
            Key(&'t str),
            Sign(char),
        }
        let mut steps = vec![Step::Value(node)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Sign(sign) => out.push(sign),
                Step::Key(key) => {
                    quote(key, out);
                    out.push(':');
                }
                Step::Value(node) => match &self.nodes[node] {
                    Node::Plain(text) => out.push_str(text),
                    Node::Text(text) => quote(text, out),
                    Node::List(items) => {
                        out.push('[');
                        steps.push(Step::Sign(']'));
                        for (i, item) in items.iter().enumerate().rev() {
                            steps.push(Step::Value(*item));
                            if i > 0 {
                                steps.push(Step::Sign(','));
                            }
                        }
                    }
                    Node::Object(fields) => {
                        out.push('{');
                        steps.push(Step::Sign('}'));
                        // Sorted, so that the last of a repeated key is the one whose follower has another key.
                        let mut later: Option<&Field<'a>> = None;
                        for field in fields.iter().rev() {
                            if later.is_some_and(|later| later.key == field.key) {
                                continue;
                            }
                            if later.replace(field).is_some() {
                                steps.push(Step::Sign(','));
                            }
                            steps.push(Step::Value(field.value));
                            steps.push(Step::Key(&field.key));
                        }
                    }
                },
            }
        }
    }
}

/// A text in Unicode's composed form.
pub fn nfc(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.is_ascii() || is_nfc(&text) { text } else { Cow::Owned(text.nfc().collect()) }
}

/// Writes a string as JSON, with the escapes that JSON demands and no others.
pub fn quote(text: &str, out: &mut String) {
    use std::fmt::Write;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\u{1f}' => _ = write!(out, "\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A number by its value, to the last digit: tools that format JSON turn `1.0` into `1` and `1e2` into `100`, which changes
/// nothing, while a double would let the change of a long id pass unseen.
///
/// Plain digits, unless that took more than forty zeros: then the digits, `e`, and the exponent.
fn number(text: &str) -> Cow<'_, str> {
    const ZEROS: i64 = 40;
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if plain(text) {
        return Cow::Borrowed(text); // nearly all: JSON allows no leading zero
    }
    let (sign, rest) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0').trim_end_matches('0');
    if significant.is_empty() {
        return Cow::Borrowed("0");
    }
    // An exponent of more than fifteen digits stays as it is written: nobody's tool rewrites it.
    let Some(exponent) = exponent.parse::<i64>().ok().filter(|e| e.unsigned_abs() < 1_000_000_000_000_000)
    else {
        return Cow::Borrowed(text);
    };
    let dropped = digits.len() - digits.trim_end_matches('0').len();
    let exponent = exponent - fraction.len() as i64 + dropped as i64;
    let point = significant.len() as i64 + exponent; // how many digits stand before it
    let zeros = |n: i64| "0".repeat(usize::try_from(n).unwrap_or(0));
    Cow::Owned(if (0..=ZEROS).contains(&exponent) {
        format!("{sign}{significant}{}", zeros(exponent))
    } else if exponent < 0 && point > 0 {
        let (before, behind) = significant.split_at(usize::try_from(point).unwrap_or(0));
        format!("{sign}{before}.{behind}")
    } else if exponent < 0 && -point <= ZEROS {
        format!("{sign}0.{}{significant}", zeros(-point))
    } else {
        format!("{sign}{significant}e{exponent}")
    })
}

/// Whether an escape of the text, as it is written, is half of a surrogate pair.
fn half_character(raw: &str) -> bool {
    let unit = |at: usize| raw.get(at + 2..at + 6).and_then(|hex| u32::from_str_radix(hex, 16).ok());
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', &raw.as_bytes()[at..]) {
        at += found;
        if !raw.as_bytes()[at..].starts_with(b"\\u") {
            at += 2;
            continue;
        }
        let follows = || raw[at + 6..].starts_with("\\u").then(|| unit(at + 6)).flatten();
        at += match unit(at) {
            Some(0xd800..0xdc00) if matches!(follows(), Some(0xdc00..0xe000)) => 12,
            Some(0xd800..0xe000) => return true,
            _ => 6,
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn normal(text: &str) -> String {
        let mut reader = Reader::new(text);
        let tree = Tree::read(&mut reader, Scalars::Normal).unwrap();
        reader.end().unwrap();
        assert!(tree.ambiguities.is_empty(), "{:?}", tree.ambiguities);
        let mut out = String::new();
        tree.write(0, &mut out);
        out
    }

    #[test]
    fn one_value_has_one_text() {
        for (text, expected) in [
            (r#" { "b" : [ 1 , { } , [ ] ] , "a" : null } "#, r#"{"a":null,"b":[1,{},[]]}"#),
            (
                r#"{"z":true,"é":"e\u0301\/\u0000\n","Z":false}"#,
                "{\"Z\":false,\"z\":true,\"é\":\"é/\\u0000\\n\"}",
            ),
            (r#""\ud83d\ude00\\ud800 �""#, "\"😀\\\\ud800 �\""),
            ("[[[]],{\"a\":{\"b\":[{}]}}]", "[[[]],{\"a\":{\"b\":[{}]}}]"),
        ] {
            assert_eq!(normal(text), expected);
            assert_eq!(normal(expected), expected, "canonical text stays as it is");
        }
    }

    #[test]
    fn numbers_are_their_values() {
        for (texts, expected) in [
            (&["1", "1.0", "1e0", "10e-1", "0.1E+1", "1.000"][..], "1"),
            (&["0", "-0", "0.00", "-0e9", "0e99999999999999999999"], "0"),
            (&["100", "1e2", "1E+2"], "100"),
            (&["-0.5", "-5e-1", "-0.50"], "-0.5"),
            (&["12.25", "1225e-2"], "12.25"),
            (&["0.00125", "1.25e-3"], "0.00125"),
            (&["9007199254740993"], "9007199254740993"),
            (&["1e41", "10e40"], "1e41"),
            (&["1.5e-42", "15e-43"], "15e-43"),
            (&["1e99999999999999999999"], "1e99999999999999999999"),
        ] {
            for text in texts {
                assert_eq!(number(text), expected, "{text}");
                assert_eq!(number(expected), expected);
            }
        }
    }

    #[test]
    fn ambiguities_have_their_places() {
        let ambiguities = |text: &str| {
            format!("{:?}", Tree::read(&mut Reader::new(text), Scalars::Normal).unwrap().ambiguities)
        };
        assert_eq!(ambiguities(r#"{"a":1,"b":{"x":1,"x":2},"a":3}"#).matches("Repeated").count(), 2);
        assert!(ambiguities(r#"{"a":1,"a":3}"#).contains("at: 7..8"));
        assert!(ambiguities("{\"é\":1,\"e\u{301}\":3}").contains("Repeated"), "one key to whoever composes");
        assert!(ambiguities(r#"["\ud800"]"#).contains("HalfCharacter { at: 1..9 }"));
        assert!(ambiguities(r#"["\ud800\u0041"]"#).contains("Half"));
        assert!(ambiguities(r#"["\udc00"]"#).contains("Half"));
        assert_eq!(ambiguities(r#"["\ud83d\ude00", "\ufffd", "\\ud800"]"#), "[]");
    }

    #[test]
    fn a_nesting_bomb_is_a_message() {
        let deep = "[".repeat(100_000);
        assert!(
            Tree::read(&mut Reader::new(&deep), Scalars::Normal).unwrap_err().expected().contains("nesting")
        );
        let fine = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
        assert_eq!(normal(&fine), fine);
    }

    #[test]
    fn the_order_of_keys_is_no_difference_and_a_digit_is() {
        let deep = &*format!("{}{}", "[".repeat(1000), "]".repeat(1000));
        let nested = r#" { "b" : [ 1 , {"z":null,"a":true} , [] ] , "a" : {} } "#;
        let escaped = r#"{"m":"\u00e8 \"q\" \\ \/ \u0001 \n","":"x"}"#;
        for (json, expected) in [
            (nested, r#"{"a":{},"b":[1,{"a":true,"z":null},[]]}"#),
            (r#"{"t":0.20}"#, r#"{"t":0.20}"#),
            (r#"{"t":1E3,"n":-0}"#, r#"{"n":-0,"t":1E3}"#),
            (escaped, r#"{"":"x","m":"è \"q\" \\ / \u0001 \n"}"#),
            (r#"{"a":1,"a":{"b":2}}"#, r#"{"a":{"b":2}}"#),
            (r#"{"a":"b:","c":[":","x"]}"#, r#"{"a":"b:","c":[":","x"]}"#),
            ("{}", "{}"),
            (deep, deep),
        ] {
            assert_eq!(canonical(json).as_deref(), Ok(expected));
        }
    }

    proptest! {
        /// Equal values have equal texts, and a text is its own canonical form.
        #[test]
        fn canonical_text_is_a_fixed_point(keys in prop::collection::vec("[a-c\"\\\\ é]{0,3}", 0..5), n in 0u8..4) {
            let mut object = serde_json::Map::new();
            for (i, key) in keys.iter().enumerate() {
                object.insert(key.clone(), serde_json::json!([i, key, {"x": n, key.clone(): null}]));
            }
            let mut turned = serde_json::Map::new();
            for (key, value) in object.iter().rev() {
                turned.insert(key.clone(), value.clone());
            }
            let (a, b) = (serde_json::Value::from(object), serde_json::Value::from(turned));
            let text = canonical(&a.to_string()).unwrap();
            prop_assert_eq!(&text, &canonical(&format!("{b:#}")).unwrap());
            prop_assert_eq!(&text, &canonical(&text).unwrap());
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), a);
        }
    }
}
