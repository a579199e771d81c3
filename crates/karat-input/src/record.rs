//! Reads a row by its declared fields.
//!
//! A [`Contract`] declares the fields of a file's rows once. From it come the schema, the reference page, how each value
//! is read, and what is said of one that is missing, occurs twice or has the wrong type. Values of a shape that only one
//! suite knows are left unread, for that suite to read: [`Record::at`].

use std::borrow::Cow;
use std::ops::Range;

use crate::field::{Field, Shape};
use crate::json::{Kind as Json, Reader, Syntax, Text};
use crate::keys::Keys;
use crate::problem::{self, Kind, Severity};
use crate::rows::{Placed, Wrong, boolean, id, list, list_or_refuse, object_at, refuse, repeated, timestamp};
use crate::table::SliceValues;
use crate::text;
use crate::timestamp::Timestamp;

/// How the rows of a kind of file are declared, and what breaking that is called.
#[derive(Debug)]
pub struct Contract {
    /// The fields; at most [`Contract::MOST`].
    pub fields: &'static [Field],
    /// What a row is called: row, block, chunk.
    pub noun: &'static str,
    /// A field that occurs twice is a problem: in files whose reading somebody may want to mislead, neither value may win.
    pub once: bool,
    /// The problems of a row are reported in the order of their places; otherwise in that of their discovery.
    pub by_place: bool,
    /// A row is not an object.
    pub not_an_object: &'static Kind,
    /// A value has the wrong type.
    pub wrong_type: &'static Kind,
    /// A value cannot be what it says.
    pub unknown_value: &'static Kind,
    /// A required field is missing.
    pub missing: &'static Kind,
    /// An id of a list is blank; without a kind it is dropped.
    pub blank: Option<&'static Kind>,
}

impl Contract {
    /// How many fields a contract may have: a record holds their values without allocating.
    pub const MOST: usize = 16;

    /// A gold set with these fields.
    #[must_use]
    pub const fn gold(fields: &'static [Field]) -> Self {
        Contract {
            fields,
            noun: "row",
            once: false,
            by_place: true,
            not_an_object: &problem::GOLD_NOT_AN_OBJECT,
            wrong_type: &problem::GOLD_WRONG_TYPE,
            unknown_value: &problem::GOLD_UNKNOWN_VALUE,
            missing: &problem::GOLD_MISSING_FIELD,
            blank: None,
        }
    }

    /// A log with these fields.
    #[must_use]
    pub const fn trace(fields: &'static [Field]) -> Self {
        Contract {
            not_an_object: &problem::TRACE_NOT_AN_OBJECT,
            wrong_type: &problem::TRACE_WRONG_TYPE,
            unknown_value: &problem::TRACE_UNKNOWN_VALUE,
            missing: &problem::TRACE_NO_CASE,
            ..Contract::gold(fields)
        }
    }
}

