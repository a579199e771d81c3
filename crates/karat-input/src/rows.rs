//! Reads the values of one row, and notes what breaks its contract.
//!
//! What is wrong is noted with its place and the reading goes on, so that everything that is wrong with a row is reported
//! at once.

use std::borrow::Cow;
use std::ops::Range;
use std::str::FromStr;

use crate::json::{Expected, Kind, Reader, Syntax, Text};
use crate::problem;
use crate::text::{self, trim, trim_cow};
use crate::timestamp::Timestamp;

/// A text and where it stands in its row.
pub type Placed<'a> = (Cow<'a, str>, Range<usize>);

/// Something in a row that broke the contract.
#[derive(Debug)]
pub struct Wrong {
    /// Which kind of problem.
    pub kind: &'static problem::Kind,
    /// Where in the row, in bytes.
    pub span: Range<usize>,
    /// Which field.
    pub path: String,
    /// What was found.
    pub message: String,
    /// What was expected.
    pub expected: String,
}

impl Wrong {
    /// A problem at a place of the row.
    #[must_use]
    pub fn new(
        kind: &'static problem::Kind,
        span: Range<usize>,
        path: impl Into<String>,
        message: impl Into<String>,
        expected: impl Into<String>,
    ) -> Self {
        Wrong { kind, span, path: path.into(), message: message.into(), expected: expected.into() }
    }

    /// The problem of an object within its row: its path, and the path in its message, begin with the object's name.
    #[must_use]
    pub fn within(mut self, object: &str) -> Self {
        let field = self.path.split('[').next().unwrap_or_default();
        self.message = self.message.replacen(&format!("`{field}"), &format!("`{object}.{field}"), 1);
        self.path = format!("{object}.{}", self.path);
        self
    }

    /// The problem of a text that stopped being JSON.
    #[must_use]
    pub fn syntax(error: Syntax, line: &str) -> Self {
        let (at, expected) = (error.at(), format!("expected {}", error.expected()));
        let found = line.get(at..).and_then(|rest| rest.chars().next());
        let shown = match found {
            Some(c) => format!("`{}`", text::visible(c.encode_utf8(&mut [0; 4]))),
            None => "the end of the line".into(),
        };
        let message = format!("this is not JSON: found {shown}, {expected}");
        Wrong::new(&problem::BAD_JSON, at..at + found.map_or(0, char::len_utf8), "", message, expected)
    }
}

/// Notes a field that occurs in its row twice, and skips its value.
pub fn repeated(key: &str, reader: &mut Reader<'_>, wrong: &mut Vec<Wrong>) -> Result<(), Syntax> {
    let start = reader.offset();
    reader.skip()?;
    let span = start..start + reader.since(start).len();
    let message = format!("`{key}` occurs in this row twice");
    wrong.push(Wrong::new(&problem::REPEATED_FIELD, span, key, message, "expected it once"));
    Ok(())
}

