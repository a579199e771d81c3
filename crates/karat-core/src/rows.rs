//! READ: how does one line become the model, whichever dialects its fields belong to?
//!
//! A row offers each of its fields to every dialect in turn. What breaks the contract is noted with its place and the
//! reading goes on, so that everything that is wrong with a row is told at once.

use std::borrow::Cow;
use std::ops::Range;

use crate::dialects;
use crate::input::json::{Kind, Reader, Syntax, Text};
use crate::model::{Id, Listed, Trace};
use crate::problem;
use crate::text::{trim, trim_cow};

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
    /// The problem of a text that stopped being JSON.
    #[must_use]
    pub fn syntax(error: Syntax, line: &str) -> Self {
        let found = match line.get(error.at..).and_then(|rest| rest.chars().next()) {
            Some(c) => format!("`{}`", crate::text::visible(c.encode_utf8(&mut [0; 4]))),
            None => "the end of the line".into(),
        };
        let end = line.get(error.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Wrong {
            kind: &problem::BAD_JSON,
            span: error.at..error.at + end,
            path: String::new(),
            message: format!("this is not JSON: found {found}, expected {}", error.expected),
            expected: format!("expected {}", error.expected),
        }
    }
}

/// A trace while it is read: the model, what of it came from where, and what is wrong with it.
#[derive(Debug, Default)]
pub struct TraceRow<'a> {
    /// The trace so far.
    pub trace: Trace<'a>,
    /// The case that its id names, where gold knows it.
    pub case: Option<u32>,
    /// What broke the contract.
    pub wrong: Vec<Wrong>,
    /// Gold does not know the id: what follows is checked, and not kept.
    pub(crate) unknown: bool,
    /// `q_id`, `question`: used where `qid`, `q` are absent.
    other_id: Option<Cow<'a, str>>,
    other_question: Option<Text<'a>>,
    /// Whether `retrieved_ids` and `answer_json` were there: they beat `chunks` and `answer`.
    pub(crate) has_retrieved_ids: bool,
    pub(crate) has_answer_json: bool,
    /// The text dialect's fields, kept apart until the whole row is read.
    pub(crate) answer: Option<Cow<'a, str>>,
    pub(crate) citations: Listed,
    pub(crate) cited: Vec<Id<'a>>,
}

/// The id that a line will turn out to have, if it stands among its first fields; a guess that reading confirms.
#[must_use]
pub fn peek_id(line: &str) -> Option<Cow<'_, str>> {
    const FIELDS: usize = 4;
    let (mut id, mut fields) = (None, 0);
    // The error ends the reading: there is nothing wrong with the line.
    let enough = Syntax { at: 0, expected: "" };
    let _ = Reader::new(line).object(|reader, key| {
        fields += 1;
        match key {
            "qid" if reader.peek()? == Kind::String => {
                id = Some(reader.string()?.decode());
                Err(enough)
            }
            _ if fields == FIELDS => Err(enough),
            _ => reader.skip(),
        }
    });
    id
}

impl<'a> TraceRow<'a> {
    /// Reads one line; `find` knows the cases by id. The memory of the lists is kept from line to line.
    pub fn read(&mut self, line: &'a str, find: impl Fn(&str) -> Option<u32>) {
        self.clear();
        let mut ids = 0;
        let read = self.fields(line, &mut |row, id| {
            ids += 1;
            row.case = id.and_then(&find);
            row.unknown = id.is_some() && row.case.is_none();
        });
        if ids > 1 && read.is_ok() {
            // The last of several `qid` counts, and fields may have been dropped for the sake of the first.
            self.clear();
            let _ = self.fields(line, &mut |_, _| {});
            self.case = self.trace.id.as_deref().and_then(&find);
        }
        if let Err(error) = read {
            self.wrong.push(Wrong::syntax(error, line));
            return;
        }
        if self.trace.id.is_none() {
            self.trace.id = self.other_id.take();
            self.case = self.trace.id.as_deref().and_then(&find);
        }
        if self.trace.question.is_none() {
            self.trace.question = self.other_question.take();
        }
        if !self.has_answer_json {
            dialects::cited_text::finish(self);
        }
        if self.wrong.is_empty() && self.trace.id.is_none() && self.trace.question.is_none() {
            self.wrong.push(Wrong {
                kind: &problem::TRACE_NO_CASE,
                span: 0..line.len().min(1),
                path: String::new(),
                message: "this trace names no case".into(),
                expected: "expected a `qid`, or the question as `q`".into(),
            });
        }
    }

