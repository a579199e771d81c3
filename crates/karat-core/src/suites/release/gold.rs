//! What must a releasable answer rest on, and what must it say? The gold set of `release`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foldhash::quality::FixedState;
use indexmap::IndexSet;

use crate::gold::distinct;
use crate::input::Source;
use crate::input::json::{Kind, Reader, Syntax};
use crate::input::source::Fingerprint;
use crate::input::table::{SliceValues, Table, contents, each_row};
use crate::problem::{self, Failure, Problem};
use crate::rows::{Placed, Seen, Wrong, id, list, list_or_refuse, question, refuse, unreadable};
use crate::text;

/// Texts, each kept once and known by its number.
pub(crate) type Words = IndexSet<Box<str>, FixedState>;

/// The number of a text, which is kept if it is new.
pub(crate) fn word(words: &mut Words, text: &str) -> u32 {
    match words.get_index_of(text) {
        Some(known) => known as u32,
        None => words.insert_full(text.into()).0 as u32,
    }
}

/// One case of gold.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) id: Box<str>,
    pub(crate) line: u64,
    pub(crate) question: Box<str>,
    /// The chunks that an answer must rest on: distinct.
    pub(crate) required: Vec<Box<str>>,
    /// The points that it must make: distinct.
    pub(crate) points: Vec<Box<str>>,
    /// The lower-cased phrases that support a claim of a point, by their numbers in [`Gold::words`].
    pub(crate) phrases: Vec<(Box<str>, Box<[u32]>)>,
    pub(crate) slices: SliceValues,
}

impl Case {
    /// The phrases that gold has for a point; none, or an empty list, is none.
    pub(crate) fn phrases_of(&self, point: &str) -> Option<u32> {
        let found = self.phrases.iter().position(|(name, words)| **name == *point && !words.is_empty());
        found.map(|at| at as u32)
    }
}

/// A loaded gold set.
#[derive(Debug)]
pub(crate) struct Gold {
    pub(crate) cases: Vec<Case>,
    /// The phrases, lower-cased.
    pub(crate) words: Words,
    pub(crate) slice_fields: Vec<String>,
    pub(crate) name: Arc<str>,
    pub(crate) fingerprint: Fingerprint,
    pub(crate) warnings: Vec<Problem>,
    pub(crate) warnings_total: u64,
    ids: HashMap<Box<str>, u32, FixedState>,
}

impl Gold {
    /// Reads a gold set. `optional`: the fields to slice by are a default, which rows need not have.
    pub(crate) fn load(source: &Source, slices: &[String], optional: bool) -> Result<Gold, Failure> {
        let (text, fingerprint) = contents(source)?;
        let mut loader = Loader {
            table: Table::new(source.name(), &text, slices),
            cases: Vec::new(),
            ids: HashMap::with_hasher(FixedState::with_seed(0)),
            words: Words::with_hasher(FixedState::with_seed(0)),
        };
        each_row(loader.table.text, &mut loader, Loader::row, |loader, wrong, base| {
            loader.table.report(wrong, base);
        });
        if optional {
            loader.table.sliced.fill(true);
        }
        loader.table.finish(loader.cases.len())?;
        let Loader { table, cases, ids, words } = loader;
        Ok(Gold {
            cases,
            words,
            slice_fields: slices.to_vec(),
            name: source.name().clone(),
            fingerprint,
            warnings: table.warnings.first,
            warnings_total: table.warnings.total,
            ids,
        })
    }

    /// The case with this id.
    pub(crate) fn by_id(&self, id: &str) -> Option<u32> {
        self.ids.get(id).copied()
    }

    /// The ids nearest to one that is not known.
    pub(crate) fn nearest(&self, id: &str) -> Vec<&str> {
        const LOOKED_AT: usize = 10_000;
        text::nearest(id, self.cases.iter().take(LOOKED_AT).map(|case| &*case.id))
    }
}

