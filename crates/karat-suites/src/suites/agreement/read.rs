//! Who says what of which answer? Pairs in one file, or one file a rater.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use foldhash::quality::FixedState;

use crate::input::Source;
use crate::input::json::{Kind, Reader, Syntax};
use crate::input::lines::{RowAt, Rows};
use crate::input::scan::Position;
use crate::model::Id;
use crate::problem::{self, Failure};
use crate::report::Input;
use crate::rows::{Wrong, element, elements, id, object, refuse};
use crate::suites::agreement::judge::Label;
use crate::text;

/// What one rater says of an answer.
#[derive(Clone, Debug)]
pub(super) struct Rating {
    pub(super) label: Label,
    pub(super) reason: Option<Box<str>>,
}

/// One answer, and what each rater says of it.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) id: Box<str>,
    /// The line of its first rating.
    pub(super) line: u64,
    /// One a rater; `None`: that rater lacks it.
    pub(super) ratings: Vec<Option<Rating>>,
    pub(super) flagged: bool,
    /// Its citations lie within what was retrieved.
    pub(super) in_scope: bool,
}

/// All answers in the order of their first rating.
pub(super) struct Ratings {
    pub(super) raters: Vec<String>,
    pub(super) items: Vec<Item>,
    pub(super) malformed: u64,
    pub(super) inputs: Vec<Input>,
}

/// A line while it is read.
#[derive(Default)]
struct Row<'a> {
    id: Option<(Cow<'a, str>, std::ops::Range<usize>)>,
    ratings: [Option<Rating>; 2],
    /// Of a rater's own line.
    label: Option<Label>,
    reason: Option<Box<str>>,
    flagged: bool,
    retrieved: Vec<Id<'a>>,
    cited: Option<Vec<Id<'a>>>,
    cites_oddly: bool,
    wrong: Vec<Wrong>,
}

/// A kept line.
struct Kept {
    position: Position,
    place: (u32, u64),
    id: Box<str>,
    ratings: [Option<Rating>; 2],
    flagged: bool,
    in_scope: bool,
    /// Nothing on the line counts but that it names an answer: it was malformed, and lines may be.
    skipped: bool,
}

/// How files of ratings are read.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    pub(super) lenient: bool,
    pub(super) threads: usize,
}

