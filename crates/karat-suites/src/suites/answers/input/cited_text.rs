//! A plain answer: text in `answer`, chunks as objects, citations in a field or in the text itself; gold as a JSON array.
//!
//! Source: WFGY Problem Map: Example 08.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::ByField;
use crate::dialects::{Dialect, Field, Shape, TRACE_ENVELOPE};
use crate::input::json::{Kind, Reader, Syntax};
use crate::model::{Id, Listed};
use crate::problem;
use crate::rows::{GoldRow, TraceRow, element, gold_list, refuse, said_list};
use crate::text;

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "cited_text",
    summary: "A plain answer: text in `answer`, chunks as objects, citations in a field or in the text.",
    source: "WFGY Problem Map: Example 08",
    gold: &[
        Field::new("qid", Shape::Id, "The case's id; unique.")
            .required("`qid`: a string or a whole number, not empty"),
        Field::new("q", Shape::Text, "The question; traces without a qid join by it."),
        Field::new("answerable", Shape::Bool, "If false, only a refusal is right.")
            .required("`answerable`: true or false"),
        Field::new("gold_ids", Shape::Ids, "Chunks that support the answer.")
            .required("`gold_ids`: a list of chunk ids (it may be empty)"),
        Field::new(
            "gold_claim",
            Shape::Text,
            "The right answer; a run of five or more of its letters, digits, hyphens and spaces must be in the claim.",
        ),
    ],
    trace: &[
        TRACE_ENVELOPE[0],
        TRACE_ENVELOPE[1],
        Field::new(
            "chunks",
            Shape::Objects(&[Field::new("id", Shape::Any, "The chunk's id.")]),
            "The retrieved chunks, best first.",
        ),
        Field::new("answer", Shape::Any, "The model's text, or the refusal `not in context`."),
        Field::new(
            "citations",
            Shape::Any,
            "The chunks it cites: a list of ids. Without the field they are read from the text: `citations: [a, b]`.",
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

fn read_gold<'a>(key: &str, reader: &mut Reader<'a>, row: &mut GoldRow<'a>) -> Result<bool, Syntax> {
    match key {
        "gold_ids" => {
            row.has_cited_text = true;
            let ids = gold_list(reader, "gold_ids", true, row)?;
            row.citations = row.citations.take().or(ids);
        }
        "gold_claim" => match reader.peek()? {
            Kind::Null => reader.skip()?,
            Kind::String => {
                row.has_cited_text = true;
                row.gold_claim = Some(reader.string()?.decode());
            }
            _ => refuse(reader, "gold_claim", "a string", &problem::GOLD_WRONG_TYPE, &mut row.wrong)?,
        },
        _ => return Ok(false),
    }
    Ok(true)
}

fn read_trace<'a>(key: &str, reader: &mut Reader<'a>, row: &mut TraceRow<'a>) -> Result<bool, Syntax> {
    match key {
        "chunks" if row.has_retrieved_ids => reader.skip()?,
        "chunks" => match reader.peek()? {
            Kind::Null => reader.skip()?,
            Kind::Array if row.unknown => reader.skip()?,
            Kind::Array => {
                let retrieved = &mut row.trace.retrieved;
                retrieved.clear();
                reader.array(|reader| chunk(reader).map(|id| retrieved.extend(id)))?;
            }
            _ => refuse(reader, key, "a list of chunks", &problem::TRACE_WRONG_TYPE, &mut row.wrong)?,
        },
        "answer" => {
            row.answer = None;
            if reader.peek()? == Kind::String {
                row.answer = Some(reader.string()?.decode());
            } else {
                reader.skip()?;
            }
        }
        "citations" => row.citations = said_list(reader, &mut row.cited)?,
        _ => return Ok(false),
    }
    Ok(true)
}

/// The id of one chunk: its `id` field, or the chunk itself where it is plain text.
fn chunk<'a>(reader: &mut Reader<'a>) -> Result<Option<Id<'a>>, Syntax> {
    if reader.peek()? != Kind::Object {
        return element(reader);
    }
    let start = reader.offset();
    let mut id = None;
    let mut named = false;
    reader.object(|reader, key| {
        if key == "id" && reader.peek()? != Kind::Null {
            named = true;
            id = element(reader)?;
            Ok(())
        } else {
            reader.skip()
        }
    })?;
    // A chunk without an id was retrieved all the same: it keeps its rank and matches nothing.
    Ok(if named { id } else { Some(Id::new(reader.since(start).into(), true)) })
}

/// Once the row is read: where there is no `answer_json`, the text and its citations are the answer.
pub(crate) fn finish<'a>(row: &mut TraceRow<'a>) {
    row.trace.claim = row.answer.take();
    row.trace.citations = row.citations;
    std::mem::swap(&mut row.trace.cited, &mut row.cited);
    if row.citations == Listed::Absent
        && let Some(claim) = &row.trace.claim
        && let Some(list) = citations_in(claim)
    {
        row.trace.citations = Listed::List;
        match claim {
            Cow::Borrowed(claim) => {
                let (start, end) = list;
                row.trace.cited.extend(ids(&claim[start..end]).map(|id| Id::new(id.into(), false)));
            }
            Cow::Owned(claim) => {
                let (start, end) = list;
                let owned = ids(&claim[start..end]).map(|id| Id::new(id.to_owned().into(), false));
                row.trace.cited.extend(owned);
            }
        }
    }
}

/// Where the text lists its citations: `citations : [a, b]`, any case, the first such list.
fn citations_in(claim: &str) -> Option<(usize, usize)> {
    static LIST: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?i)citations[\s\x1c-\x1f]*:[\s\x1c-\x1f]*\[([^\]]*)\]").ok());
    let list = LIST.as_ref()?.captures(claim)?.get(1)?;
    Some((list.start(), list.end()))
}

/// The ids in such a list.
fn ids(list: &str) -> impl Iterator<Item = &str> {
    const QUOTES: [char; 7] = ['"', '\'', '`', '“', '”', '‘', '’'];
    list.split(|c: char| c == ',' || text::is_space(c))
        .map(|id| id.trim_matches(QUOTES))
        .filter(|id| !id.is_empty())
}
