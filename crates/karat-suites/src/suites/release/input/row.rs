//! One line of the traces: an evidence path and an answer, as the log and the model wrote them.
//!
//! The path is the log's own: a wrong type in it is a problem. The answer is what the model said: whatever it is, it is
//! scored.

use std::borrow::Cow;
use std::ops::Range;

use karat_input::record::{Contract, Number, Record};

use super::{PATH, PRINCIPAL, TRACE};
use crate::dialects::Field;
use crate::input::json::{Kind, Reader, Syntax};
use crate::input::keys::Keys;
use crate::problem;
use crate::rows::{Placed, Wrong, list, refuse, unreadable, whole};
use crate::text;
use crate::timestamp::Timestamp;

/// The fields of a path that a row may also have at its top level.
const TOP: &[Field] = &[
    TRACE[0],
    Field { required: None, ..TRACE[1] },
    TRACE[2],
    TRACE[3],
    TRACE[4],
    PATH[1],
    PATH[2],
    PATH[3],
    PATH[4],
    PATH[5],
    PATH[6],
    PATH[7],
    PATH[8],
];

const ROW_CONTRACT: Contract = contract(TOP);
const PATH_CONTRACT: Contract = contract(PATH);
const PRINCIPAL_CONTRACT: Contract = contract(PRINCIPAL);

const fn contract(fields: &'static [Field]) -> Contract {
    Contract { once: true, blank: Some(&problem::TRACE_UNKNOWN_VALUE), ..Contract::trace(fields) }
}

/// The keys of the row before, and of the objects within it.
#[derive(Default)]
pub(crate) struct RowKeys {
    row: Keys<Number>,
    path: Keys<Number>,
    principal: Keys<Number>,
}

/// Who asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Principal {
    pub(crate) user: Option<Box<str>>,
    pub(crate) groups: Vec<Box<str>>,
}

/// The stages of a path, in order.
pub(crate) const STAGES: [&str; 4] =
    ["first_stage_ids", "rerank_input_ids", "reranked_ids", "selected_context_ids"];

/// A row while it is read.
#[derive(Default)]
pub(crate) struct Row<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) case: Option<Placed<'a>>,
    pub(crate) should_release: Option<bool>,
    /// The path is in an object of its own.
    pub(crate) nested: bool,
    pub(crate) path: Path<'a>,
    pub(crate) claims: Vec<Claim<'a>>,
    pub(crate) wrong: Vec<Wrong>,
}

/// An evidence path as it is logged.
#[derive(Default)]
pub(crate) struct Path<'a> {
    /// The case that was run, where the path is in an object of its own.
    pub(crate) case: Option<Cow<'a, str>>,
    pub(crate) stages: [Vec<Cow<'a, str>>; 4],
    pub(crate) selected_versions: Vec<Cow<'a, str>>,
    /// The versions of the pipeline's parts by name, and whether each says anything.
    pub(crate) versions: Vec<(Cow<'a, str>, bool)>,
    pub(crate) principal: Option<Principal>,
    pub(crate) ts: Option<Timestamp>,
}

/// A claim as the model made it.
#[derive(Default)]
pub(crate) struct Claim<'a> {
    pub(crate) id: Option<Cow<'a, str>>,
    pub(crate) text: Option<Cow<'a, str>>,
    pub(crate) citation: Option<Cow<'a, str>>,
    pub(crate) point: Option<Cow<'a, str>>,
    /// Its own phrases; `Err` is the place of something else.
    pub(crate) phrases: Option<Result<Vec<Placed<'a>>, Range<usize>>>,
}