impl Reading {
    /// Pairs of a scholar and an auditor.
    pub(super) fn pairs(
        self,
        sources: &[Source],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Ratings, Failure> {
        let mut ratings = Ratings {
            raters: vec!["scholar".into(), "auditor".into()],
            items: Vec::new(),
            malformed: 0,
            inputs: Vec::new(),
        };
        let (rows, malformed, inputs) = self.rows(sources, "pairs", pair, progress)?;
        (ratings.malformed, ratings.inputs) = (malformed, inputs);
        for (row, line) in rows {
            let Kept { id, ratings: [scholar, auditor], flagged, in_scope, .. } = row;
            ratings.items.push(Item { id, line, ratings: vec![scholar, auditor], flagged, in_scope });
        }
        Ok(ratings)
    }

    /// One file a rater.
    pub(super) fn raters(
        self,
        raters: &[(String, Source)],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Ratings, Failure> {
        let mut all = Ratings {
            raters: raters.iter().map(|(name, _)| name.clone()).collect(),
            items: Vec::new(),
            malformed: 0,
            inputs: Vec::new(),
        };
        let mut known: HashMap<Box<str>, usize, FixedState> = HashMap::default();
        let mut problems = Vec::new();
        let mut total = 0;
        for (rater, (_, source)) in raters.iter().enumerate() {
            let read = self.rows(std::slice::from_ref(source), "rater", single, progress);
            let (rows, malformed, inputs) = match read {
                Ok(read) => read,
                Err(failure) => {
                    total += failure.total;
                    problems.extend(failure.problems);
                    continue;
                }
            };
            all.malformed += malformed;
            all.inputs.extend(inputs);
            for (row, line) in rows {
                let Kept { id, ratings: [rating, _], .. } = row;
                let number = *known.entry(id.clone()).or_insert_with(|| {
                    let ratings = vec![None; raters.len()];
                    all.items.push(Item { id, line, ratings, flagged: false, in_scope: true });
                    all.items.len() - 1
                });
                all.items[number].ratings[rater] = rating;
            }
        }
        if total > 0 {
            problems.truncate(Failure::SHOWN);
            return Err(Failure { problems, total });
        }
        Ok(all)
    }

    /// The rows of files in their order, each with its line; an answer that comes twice is a problem.
    #[allow(clippy::type_complexity)]
    fn rows(
        self,
        sources: &[Source],
        role: &str,
        field: for<'a> fn(&mut Row<'a>, &mut Reader<'a>, &str) -> Result<(), Syntax>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(Vec<(Kept, u64)>, u64, Vec<Input>), Failure> {
        let Reading { lenient, threads } = self;
        let rows = Rows { lenient, progress, ..Rows::new(sources, threads) };
        let mut read = rows.read(Vec::new, |kept: &mut Vec<Kept>, at, wrong| {
            let row = Row::read(at.text, field);
            match row.kept(at) {
                Ok(row) => kept.push(row),
                Err((mut found, named)) => {
                    wrong.append(&mut found);
                    kept.extend(named.filter(|_| lenient));
                }
            }
        })?;
        let mut all: Vec<Kept> = std::mem::take(&mut read.states).into_iter().flatten().collect();
        all.sort_unstable_by_key(|row| row.position);
        drop_skipped(&mut all);
        let mut first: HashMap<&str, &Kept, FixedState> = HashMap::default();
        let mut problems = Vec::new();
        for row in &all {
            if let Some(before) = first.insert(&row.id, row) {
                let source = |row: &Kept| sources[row.position.source as usize].name();
                let message = format!(
                    "\"{}\" is already judged on line {} of {}",
                    text::visible(&row.id),
                    read.line(before.place),
                    source(before)
                );
                let kind = &problem::RATING_TWICE;
                let line = sources[row.position.source as usize]
                    .line_at(row.position.offset, crate::input::LINE_LIMIT)
                    .ok()
                    .and_then(|line| String::from_utf8(line).ok())
                    .unwrap_or_default();
                let wrong = Wrong::new(kind, 0..1, "qid", message, "expected each answer once");
                problems.push(rows.problem(wrong, source(row), read.line(row.place), line.trim_end()));
            }
        }
        drop(first);
        if !problems.is_empty() {
            return Err(Failure::new(problems));
        }
        let inputs = Input::list(role, sources, &read.map);
        let lines: Vec<u64> = all.iter().map(|row| read.line(row.place)).collect();
        Ok((all.into_iter().zip(lines).collect(), read.malformed, inputs))
    }
}

impl<'a> Row<'a> {
    fn read(line: &'a str, field: fn(&mut Row<'a>, &mut Reader<'a>, &str) -> Result<(), Syntax>) -> Self {
        let mut row = Row::default();
        let read = object(line, &problem::TRACE_NOT_AN_OBJECT, |reader, key| field(&mut row, reader, key));
        if let Err(wrong) = read {
            // Of a torn line not even the id is sure.
            (row.wrong, row.id) = (vec![wrong], None);
        } else if row.id.is_none() && row.wrong.is_empty() {
            let message = "this line names no answer";
            row.wrong.push(Wrong::new(&problem::TRACE_NO_CASE, 0..1, "", message, "expected a `qid`"));
        }
        row
    }

    fn identity(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
        let start = reader.offset();
        match key {
            "qid" => {
                let id = id(reader, key, &problem::TRACE_WRONG_TYPE, &mut self.wrong)?;
                self.id = id.map(|id| (id, start..start + reader.since(start).len()));
                Ok(())
            }
            _ => reader.skip(),
        }
    }

    /// The citations of an answer, whatever they are. An answer that is no object, and citations that are no list, are what
    /// the model said: a failure. Only what is absent cites nothing.
    fn answer(&mut self, reader: &mut Reader<'a>) -> Result<(), Syntax> {
        (self.cited, self.cites_oddly) = (None, false);
        match reader.peek()? {
            Kind::Object => {}
            kind => {
                self.cites_oddly = kind != Kind::Null;
                return reader.skip();
            }
        }
        reader.object(|reader, key| match (key, reader.peek()?) {
            ("citations", Kind::Array) => {
                let mut cited = Vec::new();
                reader.array(|reader| {
                    cited.extend(element(reader)?);
                    Ok::<(), Syntax>(())
                })?;
                (self.cited, self.cites_oddly) = (Some(cited), false);
                Ok(())
            }
            ("citations", _) => {
                self.cites_oddly = true;
                reader.skip()
            }
            _ => reader.skip(),
        })
    }

    /// The line as it is kept; of a malformed one its problems, and the answer that it names.
    fn kept(mut self, at: &RowAt<'_>) -> Result<Kept, (Vec<Wrong>, Option<Kept>)> {
        let (position, place) = (at.position, at.place);
        if !self.wrong.is_empty() || self.id.is_none() {
            let named = self.id.map(|(id, _)| Kept {
                position,
                place,
                id: id.into(),
                ratings: [None, None],
                flagged: false,
                in_scope: true,
                skipped: true,
            });
            return Err((self.wrong, named));
        }
        let id = self.id.take().map(|(id, _)| id).unwrap_or_default();
        let retrieved = |id: &Id<'_>| !id.odd && self.retrieved.iter().any(|known| known.text == id.text);
        let in_scope = !self.cites_oddly && self.cited.iter().flatten().all(retrieved);
        if let Some(label) = self.label {
            self.ratings[0] = Some(Rating { label, reason: self.reason.take() });
        }
        let (ratings, flagged) = (self.ratings, self.flagged);
        Ok(Kept { position, place, id: id.into(), ratings, flagged, in_scope, skipped: false })
    }
}

/// Drops a skipped line where another one says the same answer's ratings. What is left are answers that nobody's readable
/// line judges: they are unpaired, since what was skipped may not vanish.
fn drop_skipped(rows: &mut Vec<Kept>) {
    let mut named: HashSet<Box<str>, FixedState> = HashSet::default();
    if rows.iter().any(|row| row.skipped) {
        named.extend(rows.iter().filter(|row| !row.skipped).map(|row| row.id.clone()));
        rows.retain(|row| !row.skipped || named.insert(row.id.clone()));
    }
}

/// A field of a line of pairs.
fn pair<'a>(row: &mut Row<'a>, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
    let kind = &problem::TRACE_WRONG_TYPE;
    match key {
        "scholar" => row.ratings[0] = rating(reader, key, &mut row.wrong)?,
        "auditor" => row.ratings[1] = rating(reader, key, &mut row.wrong)?,
        "flags" => match reader.peek()? {
            Kind::Null => reader.skip()?,
            Kind::Object => reader.object(|reader, key| match reader.peek()? {
                Kind::Null => reader.skip(),
                Kind::Bool => {
                    let set = reader.boolean()?;
                    row.flagged |= set && matches!(key, "provenance_violation" | "constraints_mismatch");
                    Ok(())
                }
                // "no" is not false: what cannot be read is not taken for a flag that is not set.
                _ => refuse(
                    reader,
                    format!("flags.{}", text::visible(key)),
                    "true or false",
                    kind,
                    &mut row.wrong,
                ),
            })?,
            _ => refuse(reader, key, "an object", kind, &mut row.wrong)?,
        },
        "retrieved_ids" => match reader.peek()? {
            Kind::Null => reader.skip()?,
            Kind::Array => elements(reader, &mut row.retrieved)?,
            _ => refuse(reader, key, "a list of ids", kind, &mut row.wrong)?,
        },
        "answer_json" => row.answer(reader)?,
        _ => row.identity(reader, key)?,
    }
    Ok(())
}

/// A field of a rater's own line.
fn single<'a>(row: &mut Row<'a>, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
    match key {
        "label" => row.label = label(reader, key, &mut row.wrong)?,
        "reason" => row.reason = said(reader)?,
        _ => row.identity(reader, key)?,
    }
    Ok(())
}

