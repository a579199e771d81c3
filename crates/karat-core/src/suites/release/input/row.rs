//! One line of the traces: an evidence path and an answer, as the log and the model wrote them.
//!
//! The path is the log's own: a wrong type in it is a problem. The answer is what the model said: whatever it is, it is
//! scored.

use std::borrow::Cow;
use std::ops::Range;

use crate::input::json::{Kind, Reader, Syntax};
use crate::problem;
use crate::rows::{
    Placed, Seen, Wrong, boolean, id, list, list_or_refuse, object, refuse, timestamp, unreadable, whole,
};
use crate::text;
use crate::timestamp::Timestamp;

/// Who asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Principal {
    pub(crate) user: Option<Box<str>>,
    pub(crate) groups: Vec<Box<str>>,
}

/// The stages of a path, in order.
pub(crate) const STAGES: [&str; 4] =
    ["first_stage_ids", "rerank_input_ids", "reranked_ids", "selected_context_ids"];

/// The other fields of a path.
const FIELDS: [&str; 9] = [
    STAGES[0],
    STAGES[1],
    STAGES[2],
    STAGES[3],
    "selected_versions",
    "versions",
    "principal",
    "ts",
    "case_id",
];

/// A row while it is read.
#[derive(Default)]
pub(crate) struct Row<'a> {
    seen: Seen,
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) case: Option<Placed<'a>>,
    pub(crate) should_release: Option<bool>,
    /// The path stands in an object of its own.
    pub(crate) nested: bool,
    pub(crate) path: Path<'a>,
    pub(crate) claims: Vec<Claim<'a>>,
    pub(crate) wrong: Vec<Wrong>,
}

/// An evidence path as it is logged.
#[derive(Default)]
pub(crate) struct Path<'a> {
    /// Wherever they stand: in an object of their own and at the top level, they are one path.
    seen: Seen,
    /// The case that was run, where the path stands in an object of its own.
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
    /// Its own phrases; `Err` holds the place of something else.
    pub(crate) phrases: Option<Result<Vec<Placed<'a>>, Range<usize>>>,
}

impl<'a> Row<'a> {
    /// Reads a line; what is wrong with it stands in `wrong`.
    pub(crate) fn read(line: &'a str) -> Row<'a> {
        let mut row = Row::default();
        let read = object(line, &problem::TRACE_NOT_AN_OBJECT, |reader, key| row.field(reader, key));
        if let Err(wrong) = read {
            row.wrong = vec![wrong];
        }
        row
    }

    fn field(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
        let (kind, start) = (&problem::TRACE_WRONG_TYPE, reader.offset());
        let own = ["name", "case_id", "should_release", "trace", "answer"];
        if self.seen.again(&own, key, reader, &mut self.wrong)? {
            return Ok(());
        }
        match key {
            "name" => self.name = id(reader, key, kind, &mut self.wrong)?,
            "case_id" => {
                let id = id(reader, key, kind, &mut self.wrong)?;
                self.case = id.map(|id| (id, start..start + reader.since(start).len()));
            }
            "should_release" => self.should_release = boolean(reader, key, kind, &mut self.wrong)?,
            "trace" => match reader.peek()? {
                Kind::Null => reader.skip()?,
                Kind::Object => {
                    self.nested = true;
                    let (path, wrong) = (&mut self.path, &mut self.wrong);
                    reader.object(|reader, key| match key {
                        "case_id" => {
                            if path.seen.again(&FIELDS, key, reader, wrong)? {
                                return Ok(());
                            }
                            path.case = id(reader, "trace.case_id", kind, wrong)?;
                            Ok(())
                        }
                        _ => path.field(reader, key, "trace.", wrong),
                    })?;
                }
                _ => refuse(reader, key, "an object", kind, &mut self.wrong)?,
            },
            "answer" => self.claims = answer(reader)?,
            _ => self.path.field(reader, key, "", &mut self.wrong)?,
        }
        Ok(())
    }
}

impl<'a> Path<'a> {
    fn field(
        &mut self,
        reader: &mut Reader<'a>,
        key: &str,
        under: &str,
        wrong: &mut Vec<Wrong>,
    ) -> Result<(), Syntax> {
        let kind = &problem::TRACE_WRONG_TYPE;
        let path = format!("{under}{key}");
        if key != "case_id" && self.seen.again(&FIELDS, key, reader, wrong)? {
            return Ok(());
        }
        if let Some(stage) = STAGES.iter().position(|stage| *stage == key) {
            let blank = Some(&problem::TRACE_UNKNOWN_VALUE);
            let ids = list_or_refuse(reader, &path, true, kind, blank, wrong)?;
            unreadable(ids.as_deref().unwrap_or_default(), &path, &problem::TRACE_UNKNOWN_VALUE, wrong);
            self.stages[stage] = ids.into_iter().flatten().map(|(id, _)| id).collect();
            return Ok(());
        }
        match key {
            "selected_versions" => {
                let versions = list(reader, &path, false, kind, wrong)?;
                self.selected_versions = versions.into_iter().flatten().map(|(text, _)| text).collect();
            }
            "versions" => self.versions(reader, &path, wrong)?,
            "principal" => self.principal = principal(reader, &path, wrong)?,
            "ts" => self.ts = timestamp(reader, &path, kind, &problem::TRACE_UNKNOWN_VALUE, wrong)?,
            _ => reader.skip()?,
        }
        Ok(())
    }

