//! One run of the log: what its line says, and what is wrong with it.
//!
//! What the retriever logs is strict. Which block an answer cites is the model's word: whatever it is, it is scored,
//! and what names no block is a citation of nothing. Where a cited block lies in bytes is the pipeline's word again.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::values::{Vector, offsets};
use crate::input::json::{Kind as Json, Reader, Syntax};
use crate::problem;
use crate::rows::{Wrong, element, id, integer, is_list, object, question, refuse};
use crate::suites::retrieval::judge::content::Kind;
use crate::suites::retrieval::judge::delta_s::{DeltaS, Source};
use crate::suites::retrieval::judge::lambda::State;
use crate::suites::retrieval::model::{Cited, Retrieved, Trace};
use crate::text;

/// What becomes of an id that occurs in a ranking twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeats {
    /// The line is refused.
    Refuse,
    /// The first place counts.
    Drop,
}

/// A line while it is read.
#[derive(Default)]
struct Row<'a> {
    trace: Trace<'a>,
    items: Vec<Item<'a>>,
    delta_s: Option<Logged>,
    query_vec: Option<Vector<'a>>,
}

/// ΔS as the log has it.
struct Logged {
    /// What the field is called there.
    name: &'static str,
    span: Range<usize>,
    values: Vec<Option<DeltaS>>,
}

/// An element of the ranking.
struct Item<'a> {
    id: Cow<'a, str>,
    span: Range<usize>,
    kind: Option<Kind>,
    vec: Option<Vector<'a>>,
}

const KIND: &problem::Kind = &problem::TRACE_WRONG_TYPE;

/// Reads one line; what broke the contract goes to `wrong`.
pub fn read<'a>(line: &'a str, repeats: Repeats, wrong: &mut Vec<Wrong>) -> Trace<'a> {
    let mut row = Row::default();
    let read = object(line, &problem::TRACE_NOT_AN_OBJECT, |reader, key| row.field(reader, key, wrong));
    wrong.extend(read.err());
    if wrong.is_empty() {
        row.finish(line, repeats, wrong);
    }
    row.trace
}