/// Notes an id with a character that cannot be distinguished from others: half of a surrogate pair.
pub fn unreadable(ids: &[Placed<'_>], path: &str, kind: &'static problem::Kind, wrong: &mut Vec<Wrong>) {
    for (i, (_, span)) in ids.iter().enumerate().filter(|(_, (id, _))| id.contains('\u{fffd}')) {
        let message = format!("`{path}[{i}]` contains a character that cannot be read");
        let expected = "expected whole characters: half of a surrogate pair is like any other half";
        wrong.push(Wrong::new(kind, span.clone(), format!("{path}[{i}]"), message, expected));
    }
}

/// Reads a line that must be one object, calling `field` at each of its fields. Where it is not one, that is the only thing
/// to say about it.
pub fn object<'a>(
    line: &'a str,
    not_one: &'static problem::Kind,
    field: impl FnMut(&mut Reader<'a>, &str) -> Result<(), Syntax>,
) -> Result<(), Wrong> {
    let mut reader = object_at(line, not_one)?;
    let read = reader.object(field).and_then(|()| reader.end());
    read.map_err(|error| Wrong::syntax(error, line))
}

/// A reader at the object that a line must be.
pub fn object_at<'a>(line: &'a str, not_one: &'static problem::Kind) -> Result<Reader<'a>, Wrong> {
    let mut reader = Reader::new(line);
    match reader.peek() {
        Ok(Kind::Object) => Ok(reader),
        Ok(kind) => {
            let (at, message) =
                (reader.offset(), format!("this line is {}, not an object", kind.with_article()));
            Err(Wrong::new(not_one, at..at + 1, "", message, "expected an object"))
        }
        Err(error) => Err(Wrong::syntax(error, line)),
    }
}

/// Notes a value of the wrong type and skips it.
#[cold]
pub fn refuse(
    reader: &mut Reader<'_>,
    path: impl Into<String>,
    expected: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<(), Syntax> {
    let (found, start) = (reader.peek()?, reader.offset());
    reader.skip()?;
    let path = path.into();
    wrong.push(Wrong {
        kind,
        span: start..start + reader.since(start).len(),
        message: format!("`{path}` is {}", found.with_article()),
        path,
        expected: format!("expected {expected}"),
    });
    Ok(())
}

/// Whether the reader is at a list. Null is skipped; anything else is noted and skipped.
pub fn is_list(
    reader: &mut Reader<'_>,
    path: &str,
    expected: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<bool, Syntax> {
    match reader.peek()? {
        Kind::Array => Ok(true),
        Kind::Null => reader.skip().map(|()| false),
        _ => refuse(reader, path, expected, kind, wrong).map(|()| false),
    }
}

/// An id: a string or a whole number, read as its decimal text; an empty one is absent.
#[inline(always)]
pub fn id<'a>(
    reader: &mut Reader<'a>,
    key: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Cow<'a, str>>, Syntax> {
    match reader.peek()? {
        Kind::String => Ok(Some(reader.string()?.decode()).filter(|id| !id.is_empty())),
        Kind::Null => reader.skip().map(|()| None),
        Kind::Number => {
            let at = *reader;
            let number = reader.number()?;
            match whole(number) {
                Some(text) => Ok(Some(Cow::Borrowed(text))),
                None => {
                    *reader = at;
                    refuse(reader, key, "a string or a whole number", kind, wrong).map(|()| None)
                }
            }
        }
        _ => refuse(reader, key, "a string or a whole number", kind, wrong).map(|()| None),
    }
}

/// A question; an empty one is absent.
#[inline(always)]
pub fn question<'a>(
    reader: &mut Reader<'a>,
    key: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Text<'a>>, Syntax> {
    Ok(string(reader, key, kind, wrong)?.filter(|text| !text.is_empty()))
}

/// A text, which may be empty; null is absent.
#[inline(always)]
pub fn string<'a>(
    reader: &mut Reader<'a>,
    key: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Text<'a>>, Syntax> {
    match reader.peek()? {
        Kind::String => Ok(Some(reader.string()?)),
        Kind::Null => reader.skip().map(|()| None),
        _ => refuse(reader, key, "a string", kind, wrong).map(|()| None),
    }
}

/// A whole number that `T` can represent; null is absent.
pub fn integer<T: FromStr>(
    reader: &mut Reader<'_>,
    path: &str,
    expected: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<T>, Syntax> {
    match reader.peek()? {
        Kind::Null => reader.skip().map(|()| None),
        Kind::Number => {
            let start = reader.offset();
            let number = reader.number()?;
            let value = number.parse().ok();
            if value.is_none() {
                let span = start..start + number.len();
                let message = format!("`{path}` is {}", text::shorten(number, 40));
                wrong.push(Wrong::new(kind, span, path, message, format!("expected {expected}")));
            }
            Ok(value)
        }
        _ => refuse(reader, path, expected, kind, wrong).map(|()| None),
    }
}

/// The text of an object as it is in the row; null is absent.
pub fn object_text<'a>(
    reader: &mut Reader<'a>,
    key: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<&'a str>, Syntax> {
    let start = reader.offset();
    match reader.peek()? {
        Kind::Null => reader.skip().map(|()| None),
        Kind::Object => reader.skip().map(|()| Some(reader.since(start))),
        _ => refuse(reader, key, "an object", kind, wrong).map(|()| None),
    }
}