/// A rating in an object of its own; null is none.
fn rating(reader: &mut Reader<'_>, path: &str, wrong: &mut Vec<Wrong>) -> Result<Option<Rating>, Syntax> {
    match reader.peek()? {
        Kind::Null => return reader.skip().map(|()| None),
        Kind::Object => {}
        _ => {
            let (kind, expected) = (&problem::TRACE_WRONG_TYPE, "an object with `label` and `reason`");
            return refuse(reader, path, expected, kind, wrong).map(|()| None);
        }
    }
    let (start, mut found, mut reason) = (reader.offset(), None, None);
    let before = wrong.len();
    reader.object(|reader, key| {
        match key {
            "label" => found = label(reader, &format!("{path}.label"), wrong)?,
            "reason" => reason = said(reader)?,
            _ => reader.skip()?,
        }
        Ok::<(), Syntax>(())
    })?;
    if found.is_none() && wrong.len() == before {
        let message = format!("`{path}` has no `label`");
        let kind = &problem::LABEL_UNKNOWN;
        wrong.push(Wrong::new(kind, start..start + 1, format!("{path}.label"), message, "expected a label"));
    }
    Ok(found.map(|label| Rating { label, reason }))
}

fn label(reader: &mut Reader<'_>, path: &str, wrong: &mut Vec<Wrong>) -> Result<Option<Label>, Syntax> {
    let start = reader.offset();
    match reader.peek()? {
        Kind::Null => return reader.skip().map(|()| None),
        Kind::String => {}
        _ => return refuse(reader, path, "a label", &problem::TRACE_WRONG_TYPE, wrong).map(|()| None),
    }
    let text = reader.string()?.decode();
    let found = Label::parse(&text);
    if found.is_none() {
        let names = Label::ALL.map(Label::name);
        let message = format!("`{path}` is \"{}\"", text::visible(&text::shorten(&text, 40)));
        let expected = match text::nearest(&text.to_uppercase(), names).first() {
            Some(near) => format!("did you mean {near}?"),
            None => format!("expected one of {}", names.join(", ")),
        };
        let span = start..start + reader.since(start).len();
        wrong.push(Wrong::new(&problem::LABEL_UNKNOWN, span, path, message, expected));
    }
    Ok(found)
}

fn said(reader: &mut Reader<'_>) -> Result<Option<Box<str>>, Syntax> {
    match reader.peek()? {
        Kind::String => Ok(Some(text::shorten(&reader.string()?.decode(), 400).into())),
        _ => reader.skip().map(|()| None),
    }
}
