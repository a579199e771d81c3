//! Is the gold set sound? Every row is read and checked, and all problems are reported at once.

use std::sync::Arc;

use super::needle::{phrases_of, runs_of};
use super::pieces::in_pieces;
use super::{Gold, Hash, Names};
use crate::input::Source;
use crate::input::json::{Reader, Syntax};
use crate::input::source::Fingerprint;
use crate::input::table::{FEW, ProblemList, Table, contents, distinct, each_row, lines};
use crate::model::{Case, Needle, Parts};
use crate::problem::{self, Failure};
use crate::rows::{GoldRow, Placed, Wrong};
use crate::suites::answers::input::{answer_json, cited_text};
use crate::text;

/// A set with more stored bytes is read in pieces, rather than into memory as a whole.
const LARGE: u64 = 1 << 20;

pub(super) fn load(source: &Source, slices: &[String], threads: usize) -> Result<Gold, Failure> {
    if source.lasts()
        && source.size().is_some_and(|size| size > LARGE)
        && let Some(gold) = in_pieces(source, slices, threads)
    {
        return Ok(gold);
    }
    as_a_whole(source, slices)
}

/// Reads a set with all of its text in memory: the way to say anything that is wrong with it, in order.
pub(super) fn as_a_whole(source: &Source, slices: &[String]) -> Result<Gold, Failure> {
    let (text, fingerprint) = contents(source)?;
    let mut loader = Loader::new(source.name(), &text, slices);
    loader.rows();
    loader.finish(fingerprint)
}

pub(super) struct Loader<'a> {
    table: Table<'a>,
    found: Found,
    /// Which ids and questions there were; `None` where only a piece of the set is read.
    names: Option<Names>,
    /// The memory of the row before.
    row: Option<Box<GoldRow<'a>>>,
    parts: Parts,
}

/// What reading leaves behind.
#[derive(Default)]
pub(super) struct Found {
    pub(super) cases: Vec<Case>,
    /// Of a piece: the hashes of ids and questions, with their cases.
    pub(super) ids: Vec<(Hash, u32)>,
    pub(super) questions: Vec<(Hash, u32)>,
    /// Some row is not of the array contract.
    pub(super) other_contract: bool,
    /// How many lines there were.
    pub(super) lines: u64,
    pub(super) warnings: ProblemList,
    /// Which fields to slice by some row has.
    pub(super) sliced: Vec<bool>,
    /// Memory to put texts together in.
    parts: Parts,
}

/// Few sets have rows of fewer bytes, one with the other.
const SHORT_ROW: usize = 96;

impl Found {
    /// Room for so many cases at once: memory that grows step by step leaves each step behind.
    fn reserve(&mut self, cases: usize) {
        self.cases.reserve(cases);
        self.ids.reserve(cases);
        self.questions.reserve(cases);
    }

    /// Nothing, in the same memory.
    pub(super) fn clear(&mut self) {
        self.cases.clear();
        self.ids.clear();
        self.questions.clear();
        *self = Found {
            cases: std::mem::take(&mut self.cases),
            ids: std::mem::take(&mut self.ids),
            questions: std::mem::take(&mut self.questions),
            parts: std::mem::take(&mut self.parts),
            ..Found::default()
        };
    }
}

impl<'a> Loader<'a> {
    fn new(name: &'a Arc<str>, text: &'a str, slices: &'a [String]) -> Self {
        Loader {
            table: Table::new(name, text, slices),
            found: Found::default(),
            names: Some(Names::default()),
            row: None,
            parts: Parts::default(),
        }
    }

    /// Reads a piece of JSON lines; `None` where it has an error. Its line numbers are counted from its start, and what is
    /// said twice in the set is for others to find.
    pub(super) fn piece(
        name: &'a Arc<str>,
        text: &'a str,
        slices: &'a [String],
        found: Found,
    ) -> Option<Found> {
        let mut found = found;
        let parts = std::mem::take(&mut found.parts);
        let mut loader = Loader { found, parts, names: None, ..Loader::new(name, text, slices) };
        loader.found.reserve(text.len() / SHORT_ROW);
        loader.parts.reserve(text.len() / 2);
        let mut number = 0;
        for (base, line) in lines(text) {
            number += 1;
            if text::trim(line).is_empty() {
                continue;
            }
            let mut reader = Reader::new(line);
            loader.object(&mut reader, base, |_, _| number).and_then(|()| reader.end()).ok()?;
            if loader.table.errors.total > 0 {
                return None;
            }
        }
        let Loader { table, mut found, mut parts, .. } = loader;
        parts.share(&mut found.cases);
        Some(Found { parts, lines: number, warnings: table.warnings, sliced: table.sliced, ..found })
    }

