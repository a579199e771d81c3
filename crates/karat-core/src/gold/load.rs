//! Is the gold set sound? Every row is read, checked and warned about, and all problems are told at once.

use std::collections::BTreeSet;
use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use super::needle::{phrases_of, runs_of};
use super::pieces::in_parallel;
use super::{Gold, Index};
use crate::input::json::{Kind, Reader, Syntax};
use crate::input::source::Fingerprint;
use crate::input::{LINE_LIMIT, Source};
use crate::model::{Case, Needle, Texts};
use crate::problem::{self, Failure, Problem, Severity};
use crate::rows::{GoldRow, Placed, Wrong};
use crate::text;

pub(super) fn load(source: &Source, slices: &[String], threads: usize) -> Result<Gold, Failure> {
    let mut open = source.open()?;
    let bytes = read_bounded(&mut open.reader, source)?;
    let fingerprint = open.hash.finish();
    let text = match std::str::from_utf8(&bytes) {
        Ok(text) => text,
        Err(e) => return Err(not_utf8(source.name(), &bytes, e.valid_up_to()).into()),
    };
    if let Some(gold) = in_parallel(source.name(), text, slices, threads, &fingerprint) {
        return Ok(gold);
    }
    let mut loader = Loader::new(source.name(), text, slices);
    loader.rows();
    loader.finish(fingerprint)
}

pub(super) fn is_array(text: &str) -> bool {
    text.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('[')
}

/// Reads everything, but stops at a line that is too long to be a row.
fn read_bounded(reader: &mut dyn Read, source: &Source) -> Result<Vec<u8>, Failure> {
    let mut bytes =
        Vec::with_capacity(usize::try_from(source.size().unwrap_or(0)).unwrap_or(0).min(1 << 30) + 1);
    let mut line_start = 0;
    loop {
        let before = bytes.len();
        if reader.take(1 << 22).read_to_end(&mut bytes).map_err(|e| source.unreadable(&e))? == 0 {
            return Ok(bytes);
        }
        if let Some(end) = memchr::memrchr(b'\n', &bytes[before..]) {
            line_start = before + end + 1;
        }
        let array = bytes.iter().take(64).find(|b| !b.is_ascii_whitespace() && **b < 0x80) == Some(&b'[');
        if bytes.len() - line_start > LINE_LIMIT && !array {
            let line = bytes[..line_start].iter().filter(|&&b| b == b'\n').count() as u64 + 1;
            let excerpt = String::from_utf8_lossy(&bytes[line_start..line_start + 64]).into_owned();
            return Err(too_long(source.name(), line, &excerpt).into());
        }
    }
}

pub(crate) fn too_long(source: &Arc<str>, line: u64, start: &str) -> Problem {
    let message = "this line is longer than 64 MiB".to_owned();
    Problem::at(
        &problem::LINE_TOO_LONG,
        source,
        line,
        start,
        0..1,
        message,
        "expected one JSON object a line",
    )
}

/// The problem of bytes that are no UTF-8; `at` is the first bad one.
pub(crate) fn not_utf8(source: &Arc<str>, bytes: &[u8], at: usize) -> Problem {
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |i| i + 1);
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i).min(at + 200);
    let line = bytes[..start].iter().filter(|&&b| b == b'\n').count() as u64 + 1;
    let before = String::from_utf8_lossy(&bytes[start..at]).into_owned();
    let shown = format!("{before}{}", String::from_utf8_lossy(&bytes[at..end]));
    let hint = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        "the file begins as UTF-16 does".to_owned()
    } else {
        format!("byte 0x{:02x} is not UTF-8 here", bytes[at])
    };
    let span = before.len()..before.len() + 1;
    Problem::at(&problem::NOT_UTF8, source, line, &shown, span, hint, "expected UTF-8")
}

pub(super) struct Loader<'a> {
    name: &'a Arc<str>,
    text: &'a str,
    slices: &'a [String],
    pub(super) cases: Vec<Case>,
    pub(super) ids: Index,
    pub(super) questions: Index,
    pub(super) shared_question: Vec<bool>,
    pub(super) other_contract: bool,
    pub(super) errors: Kept,
    pub(super) warnings: Kept,
    /// Line number at a byte offset, moved forward from row to row.
    line: (usize, u64),
    pub(super) keys: BTreeSet<String>,
    pub(super) sliced: Vec<bool>,
    /// It reads the whole set, so that it can tell which ids and questions come twice.
    pub(super) alone: bool,
}