/// A boolean; null is absent.
#[inline(always)]
pub fn boolean(
    reader: &mut Reader<'_>,
    key: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<bool>, Syntax> {
    match reader.peek()? {
        Kind::Bool => reader.boolean().map(Some),
        Kind::Null => reader.skip().map(|()| None),
        _ => refuse(reader, key, "true or false", kind, wrong).map(|()| None),
    }
}

/// A list of texts that the contract demands to be one, each with its place; null is absent. `ids` are trimmed, may be
/// whole numbers, and lose empty ones.
pub fn list<'a>(
    reader: &mut Reader<'a>,
    key: &str,
    ids: bool,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Vec<Placed<'a>>>, Syntax> {
    list_or_refuse(reader, key, ids, kind, None, wrong)
}

/// A list as [`list`] reads it; a blank id is a problem of the kind `blank`, where there is one.
pub fn list_or_refuse<'a>(
    reader: &mut Reader<'a>,
    key: &str,
    ids: bool,
    kind: &'static problem::Kind,
    blank: Option<&'static problem::Kind>,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Vec<Placed<'a>>>, Syntax> {
    let expected = if ids { "a list of ids" } else { "a list of strings" };
    if !is_list(reader, key, expected, kind, wrong)? {
        return Ok(None);
    }
    let (mut list, mut index) = (Vec::new(), 0);
    reader.array(|reader| {
        let start = reader.offset();
        let value = match reader.peek()? {
            Kind::String => Some(reader.string()?.decode()),
            Kind::Number if ids => {
                let at = *reader;
                match whole(reader.number()?) {
                    Some(text) => Some(Cow::Borrowed(text)),
                    None => {
                        *reader = at;
                        None
                    }
                }
            }
            _ => None,
        };
        match value {
            Some(text) if ids && trim(&text).is_empty() => wrong.extend(blank.map(|kind| {
                let (path, span) = (format!("{key}[{index}]"), start..start + reader.since(start).len());
                let message = format!("`{path}` is an empty id");
                Wrong::new(kind, span, path, message, "expected an id that is not empty")
            })),
            Some(text) => {
                let text = if ids { trim_cow(text) } else { text };
                list.push((text, start..start + reader.since(start).len()));
            }
            None => {
                let each = if ids { "a string or a whole number" } else { "a string" };
                refuse(reader, format!("{key}[{index}]"), each, kind, wrong)?;
            }
        }
        index += 1;
        Ok::<(), Syntax>(())
    })?;
    Ok(Some(list))
}

/// A point in time; null is absent.
pub fn timestamp(
    reader: &mut Reader<'_>,
    path: &str,
    wrong_type: &'static problem::Kind,
    unknown: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Timestamp>, Syntax> {
    let start = reader.offset();
    let read = match reader.peek()? {
        Kind::Null => return reader.skip().map(|()| None),
        Kind::String => Timestamp::rfc3339(&reader.string()?.decode()),
        Kind::Number => Timestamp::epoch(reader.number()?),
        _ => return refuse(reader, path, Timestamp::EXPECTED, wrong_type, wrong).map(|()| None),
    };
    if read.is_none() {
        let message = format!("`{path}` is not a time that can be read");
        let span = start..start + reader.since(start).len();
        wrong.push(Wrong::new(unknown, span, path, message, format!("expected {}", Timestamp::EXPECTED)));
    }
    Ok(read)
}

/// Reads a list of strings without escapes, which nearly every list is; anything else is an error, and is for [`list`] to read.
pub fn plain_list<'a>(reader: &mut Reader<'a>, ids: bool, into: &mut Vec<Placed<'a>>) -> Result<(), Syntax> {
    reader.strings(
        into,
        |into, text, at| {
            let (text, span) = (if ids { trim(text) } else { text }, at..at + text.len() + 2);
            if !(ids && text.is_empty()) {
                into.push((Cow::Borrowed(text), span));
            }
        },
        |_, reader| Err(Syntax::new(reader.at(), Expected::String)),
    )
}

/// The decimal text of a whole number.
pub fn whole(number: &str) -> Option<&str> {
    match number {
        "-0" => Some("0"),
        _ if number.contains(['.', 'e', 'E']) => None,
        _ => Some(number),
    }
}