    fn fields(
        &mut self,
        line: &'a str,
        named: &mut impl FnMut(&mut Self, Option<&str>),
    ) -> Result<(), Syntax> {
        let mut reader = Reader::new(line);
        if reader.peek()? != Kind::Object {
            let (start, kind) = (reader.offset(), reader.peek()?);
            reader.skip()?;
            reader.end()?;
            self.wrong.push(Wrong {
                kind: &problem::TRACE_NOT_AN_OBJECT,
                span: start..start + reader.since(start).len(),
                path: String::new(),
                message: format!("this line is {}, not an object", kind.with_article()),
                expected: "expected an object".into(),
            });
            return Ok(());
        }
        reader.object(|reader, key| self.field(reader, key, named))?;
        reader.end()
    }

    fn field(
        &mut self,
        reader: &mut Reader<'a>,
        key: &str,
        named: &mut impl FnMut(&mut Self, Option<&str>),
    ) -> Result<(), Syntax> {
        let wrong = &mut self.wrong;
        let kind = &problem::TRACE_WRONG_TYPE;
        match key {
            "qid" => {
                let id = id(reader, key, kind, wrong)?;
                named(self, id.as_deref());
                self.trace.id = id;
            }
            "q_id" => self.other_id = id(reader, key, kind, wrong)?,
            "q" => self.trace.question = question(reader, key, kind, wrong)?,
            "question" => self.other_question = question(reader, key, kind, wrong)?,
            "ok" => self.trace.ok = boolean(reader, key, kind, wrong)?,
            "reason" if reader.peek()? == Kind::String => self.trace.reason = Some(reader.string()?),
            _ => {
                for dialect in dialects::ALL {
                    if (dialect.read_trace)(key, reader, self)? {
                        return Ok(());
                    }
                }
                reader.skip()?;
            }
        }
        Ok(())
    }

    fn clear(&mut self) {
        let trace = &mut self.trace;
        (trace.id, trace.question, trace.ok, trace.reason, trace.claim) = (None, None, None, None, None);
        (trace.citations, trace.echo, self.citations) = (Listed::Absent, Listed::Absent, Listed::Absent);
        (self.other_id, self.other_question, self.answer) = (None, None, None);
        (self.case, self.unknown, self.has_retrieved_ids, self.has_answer_json) = (None, false, false, false);
        trace.retrieved.clear();
        trace.cited.clear();
        trace.echoed.clear();
        self.cited.clear();
        self.wrong.clear();
    }
}

/// A text of gold and where it stands in its row.
pub type Placed<'a> = (Cow<'a, str>, Range<usize>);

/// A gold row while it is read. Fields that were absent are `None`; spans are bytes of the row.
#[derive(Debug, Default)]
pub struct GoldRow<'a> {
    /// What broke the contract.
    pub wrong: Vec<Wrong>,
    /// The id and where it stands.
    pub id: Option<Placed<'a>>,
    /// The question and where it stands.
    pub question: Option<Placed<'a>>,
    /// Whether it can be answered.
    pub answerable: Option<bool>,
    /// `gold_claim_substr`, each with its place.
    pub phrases: Option<Vec<Placed<'a>>>,
    /// `gold_citations` or `gold_ids`.
    pub citations: Option<Vec<Placed<'a>>>,
    /// `constraints`.
    pub constraints: Option<Vec<Placed<'a>>>,
    /// `forbidden_substr`.
    pub forbidden: Option<Vec<Placed<'a>>>,
    /// `match: all`.
    pub match_all: bool,
    /// `gold_claim` of the text dialect.
    pub gold_claim: Option<Cow<'a, str>>,
    /// Fields that only one of the contracts has were seen.
    pub has_answer_json: bool,
    /// The same for the text dialect.
    pub has_cited_text: bool,
    /// Names of the fields whose value was refused: not also missing.
    pub refused: Vec<&'static str>,
}