/// What the contract says of a gold file by itself: its warnings, the first ones and how many there are.
pub(crate) fn lint(source: &Source) -> Result<(Vec<Problem>, u64), Failure> {
    let gold = Gold::load(source, &[], true)?;
    let (mut found, mut total) = (gold.warnings, gold.warnings_total);
    let mut note = |kind: &'static problem::Kind, line: u64, message: String| {
        total += 1;
        if found.len() < Failure::SHOWN {
            let mut problem = Problem::of_file(kind, &gold.name, message);
            (problem.line, problem.column, problem.path) = (line, 1, "points".to_owned());
            found.push(problem);
        }
    };
    for case in &gold.cases {
        let phrases = case.phrases.iter().flat_map(|(_, words)| words);
        let phrases = phrases.filter_map(|&number| gold.words.get_index(number as usize));
        for phrase in phrases.filter(|phrase| phrase.chars().count() < 5) {
            let message =
                format!("the phrase \"{}\" is short: almost any chunk holds it", text::visible(phrase));
            note(&problem::GOLD_SHORT_PHRASE, case.line, message);
        }
        for point in case.points.iter().filter(|point| case.phrases_of(point).is_none()) {
            let message = format!("required point \"{}\" has no phrases in `points`", text::visible(point));
            note(&problem::GOLD_NO_PHRASES, case.line, message);
        }
    }
    Ok((found, total))
}

struct Loader<'a> {
    table: Table<'a>,
    cases: Vec<Case>,
    ids: HashMap<Box<str>, u32, FixedState>,
    words: Words,
}

/// A row while it is read.
#[derive(Default)]
struct Row<'a> {
    id: Option<Placed<'a>>,
    question: Option<Box<str>>,
    sources: Option<Vec<Placed<'a>>>,
    points: Option<Vec<Placed<'a>>>,
    phrases: Vec<(Box<str>, Vec<Placed<'a>>)>,
    seen: Seen,
    wrong: Vec<Wrong>,
}

impl<'a> Row<'a> {
    fn field(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
        let (kind, start) = (&problem::GOLD_WRONG_TYPE, reader.offset());
        let own = ["case_id", "question", "required_source_ids", "required_points", "points"];
        if self.seen.again(&own, key, reader, &mut self.wrong)? {
            return Ok(());
        }
        match key {
            "case_id" => {
                let id = id(reader, key, kind, &mut self.wrong)?;
                self.id = id.map(|id| (id, start..start + reader.since(start).len()));
            }
            "question" => {
                let text = question(reader, key, kind, &mut self.wrong)?;
                self.question = text.map(|text| text.decode().into());
            }
            "required_source_ids" => {
                let blank = Some(&problem::GOLD_EMPTY_LIST);
                self.sources = list_or_refuse(reader, key, true, kind, blank, &mut self.wrong)?;
                let ids = self.sources.as_deref().unwrap_or_default();
                unreadable(ids, key, &problem::GOLD_UNKNOWN_VALUE, &mut self.wrong);
                self.not_empty(self.sources.as_ref().map(Vec::len), start, reader, key, "a chunk id");
            }
            "required_points" => {
                self.points = list(reader, key, false, kind, &mut self.wrong)?;
                self.not_empty(self.points.as_ref().map(Vec::len), start, reader, key, "a point");
                let points = self.points.iter().flatten();
                let blank = blank(points, key, "a point that no claim can make");
                self.wrong.extend(blank);
            }
            "points" => match reader.peek()? {
                Kind::Null => reader.skip()?,
                Kind::Object => self.points(reader)?,
                _ => {
                    refuse(reader, key, "an object: a list of phrases for each point", kind, &mut self.wrong)?
                }
            },
            _ => reader.skip()?,
        }
        Ok(())
    }

    fn points(&mut self, reader: &mut Reader<'a>) -> Result<(), Syntax> {
        let mut named: HashSet<Box<str>, FixedState> = HashSet::default();
        reader.object(|reader, point| {
            let path = format!("points.{point}");
            if !named.insert(point.into()) {
                return Seen(1).again(&[point], point, reader, &mut self.wrong).map(|_| ());
            }
            let phrases = list(reader, &path, false, &problem::GOLD_WRONG_TYPE, &mut self.wrong)?;
            let phrases = phrases.unwrap_or_default();
            self.wrong.extend(blank(phrases.iter(), &path, "a phrase that every chunk holds"));
            self.phrases.push((point.into(), phrases));
            Ok::<(), Syntax>(())
        })
    }

