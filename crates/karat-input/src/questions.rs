//! The questions of a gold set, whichever suite it is for.
//!
//! A pipeline is driven by ids and wordings alone, so rows of every contract are read here, and no field is demanded that
//! only a judge needs.

use std::collections::HashMap;

use foldhash::quality::FixedState;

use crate::Source;
use crate::field::{Field, Shape};
use crate::problem::{self, Failure};
use crate::record::Contract;
use crate::table::{Table, contents};
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

/// What is read of a row, whichever suite it is for.
const CONTRACT: Contract = Contract { by_place: false, ..Contract::gold(FIELDS) };

const FIELDS: &[Field] = &[
    Field::new("qid", Shape::Id, "The case's id."),
    Field::new("case_id", Shape::Id, "The case's id in the sets of `release`."),
    Field::new("question", Shape::Text, "The question."),
    Field::new("q", Shape::Text, "The question."),
    Field::new("paraphrases", Shape::Texts, "Other wordings of the question."),
];

/// Reads the questions of a gold set, in its order.
pub fn questions(source: &Source) -> Result<Vec<Question>, Failure> {
    let (text, _) = contents(source)?;
    let mut table = Table::new(source.name(), &text, &[]);
    let mut questions = Vec::new();
    let mut lines: HashMap<Box<str>, u64, FixedState> = HashMap::with_hasher(FixedState::with_seed(0));
    table.each(&CONTRACT, |row| {
        let (key, id) = match row.id("qid") {
            Some(id) => ("qid", Some(id)),
            None => ("case_id", row.id("case_id")),
        };
        let texts = ["question", "q"].map(|name| row.string(name).filter(|(text, _)| !text.is_empty()));
        let text = texts.into_iter().flatten().max_by_key(|(_, span)| span.start);
        let paraphrases = row.list("paraphrases").map(|(list, _)| list).unwrap_or_default();
        let empty = paraphrases.iter().position(|(text, _)| text::trim(text).is_empty());
        if let Some((i, (_, span))) = empty.and_then(|i| Some((i, paraphrases.get(i)?))) {
            let (path, expected) = (format!("paraphrases[{i}]"), "expected a wording of the question");
            let message = format!("`{path}` is empty");
            row.note(&problem::GOLD_EMPTY_LIST, span.clone(), path, message, expected);
        }
        if id.is_none() && !row.refused("qid") && !row.refused("case_id") {
            row.lacks("qid", "`qid` (or `case_id`): a string or a whole number, not empty");
        }
        let refused = ["question", "q", "paraphrases"].iter().any(|name| row.refused(name));
        if text.is_none() && paraphrases.is_empty() && !refused {
            row.lacks("question", "`question`: the text that the pipeline is asked");
        }
        let Some(id) = id else { return };
        match lines.get(&*id.0) {
            Some(&first) => row.used_before(key, &id, first),
            None => _ = lines.insert((&*id.0).into(), row.line),
        }
        if row.is_sound() {
            let paraphrases = paraphrases.into_iter().map(|(text, _)| text.into()).collect();
            let text = text.map(|(text, _)| text.decode().into());
            questions.push(Question { id: id.0.into(), key, text, paraphrases });
        }
    });
    table.finish(questions.len())?;
    Ok(questions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(gold: &str) -> Result<Vec<Question>, Failure> {
        questions(&Source::bytes("gold.jsonl", gold.as_bytes().to_vec()))
    }

    #[test]
    fn every_contract_can_be_asked() {
        let gold = r#"{"qid":"A1","question":"one?","paraphrases":["1?","uno?"],"answerable":true}
            {"qid":7,"paraphrases":["two?","dos?"],"relevant":["b1"]}
            {"case_id":"r3","question":"three?","required_points":["x"]}"#;
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
        let gold = r#"{"qid":"A1","question":"one?"}
            {"qid":"A1","q":"again?"}
            {"qid":"A2"}
            {"question":"whose?","paraphrases":[""]}
            {"qid":1.5,"question":3}"#;
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