impl<'a> GoldRow<'a> {
    /// Reads one row; `slice` sees every field before it is read, and the reader to look at its value with.
    pub fn read(
        &mut self,
        reader: &mut Reader<'a>,
        mut slice: impl FnMut(&str, &Reader<'a>),
    ) -> Result<(), Syntax> {
        reader.object(|reader, key| {
            slice(key, reader);
            self.field(reader, key)
        })
    }

    fn field(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
        let kind = &problem::GOLD_WRONG_TYPE;
        let start = reader.offset();
        match key {
            "qid" => {
                let before = self.wrong.len();
                let id = id(reader, key, kind, &mut self.wrong)?;
                if self.wrong.len() > before {
                    self.refused.push("qid");
                }
                self.id = id.map(|id| (id, start..start + reader.since(start).len()));
            }
            "question" | "q" => {
                let text = question(reader, key, kind, &mut self.wrong)?;
                let span = start..start + reader.since(start).len();
                self.question = text.map(|text| (text.decode(), span)).or(self.question.take());
            }
            "answerable" => {
                let before = self.wrong.len();
                self.answerable = boolean(reader, key, kind, &mut self.wrong)?;
                if self.wrong.len() > before {
                    self.refused.push("answerable");
                }
            }
            _ => {
                for dialect in dialects::ALL {
                    if (dialect.read_gold)(key, reader, self)? {
                        return Ok(());
                    }
                }
                reader.skip()?;
            }
        }
        Ok(())
    }
}

/// Notes a value of the wrong type and skips it.
#[cold]
pub(crate) fn refuse(
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

/// An id: a string or a whole number, read as its decimal text; an empty one is absent.
fn id<'a>(
    reader: &mut Reader<'a>,
    key: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Cow<'a, str>>, Syntax> {
    match reader.peek()? {
        Kind::String => Ok(Some(reader.string()?.decode()).filter(|id| !id.is_empty())),
        Kind::Null => reader.skip().map(|()| None),
        Kind::Number => {
            let at = reader.clone();
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
fn question<'a>(
    reader: &mut Reader<'a>,
    key: &str,
    kind: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Text<'a>>, Syntax> {
    match reader.peek()? {
        Kind::String => Ok(Some(reader.string()?).filter(|text| !text.is_empty())),
        Kind::Null => reader.skip().map(|()| None),
        _ => refuse(reader, key, "a string", kind, wrong).map(|()| None),
    }
}

fn boolean(
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

/// The decimal text of a whole number.
fn whole(number: &str) -> Option<&str> {
    match number {
        "-0" => Some("0"),
        _ if number.contains(['.', 'e', 'E']) => None,
        _ => Some(number),
    }
}

/// The elements of a list of the log: text or whole numbers, trimmed, empty ones dropped. Anything else is an odd one.
#[inline]
pub(crate) fn elements<'a>(reader: &mut Reader<'a>, into: &mut Vec<Id<'a>>) -> Result<(), Syntax> {
    into.clear();
    reader.array(|reader| {
        if reader.peek()? == Kind::String
            && let Some(text) = reader.string_if_plain()?
        {
            let text = trim(text);
            if !text.is_empty() {
                into.push(Id { text: Cow::Borrowed(text), odd: false });
            }
            return Ok(());
        }
        into.extend(element(reader)?);
        Ok(())
    })
}

/// One element of a list of the log; `None` for an empty one.
pub(crate) fn element<'a>(reader: &mut Reader<'a>) -> Result<Option<Id<'a>>, Syntax> {
    let start = reader.offset();
    let text = match reader.peek()? {
        Kind::String => trim_cow(reader.string()?.decode()),
        Kind::Number => match whole(reader.number()?) {
            Some(text) => Cow::Borrowed(text),
            None => return Ok(Some(Id { text: reader.since(start).into(), odd: true })),
        },
        _ => {
            reader.skip()?;
            return Ok(Some(Id { text: reader.since(start).into(), odd: true }));
        }
    };
    Ok(if text.is_empty() { None } else { Some(Id { text, odd: false }) })
}

/// A list of the model's: whatever stands there, it is evidence and no error.
#[inline]
pub(crate) fn said_list<'a>(reader: &mut Reader<'a>, into: &mut Vec<Id<'a>>) -> Result<Listed, Syntax> {
    into.clear();
    match reader.peek()? {
        Kind::Null => reader.skip().map(|()| Listed::Absent),
        Kind::Array => elements(reader, into).map(|()| Listed::List),
        _ => reader.skip().map(|()| Listed::NotAList),
    }
}