    fn not_empty(&mut self, length: Option<usize>, start: usize, reader: &Reader<'a>, key: &str, what: &str) {
        if length == Some(0) {
            self.wrong.push(Wrong::new(
                &problem::GOLD_EMPTY_LIST,
                start..start + reader.since(start).len(),
                key,
                format!("`{key}` is empty: the case would pass by asking for nothing"),
                format!("expected {what} or more"),
            ));
        }
    }
}

/// The problems of texts that are blank.
pub(super) fn blank<'a>(texts: impl Iterator<Item = &'a Placed<'a>>, path: &str, why: &str) -> Vec<Wrong> {
    let wrong = |(i, (_, span)): (usize, &Placed<'_>)| {
        let message = format!("`{path}[{i}]` is empty: {why}");
        let expected = "expected a text that is not empty";
        Wrong::new(&problem::GOLD_EMPTY_LIST, span.clone(), format!("{path}[{i}]"), message, expected)
    };
    texts.enumerate().filter(|(_, (text, _))| text::trim(text).is_empty()).map(wrong).collect()
}

impl<'a> Loader<'a> {
    fn row(&mut self, reader: &mut Reader<'a>, base: usize) -> Result<(), Syntax> {
        let start = reader.offset();
        if !self.table.is_object(reader, base)? {
            return Ok(());
        }
        let (mut row, mut slices) = (Row::default(), self.table.no_values());
        reader.object(|reader, key| {
            self.table.see(key, reader, &mut slices);
            row.field(reader, key)
        })?;
        let line = self.table.line_of(base + start);
        for (name, there, expected) in [
            ("case_id", row.id.is_some(), "a string or a whole number, not empty"),
            ("required_source_ids", row.sources.is_some(), "a list of chunk ids, at least one"),
            ("required_points", row.points.is_some(), "a list of points, at least one"),
        ] {
            if !there && !row.wrong.iter().any(|wrong| wrong.path == name) {
                let kind = &problem::GOLD_MISSING_FIELD;
                let message = format!("this row has no `{name}`");
                row.wrong.push(Wrong::new(
                    kind,
                    start..start + 1,
                    name,
                    message,
                    format!("expected {expected}"),
                ));
            }
        }
        if let Some((id, span)) = &row.id
            && let Some(first) = self.ids.get(&**id)
        {
            let first = self.cases[*first as usize].line;
            let message = format!("case_id \"{}\" is already used on line {first}", text::visible(id));
            let expected = "expected a case_id that no other row has";
            row.wrong.push(Wrong::new(
                &problem::GOLD_DUPLICATE_ID,
                span.clone(),
                "case_id",
                message,
                expected,
            ));
        }
        if !row.wrong.is_empty() {
            row.wrong.sort_by_key(|wrong| wrong.span.start);
            row.wrong.into_iter().for_each(|wrong| self.table.report(wrong, base));
            return Ok(());
        }
        self.keep(row, line, slices);
        Ok(())
    }

    fn keep(&mut self, row: Row<'a>, line: u64, slices: SliceValues) {
        let texts = |list: Option<Vec<Placed<'a>>>| {
            distinct(list.into_iter().flatten().map(|(text, _)| Box::<str>::from(text)))
        };
        let id: Box<str> = row.id.map(|(id, _)| id.into()).unwrap_or_default();
        let words = &mut self.words;
        let phrases = row.phrases.into_iter().map(|(point, phrases)| {
            let numbers = phrases.iter().map(|(phrase, _)| word(words, &phrase.to_lowercase()));
            (point, distinct(numbers).into())
        });
        let case = Case {
            id: id.clone(),
            line,
            question: row.question.unwrap_or_default(),
            phrases: phrases.collect(),
            required: texts(row.sources),
            points: texts(row.points),
            slices,
        };
        self.ids.insert(id, self.cases.len() as u32);
        self.cases.push(case);
    }
}
