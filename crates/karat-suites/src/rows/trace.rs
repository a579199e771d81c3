//! One line of the log.

use std::borrow::Cow;

use super::owner::FieldOwner;
use super::{Wrong, boolean, id, question};
use crate::input::json::{Kind, Reader, Syntax, Text};
use crate::model::{Id, Listed, Trace};
use crate::problem;
use crate::suites::answers::input::answer_json::AnswerKey;
use karat_input::keys::{Key, Keys};

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
    keys: Keys<FieldOwner>,
    pub(crate) answer_keys: Keys<AnswerKey>,
    /// The line, and how far it is read.
    line: &'a str,
    reader: Reader<'a>,
    /// How many `qid` there were so far.
    ids: u32,
    /// Nothing is left to be read.
    whole: bool,
    /// It stopped being JSON.
    broken: bool,
}

impl<'a> TraceRow<'a> {
    /// Reads one line; `find` knows the cases by id. The memory of the lists is kept from line to line.
    pub fn read(&mut self, line: &'a str, find: impl Fn(&str) -> Option<u32>) {
        self.read_with(line, find, |_, _, _| Ok(false));
    }

    /// Reads a line for a suite with fields of its own: `own` takes one and says so, or leaves it.
    pub(crate) fn read_with(
        &mut self,
        line: &'a str,
        find: impl Fn(&str) -> Option<u32>,
        mut own: impl FnMut(&str, &mut Reader<'a>, &mut Vec<Wrong>) -> Result<bool, Syntax>,
    ) {
        self.begin(line, &mut own);
        let case = self.trace.id.as_deref().and_then(&find);
        self.finish(case, find, &mut own);
    }

    /// Reads a line up to and with its `qid`, so that the cases of several lines can be looked up together.
    pub(crate) fn begin(
        &mut self,
        line: &'a str,
        own: &mut impl FnMut(&str, &mut Reader<'a>, &mut Vec<Wrong>) -> Result<bool, Syntax>,
    ) {
        self.clear(line);
        let read = self.object(true, own);
        self.broken = self.note(read);
    }

    /// Reads the rest of the line. `case` is what its id so far names; `find` is asked where that is not its last word.
    pub(crate) fn finish(
        &mut self,
        case: Option<u32>,
        find: impl Fn(&str) -> Option<u32>,
        own: &mut impl FnMut(&str, &mut Reader<'a>, &mut Vec<Wrong>) -> Result<bool, Syntax>,
    ) {
        self.case = case;
        self.unknown = self.trace.id.is_some() && case.is_none();
        if !self.broken && !self.whole {
            let read = self.fields(false, own);
            self.broken = self.note(read);
        }
        if self.broken {
            return;
        }
        if self.ids > 1 {
            // The last of several `qid` counts, and fields may have been dropped for the sake of the first.
            self.clear(self.line);
            let read = self.object(false, own);
            self.note(read);
            self.case = self.trace.id.as_deref().and_then(&find);
        }
        if self.trace.id.is_none() {
            self.trace.id = self.other_id.take();
            self.case = self.trace.id.as_deref().and_then(&find);
        }
        if self.trace.question.is_none() {
            self.trace.question = self.other_question.take();
        }
        if !self.has_answer_json {
            crate::suites::answers::input::cited_text::finish(self);
        }
        if self.wrong.is_empty() && self.trace.id.is_none() && self.trace.question.is_none() {
            self.wrong.push(Wrong {
                kind: &problem::TRACE_NO_CASE,
                span: 0..self.line.len().min(1),
                path: String::new(),
                message: "this trace names no case".into(),
                expected: "expected a `qid`, or the question as `q`".into(),
            });
        }
    }

    /// Makes the row's memory usable for lines of other memory; nothing else of it is kept.
    pub(crate) fn recycle(mut self) -> TraceRow<'static> {
        fn emptied(mut ids: Vec<Id<'_>>) -> Vec<Id<'static>> {
            ids.clear();
            ids.into_iter().map(|_| Id::new(Cow::Borrowed(""), false)).collect() // in place: there is none
        }
        let Trace { retrieved, cited, echoed, .. } = std::mem::take(&mut self.trace);
        let trace = Trace {
            retrieved: emptied(retrieved),
            cited: emptied(cited),
            echoed: emptied(echoed),
            ..Trace::default()
        };
        let (keys, answer_keys) = (self.keys, self.answer_keys);
        TraceRow { trace, cited: emptied(self.cited), keys, answer_keys, ..TraceRow::default() }
    }

    /// Notes where the line stopped being JSON, if it did.
    fn note(&mut self, read: Result<(), Syntax>) -> bool {
        read.map_err(|error| self.wrong.push(Wrong::syntax(error, self.line))).is_err()
    }

    /// Begins with the line's fields, if it is an object.
    fn object(
        &mut self,
        up_to_id: bool,
        own: &mut impl FnMut(&str, &mut Reader<'a>, &mut Vec<Wrong>) -> Result<bool, Syntax>,
    ) -> Result<(), Syntax> {
        if !self.line.starts_with('{') && self.other_value()? {
            return Ok(());
        }
        self.fields(up_to_id, own)
    }

    /// Reads a line that is not an object, and notes that; false if it is one.
    fn other_value(&mut self) -> Result<bool, Syntax> {
        let mut reader = self.reader;
        let kind = reader.peek()?;
        if kind == Kind::Object {
            return Ok(false);
        }
        let start = reader.offset();
        reader.skip()?;
        reader.end()?;
        self.wrong.push(Wrong {
            kind: &problem::TRACE_NOT_AN_OBJECT,
            span: start..start + reader.since(start).len(),
            path: String::new(),
            message: format!("this line is {}, not an object", kind.with_article()),
            expected: "expected an object".into(),
        });
        self.whole = true;
        Ok(true)
    }

    /// Reads the fields that are left: all of them, or up to the id.
    fn fields(
        &mut self,
        up_to_id: bool,
        own: &mut impl FnMut(&str, &mut Reader<'a>, &mut Vec<Wrong>) -> Result<bool, Syntax>,
    ) -> Result<(), Syntax> {
        let mut reader = self.reader;
        while let Some((taker, key)) = self.keys.next(&mut reader, FieldOwner::of)? {
            self.field(taker, key, &mut reader, own)?;
            if up_to_id && self.ids > 0 {
                self.reader = reader;
                return Ok(());
            }
        }
        self.whole = true;
        reader.end()
    }

    #[inline(always)]
    fn field(
        &mut self,
        taker: FieldOwner,
        key: Key,
        reader: &mut Reader<'a>,
        own: &mut impl FnMut(&str, &mut Reader<'a>, &mut Vec<Wrong>) -> Result<bool, Syntax>,
    ) -> Result<(), Syntax> {
        let wrong = &mut self.wrong;
        let kind = &problem::TRACE_WRONG_TYPE;
        match taker {
            FieldOwner::Id => {
                self.trace.id = id(reader, "qid", kind, wrong)?;
                self.ids += 1;
            }
            FieldOwner::OtherId => self.other_id = id(reader, "q_id", kind, wrong)?,
            FieldOwner::Question => self.trace.question = question(reader, "q", kind, wrong)?,
            FieldOwner::OtherQuestion => self.other_question = question(reader, "question", kind, wrong)?,
            FieldOwner::Ok => self.trace.ok = boolean(reader, "ok", kind, wrong)?,
            FieldOwner::Reason if reader.peek()? == Kind::String => {
                self.trace.reason = Some(reader.string()?)
            }
            FieldOwner::Dialect(dialect, field)
                if let Some((take, name)) = FieldOwner::dialect(dialect, field)
                    && take(name, reader, self)? => {}
            FieldOwner::Reason | FieldOwner::Dialect(..) | FieldOwner::Nobody => {
                if !own(&key.text(reader), reader, &mut self.wrong)? {
                    reader.skip()?;
                }
            }
        }
        Ok(())
    }

    fn clear(&mut self, line: &'a str) {
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
        (self.line, self.reader, self.ids, self.whole, self.broken) =
            (line, Reader::new(line), 0, false, false);
        self.keys.restart();
    }
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
        let torn = "/ input/bad-json this is not JSON: found the end of the line, expected `,` or `}`";
        assert_eq!(check(r#"{"qid":"A1""#), format!("id=A1 claim=None Absent[] of [] echo Absent[] {torn}"));
    }
}