/// A list of texts in gold, each with its place; `ids` are trimmed, may be whole numbers, and lose empty ones.
pub(crate) fn gold_list<'a>(
    reader: &mut Reader<'a>,
    key: &'static str,
    ids: bool,
    row: &mut GoldRow<'a>,
) -> Result<Option<Vec<Placed<'a>>>, Syntax> {
    let kind = &problem::GOLD_WRONG_TYPE;
    let expected = if ids { "a list of ids" } else { "a list of strings" };
    match reader.peek()? {
        Kind::Null => return reader.skip().map(|()| None),
        Kind::Array => {}
        _ => {
            row.refused.push(key);
            return refuse(reader, key, expected, kind, &mut row.wrong).map(|()| None);
        }
    }
    let (mut list, mut index) = (Vec::new(), 0);
    reader.array(|reader| {
        let start = reader.offset();
        let before = row.wrong.len();
        let value = match reader.peek()? {
            Kind::String => Some(reader.string()?.decode()),
            Kind::Number if ids => {
                let at = reader.clone();
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
            Some(text) if ids && trim(&text).is_empty() => {}
            Some(text) => {
                let text = if ids { trim_cow(text) } else { text };
                list.push((text, start..start + reader.since(start).len()));
            }
            None => {
                let each = if ids { "a string or a whole number" } else { "a string" };
                refuse(reader, format!("{key}[{index}]"), each, kind, &mut row.wrong)?;
            }
        }
        if row.wrong.len() > before {
            row.refused.push(key);
        }
        index += 1;
        Ok::<(), Syntax>(())
    })?;
    Ok(Some(list))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str) -> String {
        let mut row = TraceRow::default();
        row.read(line, |_| Some(0));
        let wrong: Vec<String> = row.wrong.iter().map(|w| format!("{} {}", w.kind.slug, w.message)).collect();
        let ids = |ids: &[Id]| {
            ids.iter()
                .map(|id| format!("{}{}", id.text, if id.odd { "!" } else { "" }))
                .collect::<Vec<_>>()
                .join(",")
        };
        let t = &row.trace;
        format!(
            "id={} claim={:?} {:?}[{}] of [{}] echo {:?}[{}]{}",
            t.id.as_deref().unwrap_or("-"),
            t.claim.as_deref(),
            t.citations,
            ids(&t.cited),
            ids(&t.retrieved),
            t.echo,
            ids(&t.echoed),
            wrong.iter().map(|w| format!(" / {w}")).collect::<String>()
        )
    }

    #[test]
    fn reads_the_first_contract() {
        assert_eq!(
            check(
                r#"{"qid":"A1","retrieved_ids":[" p1 ","",7,null,"p1"],"answer_json":{"claim":"x","citations":["p1",1.5],"constraints_echo":["a"]}}"#
            ),
            r#"id=A1 claim=Some("x") List[p1,1.5!] of [p1,7,null!,p1] echo List[a]"#
        );
        assert_eq!(
            check(
                r#"{"q_id":7,"answer_json":{"claim":5,"citations":"p1"},"chunks":[{"id":"c"}],"retrieved_ids":null}"#
            ),
            "id=7 claim=None NotAList[] of [c] echo Absent[]"
        );
        assert_eq!(check(r#"{"qid":"A1"}"#), "id=A1 claim=None Absent[] of [] echo Absent[]");
        assert_eq!(
            check(r#"{"qid":"A1","answer_json":"text","retrieved_ids":[]}"#),
            "id=A1 claim=None Absent[] of [] echo Absent[]"
        );
    }

    #[test]
    fn reads_the_second_contract() {
        assert_eq!(
            check(
                r#"{"q":"x?","chunks":[{"id":"p1","text":"…"},{"id":2},"p3",{}],"answer":"- a\n- Citations : [\"p1\", p2]"}"#
            ),
            "id=- claim=Some(\"- a\\n- Citations : [\\\"p1\\\", p2]\") List[p1,p2] of [p1,2,p3,{}!] echo Absent[]"
        );
        assert_eq!(
            check(r#"{"q":"x?","answer":"citations: [p1]","citations":"p1"}"#),
            r#"id=- claim=Some("citations: [p1]") NotAList[] of [] echo Absent[]"#
        );
        assert_eq!(
            check(r#"{"q":"x?","answer":"citations: []","citations":null}"#),
            r#"id=- claim=Some("citations: []") List[] of [] echo Absent[]"#
        );
    }

    #[test]
    fn names_what_is_wrong() {
        assert!(check("[1]").ends_with("trace/not-an-object this line is a list, not an object"));
        assert!(check(r#"{"qid":1.5,"ok":"no","retrieved_ids":"p1"}"#).ends_with(
            "/ trace/wrong-type `qid` is a number / trace/wrong-type `ok` is a string / trace/wrong-type `retrieved_ids` is a string"
        ));
        assert!(check(r#"{"qid":"","q":null}"#).ends_with("trace/no-case this trace names no case"));
        assert!(check(r#"{"qid":"A1""#).ends_with("found the end of the line, expected `,` or `}`"));
    }
}
