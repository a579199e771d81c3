//! What must a releasable answer rest on, and what must it say? The gold set of `release`.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use foldhash::quality::FixedState;
use indexmap::IndexSet;
use karat_input::record::{Contract, Record};

use crate::gold::distinct;
use crate::input::Source;
use crate::input::json::{Kind, Reader, Syntax};
use crate::input::source::Fingerprint;
use crate::input::table::{SliceValues, Table, contents};
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::rows::{Placed, Wrong, list, refuse, repeated, unreadable};
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
        let mut table = Table::new(source.name(), &text, slices);
        let mut cases: Vec<Case> = Vec::new();
        let mut ids: HashMap<Box<str>, u32, FixedState> = HashMap::with_hasher(FixedState::with_seed(0));
        let mut words = Words::with_hasher(FixedState::with_seed(0));
        table.each(&CONTRACT, |row| {
            if let Some(case) =
                case(row, |id| ids.get(id).map(|&first| cases[first as usize].line), &mut words)
            {
                ids.insert(case.id.clone(), cases.len() as u32);
                cases.push(case);
            }
        });
        if optional {
            table.sliced.fill(true);
        }
        table.finish(cases.len())?;
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

    /// The file as a report lists it.
    pub(crate) fn input(&self) -> Input {
        Input::new("gold", &self.name, self.cases.len() as u64, self.fingerprint.clone())
    }

    /// Adds warnings, of which the first few are kept.
    pub(crate) fn warn(&mut self, found: Vec<Problem>) {
        self.warnings_total += found.len() as u64;
        self.warnings.extend(found);
        self.warnings.truncate(Failure::SHOWN);
    }

    /// A warning about a field of a case.
    pub(crate) fn warning(
        &self,
        kind: &'static problem::Kind,
        case: &Case,
        path: &str,
        message: String,
    ) -> Problem {
        let mut problem = Problem::of_file(kind, &self.name, message);
        (problem.line, problem.column, problem.path) = (case.line, 1, path.to_owned());
        problem
    }

    /// Warns of phrases that almost any chunk contains and, where they are `needed`, of points that have none.
    pub(crate) fn weak_points(&self, case: &Case, needed: bool) -> Vec<Problem> {
        let phrases = case.phrases.iter().flat_map(|(_, words)| words);
        let phrases = phrases.filter_map(|&word| self.words.get_index(word as usize));
        let short = phrases.filter(|phrase| phrase.chars().count() < 5).map(|phrase| {
            let phrase = text::visible(phrase);
            let message = format!("the phrase \"{phrase}\" is short: almost any chunk contains it");
            self.warning(&problem::GOLD_SHORT_PHRASE, case, "points", message)
        });
        let bare = case.points.iter().filter(|point| needed && case.phrases_of(point).is_none());
        let bare = bare.map(|point| {
            let message = format!("required point \"{}\" has no phrases in `points`", text::visible(point));
            self.warning(&problem::GOLD_NO_PHRASES, case, "points", message)
        });
        short.chain(bare).collect()
    }

    /// The ids nearest to one that is not known.
    pub(crate) fn nearest(&self, id: &str) -> Vec<&str> {
        const LOOKED_AT: usize = 10_000;
        text::nearest(id, self.cases.iter().take(LOOKED_AT).map(|case| &*case.id))
    }
}

/// What the contract says of a gold file by itself: its first warnings, and how many there are.
pub(crate) fn lint(source: &Source) -> Result<(Vec<Problem>, u64), Failure> {
    let mut gold = Gold::load(source, &[], true)?;
    let found = gold.cases.iter().flat_map(|case| gold.weak_points(case, true)).collect();
    gold.warn(found);
    Ok((gold.warnings, gold.warnings_total))
}

const CONTRACT: Contract =
    Contract { once: true, blank: Some(&problem::GOLD_EMPTY_LIST), ..Contract::gold(super::DIALECT.gold) };

/// The case of a row, unless something is wrong with it. `used` gives the line of an id that another row has.
fn case<'a>(row: &mut Record<'a>, used: impl Fn(&str) -> Option<u64>, words: &mut Words) -> Option<Case> {
    let id = row.id("case_id");
    let sources = required(row, "required_source_ids", "a chunk id");
    unreadable(&sources, "required_source_ids", CONTRACT.unknown_value, &mut row.wrong);
    let points = required(row, "required_points", "a point");
    row.wrong.extend(blank(points.iter(), "required_points", "a point that no claim can make"));
    let phrases =
        row.at("points").and_then(|(mut at, _)| phrases(&mut at, &mut row.wrong).ok()).unwrap_or_default();
    if let Some(id) = &id
        && let Some(first) = used(&id.0)
    {
        row.used_before("case_id", id, first);
    }
    if !row.is_sound() {
        return None;
    }
    let texts = |list: Vec<Placed<'a>>| distinct(list.into_iter().map(|(text, _)| Box::<str>::from(text)));
    let phrases = phrases.into_iter().map(|(point, phrases)| {
        let numbers = phrases.iter().map(|(phrase, _)| word(words, &phrase.to_lowercase()));
        (point, distinct(numbers).into())
    });
    Some(Case {
        id: id.map(|(id, _)| id.into()).unwrap_or_default(),
        line: row.line,
        question: row.text("question").map(Into::into).unwrap_or_default(),
        phrases: phrases.collect(),
        required: texts(sources),
        points: texts(points),
        slices: std::mem::take(&mut row.slices),
    })
}

/// A list that may not be empty.
fn required<'a>(row: &mut Record<'a>, key: &str, what: &str) -> Vec<Placed<'a>> {
    let Some((list, span)) = row.list(key) else { return Vec::new() };
    if list.is_empty() {
        let message = format!("`{key}` is empty: the case would pass by asking for nothing");
        row.note(&problem::GOLD_EMPTY_LIST, span, key, message, format!("expected {what} or more"));
    }
    list
}

/// The phrases of each point.
type Phrases<'a> = Vec<(Box<str>, Vec<Placed<'a>>)>;

fn phrases<'a>(reader: &mut Reader<'a>, wrong: &mut Vec<Wrong>) -> Result<Phrases<'a>, Syntax> {
    let mut all: Phrases<'a> = Vec::new();
    if reader.peek()? != Kind::Object {
        let expected = "an object: a list of phrases for each point";
        refuse(reader, "points", expected, CONTRACT.wrong_type, wrong)?;
        return Ok(all);
    }
    let mut named: HashSet<Box<str>, FixedState> = HashSet::default();
    reader.object(|reader, point| {
        let path = format!("points.{point}");
        if !named.insert(point.into()) {
            return repeated(point, reader, wrong);
        }
        let phrases = list(reader, &path, false, CONTRACT.wrong_type, wrong)?.unwrap_or_default();
        wrong.extend(blank(phrases.iter(), &path, "a phrase that every chunk contains"));
        all.push((point.into(), phrases));
        Ok::<(), Syntax>(())
    })?;
    Ok(all)
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