impl<'a> Row<'a> {
    /// Reads a line; what is wrong with it is in `wrong`.
    pub(crate) fn read(line: &'a str) -> Row<'a> {
        Row::read_with(line, &mut RowKeys::default())
    }

    /// Reads a line, as [`Row::read`] does, with the keys of the line before.
    pub(crate) fn read_with(line: &'a str, keys: &mut RowKeys) -> Row<'a> {
        match Record::line(&ROW_CONTRACT, line, &mut keys.row, |_, _| ()) {
            Ok(row) => Row::of(row, keys),
            Err(torn) => Row { wrong: vec![torn], ..Row::default() },
        }
    }

    fn of(mut row: Record<'a>, keys: &mut RowKeys) -> Row<'a> {
        let trace = row.nested("trace", &PATH_CONTRACT, &mut keys.path, "an object");
        let (mut path, nested) = (Path::default(), trace.is_some());
        if let Some(mut trace) = trace {
            // In an object of their own and at the top level, the fields are one path.
            for field in &PATH[1..] {
                let (Some(one), Some(other)) = (row.span(field.name), trace.span(field.name)) else {
                    continue;
                };
                let span = if one.start > other.start { one.clone() } else { other.clone() };
                let message = format!("`{}` occurs in this row twice", field.name);
                row.note(&problem::REPEATED_FIELD, span, field.name, message, "expected it once");
            }
            path.case = trace.id("case_id").map(|(id, _)| id);
            path.take(&mut trace, &mut keys.principal);
            row.close("trace", trace);
        }
        path.take(&mut row, &mut keys.principal);
        Row {
            name: row.id("name").map(|(name, _)| name),
            case: row.id("case_id"),
            should_release: row.boolean("should_release"),
            nested,
            path,
            claims: row.with("answer", |reader, _, _| answer(reader)).unwrap_or_default(),
            wrong: row.wrong,
        }
    }
}

impl<'a> Path<'a> {
    /// Takes the fields of a path that a record has.
    fn take(&mut self, record: &mut Record<'a>, keys: &mut Keys<Number>) {
        for (stage, name) in self.stages.iter_mut().zip(STAGES) {
            if let Some((ids, _)) = record.list(name) {
                unreadable(&ids, name, &problem::TRACE_UNKNOWN_VALUE, &mut record.wrong);
                *stage = ids.into_iter().map(|(id, _)| id).collect();
            }
        }
        if let Some((versions, _)) = record.list("selected_versions") {
            self.selected_versions = versions.into_iter().map(|(text, _)| text).collect();
        }
        self.versions.extend(record.with("versions", versions).into_iter().flatten());
        self.principal = principal(record, keys).or(self.principal.take());
        self.ts = record.time("ts").map(|(ts, _)| ts).or(self.ts.take());
    }
}

/// The versions of the pipeline's parts: an object, or a list of pairs. A key that comes twice stays twice.
fn versions<'a>(
    reader: &mut Reader<'a>,
    path: &str,
    wrong: &mut Vec<Wrong>,
) -> Result<Vec<(Cow<'a, str>, bool)>, Syntax> {
    let (mut pairs, kind) = (Vec::new(), &problem::TRACE_WRONG_TYPE);
    match reader.peek()? {
        Kind::Object => reader.object(|reader, key| {
            pairs.push((key.to_owned().into(), says_something(reader)?));
            Ok::<(), Syntax>(())
        })?,
        Kind::Array => reader.array(|reader| {
            let (start, pair) = (reader.offset(), pair(&mut { *reader })?);
            reader.skip()?;
            if pair.is_none() {
                let (span, at) =
                    (start..start + reader.since(start).len(), format!("{path}[{}]", pairs.len()));
                let message = format!("an element of `{path}` is not a pair");
                wrong.push(Wrong::new(kind, span, at, message, "expected [name, value]"));
            }
            pairs.extend(pair);
            Ok::<(), Syntax>(())
        })?,
        _ => refuse(reader, path, "an object, or a list of [name, value]", kind, wrong)?,
    }
    Ok(pairs)
}

/// A version by name: `["index", "v7"]`.
fn pair<'a>(reader: &mut Reader<'a>) -> Result<Option<(Cow<'a, str>, bool)>, Syntax> {
    if reader.peek()? != Kind::Array {
        return Ok(None);
    }
    let (mut name, mut says, mut length) = (None, false, 0);
    reader.array(|reader| {
        match length {
            0 if reader.peek()? == Kind::String => name = Some(reader.string()?.decode()),
            1 => says = says_something(reader)?,
            _ => reader.skip()?,
        }
        length += 1;
        Ok::<(), Syntax>(())
    })?;
    Ok(name.filter(|_| length == 2).map(|name| (name, says)))
}

/// Whether a version is given: a number, or a text with a letter or digit in it.
fn says_something(reader: &mut Reader<'_>) -> Result<bool, Syntax> {
    match reader.peek()? {
        Kind::String => Ok(reader.string()?.decode().chars().any(char::is_alphanumeric)),
        Kind::Number => reader.skip().map(|()| true),
        _ => reader.skip().map(|()| false),
    }
}

fn principal<'a>(record: &mut Record<'a>, keys: &mut Keys<Number>) -> Option<Principal> {
    let expected = "an object with `user` and `groups`";
    let mut principal = record.nested("principal", &PRINCIPAL_CONTRACT, keys, expected)?;
    let user = principal.string("user").map(|(user, span)| (user.decode(), span));
    let groups = principal.list("groups").map(|(groups, _)| groups).unwrap_or_default();
    unreadable(user.as_slice(), "user", &problem::TRACE_UNKNOWN_VALUE, &mut principal.wrong);
    unreadable(&groups, "groups", &problem::TRACE_UNKNOWN_VALUE, &mut principal.wrong);
    record.close("principal", principal);
    let groups = groups.into_iter().map(|(group, _)| group.into()).collect();
    Some(Principal { user: user.map(|(user, _)| user.into()), groups })
}