/// The first problems, and how many there are.
#[derive(Default)]
pub(super) struct Kept {
    first: Vec<Problem>,
    pub(super) total: u64,
}

impl<'a> Loader<'a> {
    pub(super) fn new(name: &'a Arc<str>, text: &'a str, slices: &'a [String]) -> Self {
        Loader {
            name,
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            slices,
            cases: Vec::new(),
            ids: Index::with_capacity(text.len() / 150),
            questions: Index::with_capacity(text.len() / 150),
            shared_question: Vec::new(),
            other_contract: false,
            errors: Kept::default(),
            warnings: Kept::default(),
            line: (0, 1),
            keys: BTreeSet::new(),
            sliced: vec![false; slices.len()],
            alone: true,
        }
    }

    fn rows(&mut self) {
        let text = self.text;
        if is_array(text) {
            let mut reader = Reader::new(text);
            let read = reader.array(|reader| self.element(reader)).and_then(|()| reader.end());
            if let Err(error) = read {
                self.report(Wrong::syntax(error, text), 0);
            }
        } else {
            self.lines();
        }
    }

    pub(super) fn lines(&mut self) {
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let row = line.trim_end_matches(['\n', '\r']);
            if !text::trim(row).is_empty() {
                let mut reader = Reader::new(row);
                let read = self.row(&mut reader, start).and_then(|()| reader.end());
                if let Err(error) = read {
                    self.report(Wrong::syntax(error, row), start);
                }
            }
            start += line.len();
        }
    }

    fn element(&mut self, reader: &mut Reader<'a>) -> Result<(), Syntax> {
        self.row(reader, 0)
    }

    /// Reads one row. `base` is where the reader's text begins in the file.
    fn row(&mut self, reader: &mut Reader<'a>, base: usize) -> Result<(), Syntax> {
        let start = reader.offset();
        let kind = reader.peek()?;
        if kind != Kind::Object {
            reader.skip()?;
            let span = start..start + reader.since(start).len();
            let message = format!("this row is {}, not an object", kind.with_article());
            self.report(wrong(&problem::GOLD_NOT_AN_OBJECT, span, "", message, "expected an object"), base);
            return Ok(());
        }
        let mut row = GoldRow::default();
        let mut slices: Vec<Box<[Box<str>]>> = vec![Box::default(); self.slices.len()];
        let (fields, keys, sliced) = (self.slices, &mut self.keys, &mut self.sliced);
        row.read(reader, |key, reader| {
            if fields.is_empty() {
                return;
            }
            if keys.len() < 200 && !keys.contains(key) {
                keys.insert(key.to_owned());
            }
            for (i, _) in fields.iter().enumerate().filter(|(_, field)| *field == key) {
                slices[i] = slice_values(&mut reader.clone()).unwrap_or_default();
                sliced[i] |= !slices[i].is_empty();
            }
        })?;
        let line = self.line_of(base + start);
        if let Some(case) = self.case(row, start, base, line, slices) {
            self.cases.push(case);
            self.shared_question.push(false);
        }
        Ok(())
    }

    fn case(
        &mut self,
        mut row: GoldRow<'a>,
        start: usize,
        base: usize,
        line: u64,
        slices: Vec<Box<[Box<str>]>>,
    ) -> Option<Case> {
        let array = row.has_cited_text && !row.has_answer_json;
        self.other_contract |= !array;
        let required: &[(&str, bool)] = if array {
            &[
                ("qid", row.id.is_some()),
                ("answerable", row.answerable.is_some()),
                ("gold_ids", row.citations.is_some()),
            ]
        } else {
            &[
                ("qid", row.id.is_some()),
                ("answerable", row.answerable.is_some()),
                ("gold_claim_substr", row.phrases.is_some()),
                ("gold_citations", row.citations.is_some()),
            ]
        };
        for &(name, there) in required {
            if !there && !row.refused.contains(&name) {
                let message = format!("this row has no `{name}`");
                row.wrong.push(wrong(
                    &problem::GOLD_MISSING_FIELD,
                    start..start + 1,
                    name,
                    message,
                    expected_of(name),
                ));
            }
        }
        let id = row.id.take();
        if let Some((id, span)) = id.as_ref().filter(|_| self.alone) {
            let number = self.cases.len() as u32;
            let cases = &self.cases;
            if let Some(first) = self.ids.find(id, |case| cases[case as usize].id()) {
                let first = cases[first as usize].line;
                let message = format!("qid \"{}\" is already used on line {first}", text::visible(id));
                let expected = "expected a qid that no other row has";
                row.wrong.push(wrong(&problem::GOLD_DUPLICATE_ID, span.clone(), "qid", message, expected));
            } else if row.wrong.is_empty() {
                self.ids.insert(id, number, |case| cases[case as usize].id());
            }
        }
        if !row.wrong.is_empty() {
            row.wrong.sort_by_key(|wrong| wrong.span.start);
            for wrong in row.wrong {
                self.report(wrong, base);
            }
            return None;
        }
        self.warn(&row, array, start, base);
        let (needle, phrases) = match (array, row.gold_claim.filter(|claim| !claim.is_empty())) {
            (true, None) => (Needle::Unknown, Vec::new()),
            (true, Some(claim)) => runs_of(&claim),
            (false, _) => phrases_of(row.phrases.iter().flatten().map(|(text, _)| &**text), row.match_all),
        };
        let texts = |list: Option<Vec<Placed<'a>>>| list.into_iter().flatten().map(|(text, _)| text);
        let mut constraints: Vec<_> =
            texts(row.constraints).map(text::trim_cow).filter(|lock| !lock.is_empty()).collect();
        constraints.sort_unstable();
        let texts = Texts {
            id: id.map(|(id, _)| id).unwrap_or_default(),
            citations: distinct(texts(row.citations)),
            phrases,
            constraints,
            forbidden: texts(row.forbidden).map(|text| text.to_lowercase().into()).collect(),
            question: row.question.map(|(text, _)| text).unwrap_or_default(),
        };
        let answerable = row.answerable.unwrap_or_default();
        let mut case = Case::new(&texts);
        (case.answerable, case.needle, case.line, case.slices) = (answerable, needle, line, slices.into());
        Some(case)
    }

    fn warn(&mut self, row: &GoldRow<'a>, array: bool, start: usize, base: usize) {
        let mut found = Vec::new();
        for (index, (phrase, span)) in row.phrases.iter().flatten().enumerate() {
            let length = phrase.to_lowercase().chars().count();
            if length < 5 {
                let path = format!("gold_claim_substr[{index}]");
                let message = format!(
                    "\"{}\" has {}, so it can never match",
                    text::visible(phrase),
                    text::count(length as u64, "character")
                );
                found.push(wrong(
                    &problem::GOLD_SHORT_SUBSTRING,
                    span.clone(),
                    &path,
                    message,
                    "expected five characters or more",
                ));
            }
        }
        if let Some(claim) = row.gold_claim.as_deref().filter(|claim| array && !claim.is_empty())
            && runs_of(claim).0 == Needle::Never
        {
            let message = "`gold_claim` has no run of five ASCII letters, digits, hyphens and spaces, so it can never match".to_owned();
            found.push(wrong(
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
            found.push(wrong(
                &problem::GOLD_NO_CITATION,
                start..start + 1,
                field,
                message,
                "expected a chunk that supports the answer",
            ));
        }
        if let (Some(false), Some((_, span))) = (row.answerable, cites) {
            let message = format!("this row is unanswerable, and `{field}` names a chunk");
            found.push(wrong(
                &problem::GOLD_REFUSAL_WITH_IDS,
                span.clone(),
                field,
                message,
                "expected an empty list",
            ));
        }
        if let Some((question, span)) = row.question.as_ref().filter(|_| self.alone) {
            let number = self.cases.len() as u32;
            let cases = &self.cases;
            if let Some(first) =
                self.questions.insert(question, number, |case| cases[case as usize].question())
            {
                self.shared_question[first as usize] = true;
                let message = format!("line {} asks the same question", cases[first as usize].line);
                found.push(wrong(
                    &problem::GOLD_SAME_QUESTION,
                    span.clone(),
                    "question",
                    message,
                    "expected a question that no other row asks",
                ));
            }
        }
        for wrong in found {
            self.report(wrong, base);
        }
    }

    /// Puts a problem at its place in the file.
    fn report(&mut self, wrong: Wrong, base: usize) {
        let kept = if wrong.kind.severity == Severity::Error { &mut self.errors } else { &mut self.warnings };
        kept.total += 1;
        if kept.first.len() < Failure::SHOWN {
            let at = base + wrong.span.start;
            let start = memchr::memrchr(b'\n', &self.text.as_bytes()[..at]).map_or(0, |i| i + 1);
            let end = memchr::memchr(b'\n', &self.text.as_bytes()[at..]).map_or(self.text.len(), |i| at + i);
            let line = self.text[..start].bytes().filter(|&b| b == b'\n').count() as u64 + 1;
            let span = at - start..(base + wrong.span.end).min(end) - start;
            let shown = self.text[start..end].trim_end_matches('\r');
            kept.first.push(
                Problem::at(wrong.kind, self.name, line, shown, span, wrong.message, wrong.expected)
                    .on(wrong.path),
            );
        }
    }

    /// The line number of a byte offset; offsets must not go back.
    fn line_of(&mut self, at: usize) -> u64 {
        let (from, line) = self.line;
        let passed = memchr::memchr_iter(b'\n', &self.text.as_bytes()[from..at]).count() as u64;
        self.line = (at, line + passed);
        line + passed
    }

    pub(super) fn finish(mut self, fingerprint: Fingerprint) -> Result<Gold, Failure> {
        if self.cases.is_empty() && self.errors.total == 0 {
            let message = "the gold set has no rows";
            return Err(Problem::of_file(&problem::GOLD_EMPTY, self.name, message).into());
        }
        if self.errors.total == 0 {
            for (field, _) in self.slices.iter().zip(&self.sliced).filter(|(_, seen)| !**seen) {
                let near = text::nearest(field, self.keys.iter().map(String::as_str));
                let known: Vec<&str> =
                    if near.is_empty() { self.keys.iter().map(String::as_str).collect() } else { near };
                let message = format!("no gold row has a field `{}` to slice by", text::visible(field));
                let mut problem = Problem::of_file(&problem::SLICE_UNKNOWN, self.name, message);
                problem.expected = format!("the rows have: {}", text::visible(&known.join(", ")));
                self.errors.first.push(problem);
                self.errors.total += 1;
            }
        }
        if self.errors.total > 0 {
            return Err(Failure { problems: self.errors.first, total: self.errors.total });
        }
        Ok(Gold {
            array_contract: !self.other_contract,
            slice_fields: self.slices.to_vec(),
            warnings: self.warnings.first,
            warnings_total: self.warnings.total,
            name: self.name.clone(),
            fingerprint,
            ids: self.ids,
            questions: self.questions,
            shared_question: self.shared_question,
            cases: self.cases,
        })
    }
}

fn wrong(
    kind: &'static problem::Kind,
    span: Range<usize>,
    path: &str,
    message: String,
    expected: &str,
) -> Wrong {
    Wrong { kind, span, path: path.into(), message, expected: expected.into() }
}

fn expected_of(field: &str) -> &'static str {
    match field {
        "qid" => "expected `qid`: a string or a whole number, not empty",
        "answerable" => "expected `answerable`: true or false",
        "gold_claim_substr" => "expected `gold_claim_substr`: a list of strings (it may be empty)",
        "gold_ids" => "expected `gold_ids`: a list of chunk ids (it may be empty)",
        _ => "expected `gold_citations`: a list of chunk ids (it may be empty)",
    }
}