/// A row, read by its contract.
#[derive(Debug)]
pub struct Record<'a> {
    contract: &'static Contract,
    values: [Option<(Value<'a>, Range<usize>)>; Contract::MOST],
    /// Where the row begins in its text.
    pub start: usize,
    /// Its line in the file.
    pub line: u64,
    /// Its values in the fields that are sliced by.
    pub slices: SliceValues,
    /// What is wrong with it.
    pub wrong: Vec<Wrong>,
}

#[derive(Debug)]
enum Value<'a> {
    Id(Cow<'a, str>),
    Text(Text<'a>),
    Bool(bool),
    Time(Timestamp),
    List(Vec<Placed<'a>>),
    /// Not read yet.
    At(Reader<'a>),
}

/// The number of a declared field; `None` for a key that is not declared, or whose value is not looked at.
pub type Number = Option<u8>;

impl<'a> Record<'a> {
    /// Reads a line that must be one object, and notes the required fields that are missing. Where it is not one, that is
    /// the only thing to say about it.
    pub fn line(
        contract: &'static Contract,
        line: &'a str,
        keys: &mut Keys<Number>,
        see: impl FnMut(&str, &Reader<'a>),
    ) -> Result<Self, Wrong> {
        let mut reader = object_at(line, contract.not_an_object)?;
        let record = Record::read(contract, &mut reader, keys, see);
        let record = record.and_then(|record| reader.end().map(|()| record));
        let mut record = record.map_err(|error| Wrong::syntax(error, line))?;
        record.demand();
        Ok(record)
    }

    /// Reads the object that the reader stands at. `see` is shown every field before it is read; `keys` remembers the
    /// keys of the row before.
    pub fn read(
        contract: &'static Contract,
        reader: &mut Reader<'a>,
        keys: &mut Keys<Number>,
        mut see: impl FnMut(&str, &Reader<'a>),
    ) -> Result<Self, Syntax> {
        let mut record = Record {
            contract,
            values: [const { None }; Contract::MOST],
            start: reader.offset(),
            line: 0,
            slices: SliceValues::default(),
            wrong: Vec::new(),
        };
        let (mut seen, mut inner) = (0u64, *reader);
        keys.restart();
        let number = |key: &str| {
            let declared = contract.fields.iter().position(|field| field.name == key);
            declared.filter(|&at| !matches!(contract.fields[at].shape, Shape::Any)).map(|at| at as u8)
        };
        while let Some((number, key)) = keys.next(&mut inner, number)? {
            see(&key.text(&inner), &inner);
            match number {
                Some(at) if contract.once && seen >> at & 1 == 1 => {
                    repeated(contract.fields[usize::from(at)].name, &mut inner, &mut record.wrong)?;
                }
                Some(at) => {
                    seen |= 1 << at;
                    let start = inner.offset();
                    let value = record.value(&contract.fields[usize::from(at)], &mut inner)?;
                    let span = start..start + inner.since(start).len();
                    record.values[usize::from(at)] = value.map(|value| (value, span));
                }
                None => inner.skip()?,
            }
        }
        *reader = inner;
        Ok(record)
    }

    fn value(&mut self, field: &Field, reader: &mut Reader<'a>) -> Result<Option<Value<'a>>, Syntax> {
        let (key, kind, wrong) = (field.name, self.contract.wrong_type, &mut self.wrong);
        Ok(match (field.shape, reader.peek()?) {
            (_, Json::Null) => reader.skip().map(|()| None)?,
            (Shape::Id, _) if field.not_blank => {
                let id = id(reader, key, kind, wrong)?.map(text::trim_cow);
                id.filter(|id| !id.is_empty()).map(Value::Id)
            }
            (Shape::Id, _) => id(reader, key, kind, wrong)?.map(Value::Id),
            (Shape::Text, Json::String) => {
                let said = reader.string()?;
                let blank = field.not_blank && text::trim(&said.decode()).is_empty();
                (!blank).then_some(Value::Text(said))
            }
            (Shape::Text, _) => refuse(reader, key, "a string", kind, wrong).map(|()| None)?,
            (Shape::Bool, _) => boolean(reader, key, kind, wrong)?.map(Value::Bool),
            (Shape::Time, _) => {
                timestamp(reader, key, kind, self.contract.unknown_value, wrong)?.map(Value::Time)
            }
            (Shape::Texts, _) => list(reader, key, false, kind, wrong)?.map(Value::List),
            (Shape::Ids, _) => {
                list_or_refuse(reader, key, true, kind, self.contract.blank, wrong)?.map(Value::List)
            }
            _ => {
                let at = *reader;
                reader.skip()?;
                Some(Value::At(at))
            }
        })
    }

    /// Takes the value of a field and what `pick` finds in it, with its place. Each value can be taken once.
    fn take<T>(
        &mut self,
        name: &str,
        pick: impl FnOnce(Value<'a>) -> Option<T>,
    ) -> Option<(T, Range<usize>)> {
        let at = self.contract.fields.iter().position(|field| field.name == name)?;
        let (value, span) = self.values[at].take()?;
        pick(value).map(|value| (value, span))
    }

    /// An id and where it stands. Each value can be taken once.
    pub fn id(&mut self, name: &str) -> Option<Placed<'a>> {
        self.take(name, |value| if let Value::Id(id) = value { Some(id) } else { None })
    }

    /// A text that may be empty, and where it stands.
    pub fn string(&mut self, name: &str) -> Option<(Text<'a>, Range<usize>)> {
        self.take(name, |value| if let Value::Text(text) = value { Some(text) } else { None })
    }

    /// A text; an empty one is absent.
    pub fn text(&mut self, name: &str) -> Option<Cow<'a, str>> {
        self.string(name).map(|(text, _)| text.decode()).filter(|text| !text.is_empty())
    }

    /// A boolean.
    pub fn boolean(&mut self, name: &str) -> Option<bool> {
        let taken = self.take(name, |value| if let Value::Bool(value) = value { Some(value) } else { None });
        taken.map(|(value, _)| value)
    }

    /// A point in time, and where it stands.
    pub fn time(&mut self, name: &str) -> Option<(Timestamp, Range<usize>)> {
        self.take(name, |value| if let Value::Time(time) = value { Some(time) } else { None })
    }

    /// A list of texts or ids, each with its place, and where the list stands.
    pub fn list(&mut self, name: &str) -> Option<(Vec<Placed<'a>>, Range<usize>)> {
        self.take(name, |value| if let Value::List(list) = value { Some(list) } else { None })
    }

    /// A reader at a value that its suite reads itself, and where the value stands.
    pub fn at(&mut self, name: &str) -> Option<(Reader<'a>, Range<usize>)> {
        self.take(name, |value| if let Value::At(reader) = value { Some(reader) } else { None })
    }

    /// Reads a value that its suite reads itself: `read` is given a reader at it, its path, and what is wrong so far.
    pub fn with<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&mut Reader<'a>, &str, &mut Vec<Wrong>) -> Result<T, Syntax>,
    ) -> Option<T> {
        let (mut reader, _) = self.at(name)?;
        read(&mut reader, name, &mut self.wrong).ok()
    }

    /// Reads an object within the row by a contract of its own. What is wrong with it is added by [`Record::close`].
    pub fn nested(
        &mut self,
        name: &str,
        contract: &'static Contract,
        keys: &mut Keys<Number>,
        expected: &str,
    ) -> Option<Record<'a>> {
        let kind = self.contract.wrong_type;
        let read = self.with(name, |reader, path, wrong| match reader.peek()? {
            Json::Object => Record::read(contract, reader, keys, |_, _| ()).map(Some),
            _ => refuse(reader, path, expected, kind, wrong).map(|()| None),
        });
        read.flatten()
    }

    /// Adds what is wrong with an object within the row.
    pub fn close(&mut self, name: &str, nested: Record<'a>) {
        self.wrong.extend(nested.wrong.into_iter().map(|wrong| wrong.within(name)));
    }

    /// Where a value is that was not taken yet.
    #[must_use]
    pub fn span(&self, name: &str) -> Option<&Range<usize>> {
        let at = self.contract.fields.iter().position(|field| field.name == name)?;
        self.values[at].as_ref().map(|(_, span)| span)
    }

    /// Notes a problem of the row.
    pub fn note(
        &mut self,
        kind: &'static Kind,
        span: Range<usize>,
        path: impl Into<String>,
        message: impl Into<String>,
        expected: impl Into<String>,
    ) {
        self.wrong.push(Wrong::new(kind, span, path, message, expected));
    }

    /// Whether a field's value was refused, or something in it.
    #[must_use]
    pub fn refused(&self, name: &str) -> bool {
        let within = |path: &str| {
            path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        };
        self.wrong.iter().any(|wrong| within(&wrong.path))
    }

    /// Notes the required fields that are missing; of one whose value was refused that is already said. Asked before any
    /// value is taken.
    pub fn demand(&mut self) {
        let fields = self.contract.fields.iter().zip(&self.values);
        let absent = fields.filter(|(field, value)| value.is_none() && !self.refused(field.name));
        let missing: Vec<_> = absent.filter_map(|(field, _)| Some((field.name, field.required?))).collect();
        missing.into_iter().for_each(|(name, expected)| self.lacks(name, expected));
    }

    /// Notes that a field is missing.
    pub fn lacks(&mut self, name: &str, expected: &str) {
        let message = format!("this {} has no `{name}`", self.contract.noun);
        let span = self.start..self.start + 1;
        self.note(self.contract.missing, span, name, message, format!("expected {expected}"));
    }

    /// Notes an id that another gold row has; `first` is that row's line.
    pub fn used_before(&mut self, name: &str, (id, span): &Placed<'a>, first: u64) {
        let message = format!("{name} \"{}\" is already used on line {first}", text::visible(id));
        let expected = format!("expected a {name} that no other row has");
        self.note(&problem::GOLD_DUPLICATE_ID, span.clone(), name, message, expected);
    }

    /// Whether nothing is wrong with it that makes it useless.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.wrong.iter().all(|wrong| wrong.kind.severity != Severity::Error)
    }
}