/// The claims of an answer; whatever it is.
fn answer<'a>(reader: &mut Reader<'a>) -> Result<Vec<Claim<'a>>, Syntax> {
    let mut claims = Vec::new();
    if reader.peek()? != Kind::Object {
        return reader.skip().map(|()| claims);
    }
    reader.object(|reader, key| match key {
        "claims" => {
            if reader.peek()? != Kind::Array {
                return reader.skip();
            }
            reader.array(|reader| {
                claims.push(claim(reader)?);
                Ok(())
            })
        }
        _ => reader.skip(),
    })?;
    Ok(claims)
}

fn claim<'a>(reader: &mut Reader<'a>) -> Result<Claim<'a>, Syntax> {
    let mut claim = Claim::default();
    if reader.peek()? != Kind::Object {
        return reader.skip().map(|()| claim);
    }
    reader.object(|reader, key| {
        match key {
            "claim_id" => claim.id = said(reader)?,
            "text" => claim.text = said(reader)?,
            "answer_point" => claim.point = said(reader)?,
            "citation_id" => claim.citation = citation(reader)?,
            "support_phrases" => claim.phrases = phrases(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    })?;
    Ok(claim)
}

/// A text of the model's; anything else is none.
fn said<'a>(reader: &mut Reader<'a>) -> Result<Option<Cow<'a, str>>, Syntax> {
    match reader.peek()? {
        Kind::String => Ok(Some(reader.string()?.decode())),
        _ => reader.skip().map(|()| None),
    }
}

/// The id that a claim cites: a text that is not blank, or a whole number.
fn citation<'a>(reader: &mut Reader<'a>) -> Result<Option<Cow<'a, str>>, Syntax> {
    match reader.peek()? {
        Kind::String => {
            let id = text::trim_cow(reader.string()?.decode());
            Ok(Some(id).filter(|id| !id.is_empty()))
        }
        Kind::Number => Ok(whole(reader.number()?).map(Cow::Borrowed)),
        _ => reader.skip().map(|()| None),
    }
}

/// A claim's own phrases, each with its place.
#[allow(clippy::type_complexity)]
fn phrases<'a>(reader: &mut Reader<'a>) -> Result<Option<Result<Vec<Placed<'a>>, Range<usize>>>, Syntax> {
    let start = reader.offset();
    if reader.peek()? == Kind::Null {
        return reader.skip().map(|()| None);
    }
    let mut wrong = Vec::new();
    let list = list(reader, "support_phrases", false, &problem::TRACE_WRONG_TYPE, &mut wrong)?;
    let span = start..start + reader.since(start).len();
    Ok(Some(list.filter(|_| wrong.is_empty()).ok_or(span)))
}