    fn rows(&mut self) {
        each_row(self.table.text, self, Self::row, |loader, wrong, base| loader.table.report(wrong, base));
    }

    /// Reads one row. `base` is where the reader's text begins in the file.
    fn row(&mut self, reader: &mut Reader<'a>, base: usize) -> Result<(), Syntax> {
        self.object(reader, base, Table::line_of)
    }

    fn object(
        &mut self,
        reader: &mut Reader<'a>,
        base: usize,
        line: impl Fn(&mut Table<'a>, usize) -> u64,
    ) -> Result<(), Syntax> {
        let start = reader.offset();
        if !self.table.is_object(reader, base)? {
            return Ok(());
        }
        let mut row = self.row.take().unwrap_or_default();
        let mut slices = self.table.no_values();
        row.read(reader, |key, reader| self.table.see(key, reader, &mut slices))?;
        let line = line(&mut self.table, base + start);
        if let Some(case) = self.case(&mut row, start, base) {
            (case.line, case.slices) = (line, slices.into());
        }
        row.clear();
        self.row = Some(row);
        Ok(())
    }

    /// Adds the case of a row, unless something is wrong with it.
    fn case(&mut self, row: &mut GoldRow<'a>, start: usize, base: usize) -> Option<&mut Case> {
        let array = row.has_cited_text && !row.has_answer_json;
        self.found.other_contract |= !array;
        let ids = row.id.is_some() && row.citations.is_some();
        if !ids || row.answerable.is_none() || (row.phrases.is_none() && !array) {
            demand(row, array, start);
        }
        let cases = &self.found.cases;
        let number = cases.len() as u32;
        if let (Some((id, span)), Some(names)) = (&row.id, &mut self.names) {
            if let Some(first) = names.ids.find(id, |case| cases[case as usize].id()) {
                let first = cases[first as usize].line;
                let message = format!("qid \"{}\" is already used on line {first}", text::visible(id));
                let expected = "expected a qid that no other row has";
                row.wrong.push(Wrong::new(
                    &problem::GOLD_DUPLICATE_ID,
                    span.clone(),
                    "qid",
                    message,
                    expected,
                ));
            } else if row.wrong.is_empty() {
                names.ids.insert(Hash::of(id), number, |_| false);
            }
        }
        if !row.wrong.is_empty() {
            row.wrong.sort_by_key(|wrong| wrong.span.start);
            for wrong in row.wrong.drain(..) {
                self.table.report(wrong, base);
            }
            return None;
        }
        let claim = row.gold_claim.as_deref().filter(|claim| array && !claim.is_empty());
        let runs = claim.map(runs_of);
        self.warn(row, array, runs.as_ref().is_some_and(|runs| runs.0 == Needle::Never), start, base);

        let id = row.id.as_ref().map_or("", |(id, _)| id);
        let question = row.question.as_ref().map_or("", |(question, _)| question);
        if self.names.is_none() {
            self.found.ids.push((Hash::of(id), number));
            if !question.is_empty() {
                self.found.questions.push((Hash::of(question), number));
            }
        }
        self.parts.begin(id);
        each_distinct(row.citations.as_deref().unwrap_or_default(), |id| self.parts.citation(id));
        let needle = match runs {
            Some((needle, runs)) => {
                runs.iter().for_each(|run| _ = self.parts.phrase(run));
                needle
            }
            None if array => Needle::Unknown,
            None => phrases_of(texts(&row.phrases), row.match_all, &mut self.parts),
        };
        let mut constraints: Vec<_> =
            texts(&row.constraints).map(text::trim).filter(|lock| !lock.is_empty()).collect();
        constraints.sort_unstable();
        constraints.iter().for_each(|lock| self.parts.constraint(lock));
        texts(&row.forbidden).for_each(|text| self.parts.forbidden(text));
        // Filled where it lies: a case that is made elsewhere and moved there takes longer.
        self.found.cases.push(Case::default());
        let case = self.found.cases.last_mut()?;
        self.parts.fill(question, case);
        if self.names.is_some() {
            self.parts.share(std::slice::from_mut(case)); // the next rows are compared with it
        }
        (case.answerable, case.needle) = (row.answerable.unwrap_or_default(), needle);
        case.paraphrases = row.paraphrases;
        Some(case)
    }

    fn warn(&mut self, row: &GoldRow<'a>, array: bool, never: bool, start: usize, base: usize) {
        let mut found = Vec::new();
        for (index, (phrase, span)) in row.phrases.iter().flatten().enumerate() {
            if phrase.is_ascii() && phrase.len() >= 5 {
                continue;
            }
            let length = phrase.to_lowercase().chars().count();
            if length < 5 {
                let path = format!("gold_claim_substr[{index}]");
                let message = format!(
                    "\"{}\" has {}, so it can never match",
                    text::visible(phrase),
                    text::count(length as u64, "character")
                );
                found.push(Wrong::new(
                    &problem::GOLD_SHORT_SUBSTRING,
                    span.clone(),
                    &path,
                    message,
                    "expected five characters or more",
                ));
            }
        }
        if never {
            let message = "`gold_claim` has no run of five ASCII letters, digits, hyphens and spaces, so it can never match".to_owned();
            found.push(Wrong::new(
                &problem::GOLD_SHORT_SUBSTRING,
                start..start + 1,
                "gold_claim",
                message,
                "expected such a run",
            ));
        }
        let cites = row.citations.iter().flatten().next();
        let field = if array { "gold_ids" } else { "gold_citations" };
        if row.answerable == Some(true) && cites.is_none() {
            let message = format!("this row is answerable, and `{field}` is empty");
            found.push(Wrong::new(
                &problem::GOLD_NO_CITATION,
                start..start + 1,
                field,
                message,
                "expected a chunk that supports the answer",
            ));
        }
        if let (Some(false), Some((_, span))) = (row.answerable, cites) {
            let message = format!("this row is unanswerable, and `{field}` names a chunk");
            found.push(Wrong::new(
                &problem::GOLD_REFUSAL_WITH_IDS,
                span.clone(),
                field,
                message,
                "expected an empty list",
            ));
        }
        if let (Some((question, span)), Some(names)) = (&row.question, &mut self.names) {
            let cases = &self.found.cases;
            let same = |case: u32| cases[case as usize].question() == question;
            if let Some(first) = names.questions.insert(Hash::of(question), cases.len() as u32, same) {
                names.shared.insert(first);
                let message = format!("line {} asks the same question", cases[first as usize].line);
                found.push(Wrong::new(
                    &problem::GOLD_SAME_QUESTION,
                    span.clone(),
                    "question",
                    message,
                    "expected a question that no other row asks",
                ));
            }
        }
        for wrong in found {
            self.table.report(wrong, base);
        }
    }

    fn finish(mut self, fingerprint: Fingerprint) -> Result<Gold, Failure> {
        self.table.finish(self.found.cases.len())?;
        Ok(Gold {
            array_contract: !self.found.other_contract,
            slice_fields: self.table.slices.to_vec(),
            warnings: self.table.warnings.first,
            warnings_total: self.table.warnings.total,
            name: self.table.name.clone(),
            fingerprint,
            names: self.names.unwrap_or_default(),
            cases: self.found.cases,
        })
    }
}

fn texts<'r>(list: &'r Option<Vec<Placed<'_>>>) -> impl Iterator<Item = &'r str> {
    list.iter().flatten().map(|(text, _)| &**text)
}

/// Notes which fields a row lacks.
#[cold]
fn demand(row: &mut GoldRow<'_>, array: bool, start: usize) {
    let dialect = if array { cited_text::DIALECT } else { answer_json::DIALECT };
    for field in dialect.gold {
        let there = match field.name {
            "qid" => row.id.is_some(),
            "answerable" => row.answerable.is_some(),
            "gold_claim_substr" => row.phrases.is_some(),
            _ => row.citations.is_some(),
        };
        if let Some(expected) = field.required
            && !there
            && !row.refused.contains(&field.name)
        {
            let (message, expected) =
                (format!("this row has no `{}`", field.name), format!("expected {expected}"));
            let span = start..start + 1;
            row.wrong.push(Wrong::new(&problem::GOLD_MISSING_FIELD, span, field.name, message, expected));
        }
    }
}

/// Calls `each` with every text once, in the order of first appearance.
fn each_distinct(texts: &[Placed<'_>], mut each: impl FnMut(&str)) {
    if texts.len() > FEW {
        return distinct(texts.iter().map(|(text, _)| &**text)).into_iter().for_each(each);
    }
    for (i, (text, _)) in texts.iter().enumerate() {
        if texts[..i].iter().all(|(before, _)| before != text) {
            each(text);
        }
    }
}