    /// An object, or a list of pairs. A key that comes twice stays twice.
    fn versions(
        &mut self,
        reader: &mut Reader<'a>,
        path: &str,
        wrong: &mut Vec<Wrong>,
    ) -> Result<(), Syntax> {
        self.versions.clear();
        let pairs = &mut self.versions;
        match reader.peek()? {
            Kind::Null => reader.skip(),
            Kind::Object => reader.object(|reader, key| {
                pairs.push((key.to_owned().into(), says_something(reader)?));
                Ok(())
            }),
            Kind::Array => reader.array(|reader| {
                let start = reader.offset();
                match pair(&mut { *reader })? {
                    Some(pair) => {
                        pairs.push(pair);
                        reader.skip()
                    }
                    None => {
                        reader.skip()?;
                        wrong.push(Wrong::new(
                            &problem::TRACE_WRONG_TYPE,
                            start..start + reader.since(start).len(),
                            format!("{path}[{}]", pairs.len()),
                            format!("an element of `{path}` is not a pair"),
                            "expected [name, value]",
                        ));
                        Ok(())
                    }
                }
            }),
            _ => refuse(
                reader,
                path,
                "an object, or a list of [name, value]",
                &problem::TRACE_WRONG_TYPE,
                wrong,
            ),
        }
    }
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

fn principal(
    reader: &mut Reader<'_>,
    path: &str,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Principal>, Syntax> {
    let kind = &problem::TRACE_WRONG_TYPE;
    match reader.peek()? {
        Kind::Null => return reader.skip().map(|()| None),
        Kind::Object => {}
        _ => {
            let expected = "an object with `user` and `groups`";
            return refuse(reader, path, expected, kind, wrong).map(|()| None);
        }
    }
    let (mut principal, mut seen) = (Principal::default(), Seen::default());
    reader.object(|reader, key| {
        if seen.again(&["user", "groups"], key, reader, wrong)? {
            return Ok(());
        }
        match key {
            "user" => match reader.peek()? {
                Kind::Null => reader.skip()?,
                Kind::String => {
                    let start = reader.offset();
                    let user = reader.string()?.decode();
                    let placed = [(user, start..start + reader.since(start).len())];
                    unreadable(&placed, &format!("{path}.user"), &problem::TRACE_UNKNOWN_VALUE, wrong);
                    let [(user, _)] = placed;
                    principal.user = Some(user.into());
                }
                _ => refuse(reader, format!("{path}.user"), "a string", kind, wrong)?,
            },
            "groups" => {
                let groups = list(reader, &format!("{path}.groups"), false, kind, wrong)?;
                let given = groups.as_deref().unwrap_or_default();
                unreadable(given, &format!("{path}.groups"), &problem::TRACE_UNKNOWN_VALUE, wrong);
                principal.groups = groups.into_iter().flatten().map(|(group, _)| group.into()).collect();
            }
            _ => reader.skip()?,
        }
        Ok::<(), Syntax>(())
    })?;
    Ok(Some(principal))
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
