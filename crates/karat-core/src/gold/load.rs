//! Is the gold set sound? Every row is read, checked and warned about, and all problems are told at once.

use std::collections::BTreeSet;
use std::io::Read;
use std::sync::Arc;

use super::needle::{phrases_of, runs_of};
use super::pieces::in_parallel;
use super::table::{SliceValues, Table, contents, each_line, each_row};
use super::{Gold, Index};
use crate::input::json::{Reader, Syntax};
use crate::input::source::Fingerprint;
use crate::input::{LINE_LIMIT, Source};
use crate::model::{Case, Needle, Texts};
use crate::problem::{self, Failure, Problem};
use crate::rows::{GoldRow, Placed, Wrong};
use crate::text;

pub(super) fn load(source: &Source, slices: &[String], threads: usize) -> Result<Gold, Failure> {
    let (text, fingerprint) = contents(source)?;
    if let Some(gold) = in_parallel(source.name(), &text, slices, threads, &fingerprint) {
        return Ok(gold);
    }
    let mut loader = Loader::new(source.name(), &text, slices);
    loader.rows();
    loader.finish(fingerprint)
}

/// Reads everything, but stops at a line that is too long to be a row.
pub(super) fn read_bounded(reader: &mut dyn Read, source: &Source) -> Result<Vec<u8>, Failure> {
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
    pub(super) table: Table<'a>,
    pub(super) cases: Vec<Case>,
    pub(super) ids: Index,
    pub(super) questions: Index,
    pub(super) shared_question: Vec<bool>,
    pub(super) other_contract: bool,
    /// It reads the whole set, so that it can tell which ids and questions come twice.
    pub(super) alone: bool,
}

impl<'a> Loader<'a> {
    pub(super) fn new(name: &'a Arc<str>, text: &'a str, slices: &'a [String]) -> Self {
        Loader {
            table: Table::new(name, text, slices),
            cases: Vec::new(),
            ids: Index::with_capacity(text.len() / 150),
            questions: Index::with_capacity(text.len() / 150),
            shared_question: Vec::new(),
            other_contract: false,
            alone: true,
        }
    }

    pub(super) fn rows(&mut self) {
        each_row(self.table.text, self, Self::row, |loader, wrong, base| loader.table.report(wrong, base));
    }

    /// The same for a piece of JSON lines.
    pub(super) fn lines(&mut self) {
        each_line(self.table.text, self, Self::row, |loader, wrong, base| loader.table.report(wrong, base));
    }

    /// Reads one row. `base` is where the reader's text begins in the file.
    fn row(&mut self, reader: &mut Reader<'a>, base: usize) -> Result<(), Syntax> {
        let start = reader.offset();
        if !self.table.is_object(reader, base)? {
            return Ok(());
        }
        let mut row = GoldRow::default();
        let mut slices = self.table.no_values();
        row.read(reader, |key, reader| self.table.see(key, reader, &mut slices))?;
        let line = self.table.line_of(base + start);
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
        slices: SliceValues,
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
                row.wrong.push(Wrong::new(
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
                row.wrong.push(Wrong::new(
                    &problem::GOLD_DUPLICATE_ID,
                    span.clone(),
                    "qid",
                    message,
                    expected,
                ));
            } else if row.wrong.is_empty() {
                self.ids.insert(id, number, |case| cases[case as usize].id());
            }
        }
        if !row.wrong.is_empty() {
            row.wrong.sort_by_key(|wrong| wrong.span.start);
            for wrong in row.wrong {
                self.table.report(wrong, base);
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
        let (answerable, paraphrases) = (row.answerable.unwrap_or_default(), row.paraphrases);
        let mut case = Case::new(&texts);
        (case.answerable, case.needle, case.line, case.slices) = (answerable, needle, line, slices);
        case.paraphrases = paraphrases;
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
                found.push(Wrong::new(
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
        if let Some((question, span)) = row.question.as_ref().filter(|_| self.alone) {
            let number = self.cases.len() as u32;
            let cases = &self.cases;
            if let Some(first) =
                self.questions.insert(question, number, |case| cases[case as usize].question())
            {
                self.shared_question[first as usize] = true;
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

    pub(super) fn finish(mut self, fingerprint: Fingerprint) -> Result<Gold, Failure> {
        self.table.finish(self.cases.len())?;
        Ok(Gold {
            array_contract: !self.other_contract,
            slice_fields: self.table.slices.to_vec(),
            warnings: self.table.warnings.first,
            warnings_total: self.table.warnings.total,
            name: self.table.name.clone(),
            fingerprint,
            ids: self.ids,
            questions: self.questions,
            shared_question: self.shared_question,
            cases: self.cases,
        })
    }
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
pub(crate) fn distinct<T: Clone + Ord>(texts: impl Iterator<Item = T>) -> Vec<T> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_ids_are_one() {
        let many: Vec<Box<str>> = (0..40).map(|i| (i % 20).to_string().into()).collect();
        assert_eq!(distinct(many.into_iter()).len(), 20);
    }
}
