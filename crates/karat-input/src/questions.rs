//! What does a gold set ask, whichever suite it is for?
//!
//! A pipeline is driven by ids and wordings alone, so rows of every contract are read here, and no field is demanded that
//! only a judge needs.

use std::collections::HashMap;

use foldhash::quality::FixedState;

use crate::Source;
use crate::json::{Reader, Syntax};
use crate::problem::{self, Failure};
use crate::rows::{Placed, Wrong, id, list, question};
use crate::table::{Table, contents, each_row};
use crate::text;

/// A case and the ways in which it can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The case's id.
    pub id: Box<str>,
    /// The field that gold names it by: `qid`, or `case_id` in the sets of `release`.
    pub key: &'static str,
    /// The question as gold asks it.
    pub text: Option<Box<str>>,
    /// Gold's other wordings, in its order.
    pub paraphrases: Box<[Box<str>]>,
}

impl Question {
    /// The wordings to ask: the question, or the first paraphrase where there is none; with `all` every paraphrase too.
    /// Each paraphrase comes with its number, from 0.
    pub fn wordings(&self, all: bool) -> impl Iterator<Item = (Option<u32>, &str)> {
        let paraphrases = (0..).map(Some).zip(self.paraphrases.iter().map(|text| &**text));
        let asked = self.text.as_deref().map(|text| (None, text));
        let more = if all { usize::MAX } else { usize::from(asked.is_none()) };
        asked.into_iter().chain(paraphrases.take(more))
    }
}

/// Reads the questions of a gold set, in its order.
pub fn questions(source: &Source) -> Result<Vec<Question>, Failure> {
    let (text, _) = contents(source)?;
    let mut loader = Loader {
        table: Table::new(source.name(), &text, &[]),
        questions: Vec::new(),
        lines: HashMap::with_hasher(FixedState::with_seed(0)),
    };
    each_row(loader.table.text, &mut loader, Loader::row, |loader, wrong, base| {
        loader.table.report(wrong, base);
    });
    loader.table.finish(loader.questions.len())?;
    Ok(loader.questions)
}

struct Loader<'a> {
    table: Table<'a>,
    questions: Vec<Question>,
    /// The line of each id.
    lines: HashMap<Box<str>, u64, FixedState>,
}

/// A row while it is read.
#[derive(Default)]
struct Row<'a> {
    qid: Option<Placed<'a>>,
    case_id: Option<Placed<'a>>,
    text: Option<Box<str>>,
    paraphrases: Vec<Placed<'a>>,
    wrong: Vec<Wrong>,
}

impl<'a> Row<'a> {
    fn field(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
        const KIND: &problem::Kind = &problem::GOLD_WRONG_TYPE;
        let start = reader.offset();
        match key {
            "qid" | "case_id" => {
                let id = id(reader, key, KIND, &mut self.wrong)?;
                let id = id.map(|id| (id, start..start + reader.since(start).len()));
                if key == "qid" { self.qid = id } else { self.case_id = id }
            }
            "question" | "q" => {
                let text = question(reader, key, KIND, &mut self.wrong)?;
                self.text = text.map(|text| text.decode().into()).or(self.text.take());
            }
            "paraphrases" => {
                self.paraphrases = list(reader, key, false, KIND, &mut self.wrong)?.unwrap_or_default();
                let empty = self.paraphrases.iter().position(|(text, _)| text::trim(text).is_empty());
                if let Some((i, (_, span))) = empty.and_then(|i| Some((i, self.paraphrases.get(i)?))) {
                    let message = format!("`paraphrases[{i}]` is empty");
                    let (path, expected) =
                        (format!("paraphrases[{i}]"), "expected a wording of the question");
                    self.wrong.push(Wrong::new(
                        &problem::GOLD_EMPTY_LIST,
                        span.clone(),
                        path,
                        message,
                        expected,
                    ));
                }
            }
            _ => reader.skip()?,
        }
        Ok(())
    }
}

