//! Ids as the lists of a log hold them.

use std::borrow::Cow;

use crate::json::{Kind, Reader, Syntax};
use crate::rows::whole;
use crate::text::{trim, trim_cow};

/// An id as a list of the log holds it.
#[derive(Clone, Debug)]
pub struct Id<'a> {
    /// Its text, trimmed; of an odd one, its JSON.
    pub text: Cow<'a, str>,
    /// It is neither text nor a whole number: it equals no id of gold and none that was retrieved.
    pub odd: bool,
    key: u64,
}

impl<'a> Id<'a> {
    /// An id with its key.
    #[inline]
    #[must_use]
    pub fn new(text: Cow<'a, str>, odd: bool) -> Self {
        Id { key: Id::key_of(&text), text, odd }
    }

    /// What all equal ids have in common, and few others: an id is compared by it first, and by its text where it holds.
    /// Ids of one corpus begin alike, so it is made of the end.
    #[inline]
    #[must_use]
    pub fn key_of(text: &str) -> u64 {
        let bytes = text.as_bytes();
        match bytes.last_chunk() {
            Some(end) => u64::from_le_bytes(*end),
            None => bytes.iter().fold(bytes.len() as u64, |key, &byte| key << 8 | u64::from(byte)),
        }
    }

    /// Whether it is this id of gold, whose key this is.
    #[inline]
    #[must_use]
    pub fn is(&self, key: u64, gold: &str) -> bool {
        self.key == key && self.text == *gold && !self.odd
    }
}

impl PartialEq for Id<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.text == other.text && self.odd == other.odd
    }
}

impl Eq for Id<'_> {}

/// What stands where a list was expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Listed {
    /// Nothing, or null.
    #[default]
    Absent,
    /// A list.
    List,
    /// Something that is no list.
    NotAList,
}

/// The elements of a list of the log: text or whole numbers, trimmed, empty ones dropped. Anything else is an odd one.
pub fn elements<'a>(reader: &mut Reader<'a>, into: &mut Vec<Id<'a>>) -> Result<(), Syntax> {
    into.clear();
    reader.strings(
        into,
        |into, text, _| {
            let text = trim(text);
            if !text.is_empty() {
                into.push(Id::new(Cow::Borrowed(text), false));
            }
        },
        |into, reader| {
            let (behind, id) = element_at(*reader)?;
            *reader = behind;
            into.extend(id);
            Ok(())
        },
    )
}

/// One element of a list of the log; `None` for an empty one.
pub fn element<'a>(reader: &mut Reader<'a>) -> Result<Option<Id<'a>>, Syntax> {
    let (behind, id) = element_at(*reader)?;
    *reader = behind;
    Ok(id)
}

/// An element of a list, and the place after it.
#[inline(never)]
fn element_at(mut reader: Reader<'_>) -> Result<(Reader<'_>, Option<Id<'_>>), Syntax> {
    let start = reader.offset();
    let (text, odd) = match reader.peek()? {
        Kind::String => (trim_cow(reader.string()?.decode()), false),
        Kind::Number => {
            let number = reader.number()?;
            (Cow::Borrowed(whole(number).unwrap_or(number)), whole(number).is_none())
        }
        _ => {
            reader.skip()?;
            (reader.since(start).into(), true)
        }
    };
    Ok((reader, (!text.is_empty()).then(|| Id::new(text, odd))))
}

/// A list of the model's: whatever stands there, it is evidence and no error.
#[inline]
pub fn said_list<'a>(reader: &mut Reader<'a>, into: &mut Vec<Id<'a>>) -> Result<Listed, Syntax> {
    into.clear();
    match reader.peek()? {
        Kind::Null => reader.skip().map(|()| Listed::Absent),
        Kind::Array => elements(reader, into).map(|()| Listed::List),
        _ => reader.skip().map(|()| Listed::NotAList),
    }
}