/// Each text once, in the order of first appearance.
fn distinct<T: Clone + Ord>(texts: impl Iterator<Item = T>) -> Vec<T> {
    const FEW: usize = 16;
    let mut kept: Vec<T> = Vec::new();
    let mut many = BTreeSet::new();
    for text in texts {
        if kept.len() == FEW && many.is_empty() {
            many.extend(kept.iter().cloned());
        }
        let new = if kept.len() < FEW { !kept.contains(&text) } else { many.insert(text.clone()) };
        if new {
            kept.push(text);
        }
    }
    kept
}

/// The values of a field as slices: a scalar's text, each scalar of a list, an object's JSON.
fn slice_values(reader: &mut Reader<'_>) -> Result<Box<[Box<str>]>, Syntax> {
    let mut values = Vec::new();
    if reader.peek()? == Kind::Array {
        reader.array(|reader| scalar(reader).map(|value| values.extend(value)))?;
    } else {
        values.extend(scalar(reader)?);
    }
    Ok(distinct(values.into_iter()).into())
}

fn scalar(reader: &mut Reader<'_>) -> Result<Option<Box<str>>, Syntax> {
    let start = reader.offset();
    match reader.peek()? {
        Kind::Null => reader.skip().map(|()| None),
        Kind::String => Ok(Some(reader.string()?.decode().into())),
        _ => {
            reader.skip()?;
            Ok(Some(reader.since(start).into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_ids_are_one() {
        let many: Vec<Box<str>> = (0..40).map(|i| (i % 20).to_string().into()).collect();
        assert_eq!(distinct(many.into_iter()).len(), 20);
    }
}