impl<'a> Row<'a> {
    fn field(&mut self, reader: &mut Reader<'a>, key: &str, wrong: &mut Vec<Wrong>) -> Result<(), Syntax> {
        let trace = &mut self.trace;
        match key {
            "qid" => trace.id = id(reader, key, KIND, wrong)?,
            "query" => trace.query = question(reader, key, KIND, wrong)?.map(|query| query.decode()),
            "paraphrase" => trace.paraphrase = integer(reader, key, "a whole number from 0", KIND, wrong)?,
            "seed" => trace.seed = integer(reader, key, "a whole number", KIND, wrong)?.unwrap_or(0),
            "index_hash" => trace.index_hash = id(reader, key, KIND, wrong)?,
            "topk" => self.ranking(reader, wrong)?,
            "ΔS" | "∆S" => self.distances(reader, "ΔS", wrong)?,
            "delta_s" => self.distances(reader, "delta_s", wrong)?,
            "ds" => self.distances(reader, "ds", wrong)?,
            "λ_state" | "lambda_state" => trace.lambda = lambda(reader, key, wrong)?.or(trace.lambda),
            "answer_citations" => self.citations(reader, wrong)?,
            "query_vec" => self.query_vec = Vector::pass(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    }

    fn ranking(&mut self, reader: &mut Reader<'a>, wrong: &mut Vec<Wrong>) -> Result<(), Syntax> {
        self.items.clear();
        if !is_list(reader, "topk", "a list of {id, score, offsets, type}", KIND, wrong)? {
            return Ok(());
        }
        let items = &mut self.items;
        let mut index = 0;
        reader.array(|reader| {
            let path = format!("topk[{index}]");
            index += 1;
            if reader.peek()? != Json::Object {
                return refuse(reader, path, "an object with an `id`", KIND, wrong);
            }
            let start = reader.offset();
            let mut item = Item { id: "".into(), span: start..start + 1, kind: None, vec: None };
            let before = wrong.len();
            reader.object(|reader, key| item.field(reader, key, &path, wrong))?;
            if item.id.is_empty() && wrong.len() == before {
                let (path, message) = (format!("{path}.id"), format!("`{path}` has no `id`"));
                wrong.push(Wrong::new(KIND, item.span.clone(), path, message, "expected an `id`"));
            }
            items.push(item);
            Ok(())
        })
    }

    fn distances(
        &mut self,
        reader: &mut Reader<'a>,
        name: &'static str,
        wrong: &mut Vec<Wrong>,
    ) -> Result<(), Syntax> {
        if !is_list(reader, name, "a list of numbers, one for each id of `topk`", KIND, wrong)? {
            return Ok(());
        }
        let start = reader.offset();
        let mut values = Vec::new();
        reader.array(|reader| {
            let at = reader.offset();
            match reader.peek()? {
                Json::Null => {
                    values.push(None);
                    return reader.skip();
                }
                Json::Number => {}
                _ => return refuse(reader, format!("{name}[{}]", values.len()), "a number", KIND, wrong),
            }
            let number = reader.number()?;
            let value = number.parse().ok().and_then(DeltaS::new);
            if value.is_none() {
                let path = format!("{name}[{}]", values.len());
                let message = format!("`{path}` is {}", text::shorten(number, 40));
                let span = at..at + number.len();
                let expected = "expected a number from 0 to 1";
                wrong.push(Wrong::new(&problem::TRACE_DS_RANGE, span, path, message, expected));
            }
            values.push(value);
            Ok::<(), Syntax>(())
        })?;
        self.delta_s = Some(Logged { name, span: start..start + reader.since(start).len(), values });
        Ok(())
    }

    fn citations(&mut self, reader: &mut Reader<'a>, wrong: &mut Vec<Wrong>) -> Result<(), Syntax> {
        let cited = &mut self.trace.cited;
        cited.clear();
        match reader.peek()? {
            Json::Null => return reader.skip(),
            Json::Array => {}
            _ => {
                // The model answered, and cites nothing that could be found.
                cited.push(Cited { id: None, span: None });
                return reader.skip();
            }
        }
        reader.array(|reader| {
            if reader.peek()? != Json::Object {
                let id = element(reader)?.filter(|id| !id.odd).map(|id| id.text);
                cited.push(Cited { id, span: None });
                return Ok(());
            }
            let path = format!("answer_citations[{}].offsets", cited.len());
            let mut one = Cited { id: None, span: None };
            reader.object(|reader, key| {
                match key {
                    "id" => one.id = element(reader)?.filter(|id| !id.odd).map(|id| id.text),
                    "offsets" => one.span = offsets(reader, &path, KIND, wrong)?,
                    _ => reader.skip()?,
                }
                Ok::<(), Syntax>(())
            })?;
            cited.push(one);
            Ok::<(), Syntax>(())
        })
    }

    /// Checks what only the whole line shows, and makes the ranking.
    fn finish(&mut self, line: &str, repeats: Repeats, wrong: &mut Vec<Wrong>) {
        if self.trace.id.is_none() {
            let (span, message) = (0..line.len().min(1), "this trace names no question");
            wrong.push(Wrong::new(&problem::TRACE_NO_CASE, span, "", message, "expected a `qid`"));
            return;
        }
        let values = self.all_distances(wrong);
        let mut ranks: HashMap<&str, usize> = HashMap::with_capacity(self.items.len());
        let mut kept = Vec::with_capacity(self.items.len());
        for (i, item) in self.items.iter().enumerate() {
            match (ranks.get(&*item.id), repeats) {
                (None, _) => {
                    ranks.insert(&item.id, i + 1);
                    let delta_s = values.get(i).copied().flatten();
                    kept.push(Retrieved { id: item.id.clone(), kind: item.kind, delta_s });
                }
                (Some(_), Repeats::Drop) => self.trace.repeated += 1,
                (Some(first), Repeats::Refuse) => {
                    let (path, id) = (format!("topk[{i}].id"), text::visible(&item.id));
                    let message = format!("\"{id}\" is already at rank {first} of this ranking");
                    let expected = "expected each id once";
                    let kind = &problem::TRACE_DUPLICATE_ID;
                    wrong.push(Wrong::new(kind, item.span.clone(), path, message, expected));
                }
            }
        }
        let source = if self.delta_s.is_some() { Source::Logged } else { Source::Computed };
        self.trace.source = kept.iter().any(|item| item.delta_s.is_some()).then_some(source);
        self.trace.retrieved = kept;
    }

    /// ΔS of each id, as logged; else from the vectors.
    fn all_distances(&mut self, wrong: &mut Vec<Wrong>) -> Vec<Option<DeltaS>> {
        if let Some(Logged { name, span, values }) = &mut self.delta_s {
            if values.len() != self.items.len() {
                let (there, ids) = (values.len(), self.items.len());
                let message =
                    format!("`{name}` has {}, `topk` has {ids}", text::count(there as u64, "value"));
                let expected = "expected one for each id of `topk`";
                wrong.push(Wrong::new(&problem::TRACE_DS_LENGTH, span.clone(), *name, message, expected));
            }
            return std::mem::take(values);
        }
        let Some(query) = &self.query_vec else { return Vec::new() };
        let query = match query.numbers("query_vec") {
            Ok(query) => query,
            Err(one) => {
                wrong.push(one);
                return Vec::new();
            }
        };
        let mut distance = |(i, item): (usize, &Item<'_>)| {
            let (vector, path) = (item.vec?, format!("topk[{i}].vec"));
            let numbers = match vector.numbers(&path) {
                Ok(numbers) if numbers.len() == query.len() => {
                    return Some(DeltaS::between(&query, &numbers));
                }
                Ok(numbers) => {
                    let message =
                        format!("`{path}` has {} components, `query_vec` has {}", numbers.len(), query.len());
                    let expected = "expected vectors of one length";
                    Wrong::new(&problem::TRACE_VECTOR, vector.span(), path, message, expected)
                }
                Err(one) => one,
            };
            wrong.push(numbers);
            None
        };
        self.items.iter().enumerate().map(&mut distance).collect()
    }
}

impl<'a> Item<'a> {
    fn field(
        &mut self,
        reader: &mut Reader<'a>,
        key: &str,
        path: &str,
        wrong: &mut Vec<Wrong>,
    ) -> Result<(), Syntax> {
        let start = reader.offset();
        match key {
            "id" => {
                if let Some(id) = id(reader, &format!("{path}.id"), KIND, wrong)? {
                    self.id = text::trim_cow(id);
                    self.span = start..start + reader.since(start).len();
                }
            }
            "type" => {
                let word = question(reader, &format!("{path}.type"), KIND, wrong)?;
                self.kind = word.map(|word| Kind::of_word(&word.decode()));
            }
            "offsets" => _ = offsets(reader, &format!("{path}.offsets"), KIND, wrong)?,
            "score" => match reader.peek()? {
                Json::Number | Json::Null => reader.skip()?,
                _ => refuse(reader, format!("{path}.score"), "a number", KIND, wrong)?,
            },
            "vec" => self.vec = Vector::pass(reader)?,
            _ => reader.skip()?,
        }
        Ok(())
    }
}

fn lambda(reader: &mut Reader<'_>, key: &str, wrong: &mut Vec<Wrong>) -> Result<Option<State>, Syntax> {
    const EXPECTED: &str = "→, ←, <>, × or a word: convergent, divergent, recursive, chaotic";
    let start = reader.offset();
    match reader.peek()? {
        Json::Null => reader.skip().map(|()| None),
        Json::String => {
            let said = reader.string()?.decode();
            let state = State::parse(&said);
            if state.is_none() {
                let span = start..start + reader.since(start).len();
                let message = format!("`{key}` is \"{}\"", text::visible(&text::shorten(&said, 40)));
                let expected = format!("expected {EXPECTED}");
                wrong.push(Wrong::new(&problem::TRACE_LAMBDA, span, key, message, expected));
            }
            Ok(state)
        }
        _ => refuse(reader, key, EXPECTED, &problem::TRACE_LAMBDA, wrong).map(|()| None),
    }
}

#[cfg(test)]
mod tests;