impl<'a> Loader<'a> {
    fn row(&mut self, reader: &mut Reader<'a>, base: usize) -> Result<(), Syntax> {
        let start = reader.offset();
        if !self.table.is_object(reader, base)? {
            return Ok(());
        }
        let mut row = Row::default();
        reader.object(|reader, key| row.field(reader, key))?;
        let line = self.table.line_of(base + start);
        let mut wrong = std::mem::take(&mut row.wrong);
        let lacks = |name: &str, expected: &str| {
            let message = format!("this row has no `{name}`");
            Wrong::new(&problem::GOLD_MISSING_FIELD, start..start + 1, name, message, expected)
        };
        let refused = |name: &str| wrong.iter().any(|wrong| wrong.path == name);
        let (no_id, no_text) = (
            row.qid.is_none() && row.case_id.is_none() && !refused("qid") && !refused("case_id"),
            row.text.is_none()
                && row.paraphrases.is_empty()
                && !["question", "q", "paraphrases"].iter().any(|name| refused(name)),
        );
        if no_id {
            wrong.push(lacks("qid", "expected `qid` (or `case_id`): a string or a whole number, not empty"));
        }
        if no_text {
            wrong.push(lacks("question", "expected `question`: the text that the pipeline is asked"));
        }
        let key = if row.qid.is_some() { "qid" } else { "case_id" };
        if let Some((id, span)) = row.qid.or(row.case_id) {
            match self.lines.get(&*id) {
                Some(first) => {
                    let message = format!("{key} \"{}\" is already used on line {first}", text::visible(&id));
                    let expected = format!("expected a {key} that no other row has");
                    wrong.push(Wrong::new(&problem::GOLD_DUPLICATE_ID, span, key, message, expected));
                }
                None => {
                    self.lines.insert((&*id).into(), line);
                }
            }
            if wrong.is_empty() {
                let paraphrases = row.paraphrases.into_iter().map(|(text, _)| text.into()).collect();
                self.questions.push(Question { id: id.into(), key, text: row.text, paraphrases });
            }
        }
        for wrong in wrong {
            self.table.report(wrong, base);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(gold: &str) -> Result<Vec<Question>, Failure> {
        questions(&Source::bytes("gold.jsonl", gold.as_bytes().to_vec()))
    }

    #[test]
    fn every_contract_can_be_asked() {
        let gold = concat!(
            r#"{"qid":"A1","question":"one?","paraphrases":["1?","uno?"],"answerable":true}"#,
            "\n",
            r#"{"qid":7,"paraphrases":["two?","dos?"],"relevant":["b1"]}"#,
            "\n",
            r#"{"case_id":"r3","question":"three?","required_points":["x"]}"#,
            "\n"
        );
        let read = read(gold).unwrap();
        let asked = |all| -> Vec<Vec<(Option<u32>, &str)>> {
            read.iter().map(|question| question.wordings(all).collect()).collect()
        };
        assert_eq!(asked(false), [vec![(None, "one?")], vec![(Some(0), "two?")], vec![(None, "three?")]]);
        assert_eq!(
            asked(true),
            [
                vec![(None, "one?"), (Some(0), "1?"), (Some(1), "uno?")],
                vec![(Some(0), "two?"), (Some(1), "dos?")],
                vec![(None, "three?")]
            ]
        );
        assert_eq!((&*read[1].id, read[1].key, read[2].key), ("7", "qid", "case_id"));
    }

    #[test]
    fn what_cannot_be_asked_is_named() {
        let gold = concat!(
            r#"{"qid":"A1","question":"one?"}"#,
            "\n",
            r#"{"qid":"A1","q":"again?"}"#,
            "\n",
            r#"{"qid":"A2"}"#,
            "\n",
            r#"{"question":"whose?","paraphrases":[""]}"#,
            "\n",
            r#"{"qid":1.5,"question":3}"#,
            "\n"
        );
        let failure = read(gold).unwrap_err();
        let found: Vec<String> =
            failure.problems.iter().map(|p| format!("{} {} {}", p.line, p.kind.slug, p.message)).collect();
        assert_eq!(
            found,
            [
                "2 gold/duplicate-id qid \"A1\" is already used on line 1",
                "3 gold/missing-field this row has no `question`",
                "4 gold/empty-list `paraphrases[0]` is empty",
                "4 gold/missing-field this row has no `qid`",
                "5 gold/wrong-type `qid` is a number",
                "5 gold/wrong-type `question` is a number",
            ]
        );
        assert_eq!(read(" \n").unwrap_err().problems[0].kind.slug, "gold/empty");
    }
}
