//! A structured answer: `answer_json` with a claim and its citations, ids in `retrieved_ids`, gold as JSON lines.
//!
//! Source: WFGY Problem Map: evaluation gates.

use super::ByField;
use crate::dialects::{Dialect, Field, Shape, TRACE_ENVELOPE};
use crate::input::json::{Kind, Reader, Syntax};
use crate::model::Listed;
use crate::problem;
use crate::rows::{GoldRow, TraceRow, Wrong, elements, gold_list, refuse, said_list};

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "answer_json",
    summary: "A structured answer: a claim and its citations in `answer_json`, ids in `retrieved_ids`.",
    source: "WFGY Problem Map: evaluation gates",
    gold: &[
        Field::new("qid", Shape::Id, "The case's id; unique.")
            .required("`qid`: a string or a whole number, not empty"),
        Field::new("question", Shape::Text, "The question."),
        Field::new("answerable", Shape::Bool, "If false, only a refusal is right.")
            .required("`answerable`: true or false"),
        Field::new(
            "gold_claim_substr",
            Shape::Texts,
            "Phrases, one of which the claim must contain (five characters or more, any case).",
        )
        .required("`gold_claim_substr`: a list of strings (it may be empty)"),
        Field::new("gold_citations", Shape::Ids, "Chunks that support the answer.")
            .required("`gold_citations`: a list of chunk ids (it may be empty)"),
        Field::new(
            "constraints",
            Shape::Texts,
            "Locked constraints that the answer must echo and not contradict.",
        ),
        Field::new("forbidden_substr", Shape::Texts, "Texts that the claim must not contain."),
        Field::new(
            "match",
            Shape::OneOf(&["any", "all"]),
            "Whether any or all of the phrases must occur; `any` by default.",
        ),
        Field::new("notes", Shape::Any, "For people; not scored. Any further field can be sliced by."),
    ],
    trace: &[
        TRACE_ENVELOPE[0],
        TRACE_ENVELOPE[1],
        Field::new("retrieved_ids", Shape::Ids, "The retrieved chunks, best first."),
        Field::new(
            "answer_json",
            Shape::Object(&[
                Field::new("claim", Shape::Any, "What the model answered, or the refusal `not in context`."),
                Field::new("citations", Shape::Any, "The chunks it cites: a list of ids."),
                Field::new(
                    "constraints_echo",
                    Shape::Any,
                    "The constraints, repeated by the model: a list of strings.",
                ),
            ]),
            "The model's answer. Whatever it contains is scored, never refused.",
        ),
        TRACE_ENVELOPE[2],
        TRACE_ENVELOPE[3],
        TRACE_ENVELOPE[4],
        TRACE_ENVELOPE[5],
    ],
    ..Dialect::PLAIN
};

/// How its fields are taken.
pub(crate) const BY_FIELD: ByField = ByField { gold: read_gold, trace: read_trace };

/// What a key of `answer_json` means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AnswerKey {
    Claim,
    Citations,
    Echo,
    Other,
}

impl AnswerKey {
    fn of(key: &str) -> Self {
        match key {
            "claim" => AnswerKey::Claim,
            "citations" => AnswerKey::Citations,
            "constraints_echo" => AnswerKey::Echo,
            _ => AnswerKey::Other,
        }
    }
}

fn read_gold<'a>(key: &str, reader: &mut Reader<'a>, row: &mut GoldRow<'a>) -> Result<bool, Syntax> {
    match key {
        "gold_claim_substr" => {
            row.has_answer_json = true;
            row.phrases = gold_list(reader, "gold_claim_substr", false, row)?;
        }
        "gold_citations" => {
            row.has_answer_json = true;
            row.citations = gold_list(reader, "gold_citations", true, row)?;
        }
        "constraints" => row.constraints = gold_list(reader, "constraints", false, row)?,
        "forbidden_substr" => {
            row.forbidden = gold_list(reader, "forbidden_substr", false, row)?;
            let empty = row.forbidden.iter().flatten().position(|(text, _)| text.is_empty());
            if let Some(index) = empty
                && let Some((_, span)) = row.forbidden.iter().flatten().nth(index)
            {
                row.wrong.push(Wrong {
                    kind: &problem::GOLD_UNKNOWN_VALUE,
                    span: span.clone(),
                    path: format!("forbidden_substr[{index}]"),
                    message: "an empty text is in every claim, so it would forbid every answer".into(),
                    expected: "expected a text that is not empty".into(),
                });
            }
        }
        "match" => match reader.peek()? {
            Kind::Null => reader.skip()?,
            Kind::String => {
                let start = reader.offset();
                let word = reader.string()?.decode();
                row.match_all = word == "all";
                if !matches!(&*word, "any" | "all") {
                    row.wrong.push(Wrong {
                        kind: &problem::GOLD_UNKNOWN_VALUE,
                        span: start..start + reader.since(start).len(),
                        path: "match".into(),
                        message: format!("`match` is \"{}\"", crate::text::visible(&word)),
                        expected: "expected \"any\" or \"all\"".into(),
                    });
                }
            }
            _ => refuse(reader, "match", "\"any\" or \"all\"", &problem::GOLD_WRONG_TYPE, &mut row.wrong)?,
        },
        _ => return Ok(false),
    }
    Ok(true)
}

fn read_trace<'a>(key: &str, reader: &mut Reader<'a>, row: &mut TraceRow<'a>) -> Result<bool, Syntax> {
    match key {
        "retrieved_ids" => match reader.peek()? {
            Kind::Null => reader.skip()?,
            Kind::Array if row.unknown => reader.skip()?,
            Kind::Array => {
                row.has_retrieved_ids = true;
                elements(reader, &mut row.trace.retrieved)?;
            }
            _ => refuse(reader, key, "a list of ids", &problem::TRACE_WRONG_TYPE, &mut row.wrong)?,
        },
        "answer_json" => match reader.peek()? {
            Kind::Null => reader.skip()?,
            Kind::Object if !row.unknown => {
                row.has_answer_json = true;
                let trace = &mut row.trace;
                (trace.claim, trace.citations, trace.echo) = (None, Listed::Absent, Listed::Absent);
                row.answer_keys.restart();
                while let Some((key, _)) = row.answer_keys.next(reader, AnswerKey::of)? {
                    match key {
                        AnswerKey::Claim if reader.peek()? == Kind::String => {
                            trace.claim = Some(reader.string()?.decode());
                        }
                        AnswerKey::Claim => {
                            trace.claim = None;
                            reader.skip()?;
                        }
                        AnswerKey::Citations => trace.citations = said_list(reader, &mut trace.cited)?,
                        AnswerKey::Echo => trace.echo = said_list(reader, &mut trace.echoed)?,
                        AnswerKey::Other => reader.skip()?,
                    }
                }
            }
            // Not an object: the model's words all the same, and they say nothing. Or nobody will ask for them.
            _ => {
                row.has_answer_json = true;
                reader.skip()?;
            }
        },
        _ => return Ok(false),
    }
    Ok(true)
}
