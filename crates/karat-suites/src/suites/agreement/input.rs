//! What raters say of answers: pairs of a scholar and an auditor in one file, or one file per rater.
//!
//! Source: WFGY Problem Map: cross-agent consistency.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use foldhash::quality::FixedState;

use super::labels::Label;
use crate::dialects::{Dialect, Field, Shape};
use crate::input::Source;
use crate::input::json::{Kind, Reader, Syntax};
use crate::input::lines::RowAt;
use crate::input::scan::Position;
use crate::model::Id;
use crate::problem::{self, Failure};
use crate::report::Input;
use crate::rows::{Wrong, element, elements, id, object, refuse};
use crate::suites::common::Common;
use crate::text;

/// The labels that raters give.
const LABELS: &[&str] = &["VALID", "NOT_IN_CONTEXT", "REJECT", "ABSTAIN", "INVALID"];

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "ratings",
    summary: "What a scholar and an auditor say about each answer (`--pairs`), or one file per rater (`--rater`).",
    source: "WFGY Problem Map: cross-agent consistency",
    trace: &[
        Field::new("qid", Shape::Id, "The answer that is judged.").required("a `qid`"),
        Field::new("scholar", Shape::Object(RATING), "The first rater's rating."),
        Field::new("auditor", Shape::Object(RATING), "The second rater's rating."),
        Field::new("answer_json", Shape::Any, "The answer: its `citations` must lie within `retrieved_ids`."),
        Field::new("retrieved_ids", Shape::Ids, "What was retrieved for it."),
        Field::new(
            "flags",
            Shape::Object(&[
                Field::new(
                    "provenance_violation",
                    Shape::Bool,
                    "If true, the answer is rejected, whatever raters say.",
                ),
                Field::new(
                    "constraints_mismatch",
                    Shape::Bool,
                    "If true, the answer is rejected, whatever raters say.",
                ),
            ]),
            "Hard flags.",
        ),
    ],
    others: &[("rater", RATER)],
    trace_role: "pairs",
    ..Dialect::PLAIN
};

const RATING: &[Field] = &[
    Field::new("label", Shape::OneOf(LABELS), "What the rater says.").required("a label"),
    Field::new("reason", Shape::Any, "Why; for people."),
];

const RATER: &[Field] =
    &[Field::new("qid", Shape::Id, "The answer that is judged.").required("a `qid`"), RATING[0], RATING[1]];

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
    /// One rating per rater; `None` where that rater has none.
    pub(super) ratings: Vec<Option<Rating>>,
    pub(super) flagged: bool,
    /// Its citations lie within what was retrieved.
    pub(super) in_scope: bool,
}

/// All answers in the order of their first rating.
#[derive(Default)]
pub(super) struct Ratings {
    pub(super) raters: Vec<String>,
    pub(super) items: Vec<Item>,
    pub(super) malformed: u64,
    pub(super) inputs: Vec<Input>,
}

/// A line while it is read.
#[derive(Default)]
struct Row<'a> {
    id: Option<Cow<'a, str>>,
    ratings: [Option<Rating>; 2],
    /// Of a rater's own line.
    label: Option<Label>,
    reason: Option<Box<str>>,
    flagged: bool,
    retrieved: Vec<Id<'a>>,
    cited: Vec<Id<'a>>,
    /// The answer is not an object, or its citations are not a list.
    cites_oddly: bool,
    wrong: Vec<Wrong>,
}

/// Takes one field of a line.
type TakeField = for<'a> fn(&mut Row<'a>, &mut Reader<'a>, &str) -> Result<(), Syntax>;

/// What is kept of a line.
struct Line {
    position: Position,
    place: (u32, u64),
    /// Its number in its file.
    number: u64,
    id: Box<str>,
    ratings: [Option<Rating>; 2],
    flagged: bool,
    in_scope: bool,
    /// The line was malformed, and lines may be: nothing of it counts except that it names an answer.
    skipped: bool,
}

/// Reads pairs of a scholar and an auditor.
pub(super) fn pairs(sources: &[Source], common: &Common<'_>) -> Result<Ratings, Failure> {
    let (lines, malformed, inputs) = lines(sources, "pairs", pair, common)?;
    let item = |line: Line| Item {
        id: line.id,
        line: line.number,
        ratings: line.ratings.into(),
        flagged: line.flagged,
        in_scope: line.in_scope,
    };
    let raters = vec!["scholar".into(), "auditor".into()];
    Ok(Ratings { raters, items: lines.into_iter().map(item).collect(), malformed, inputs })
}

/// Reads one file per rater.
pub(super) fn raters(raters: &[(String, Source)], common: &Common<'_>) -> Result<Ratings, Failure> {
    let names = raters.iter().map(|(name, _)| name.clone()).collect();
    let mut all = Ratings { raters: names, ..Ratings::default() };
    let mut known: HashMap<Box<str>, usize, FixedState> = HashMap::default();
    let mut failed = Failure { problems: Vec::new(), total: 0 };
    for (rater, (_, source)) in raters.iter().enumerate() {
        let (lines, malformed, inputs) = match lines(std::slice::from_ref(source), "rater", single, common) {
            Ok(read) => read,
            Err(failure) => {
                failed.total += failure.total;
                failed.problems.extend(failure.problems);
                continue;
            }
        };
        all.malformed += malformed;
        all.inputs.extend(inputs);
        for Line { id, number, ratings: [rating, _], .. } in lines {
            let item = *known.entry(id.clone()).or_insert_with(|| {
                let ratings = vec![None; raters.len()];
                all.items.push(Item { id, line: number, ratings, flagged: false, in_scope: true });
                all.items.len() - 1
            });
            all.items[item].ratings[rater] = rating;
        }
    }
    if failed.total > 0 {
        failed.problems.truncate(Failure::SHOWN);
        return Err(failed);
    }
    Ok(all)
}

/// The lines of files in their order, how many were skipped, and the files. An answer that comes twice is a problem.
fn lines(
    sources: &[Source],
    role: &str,
    take: TakeField,
    common: &Common<'_>,
) -> Result<(Vec<Line>, u64, Vec<Input>), Failure> {
    let rows = common.rows(sources);
    let mut read = rows.read(Vec::new, |lines: &mut Vec<Line>, at, wrong| {
        let line = read_line(at, take, wrong);
        lines.extend(line.filter(|line| !line.skipped || common.lenient));
    })?;
    let mut all: Vec<Line> = std::mem::take(&mut read.states).into_iter().flatten().collect();
    all.sort_unstable_by_key(|line| line.position);
    all.iter_mut().for_each(|line| line.number = read.line(line.place));
    drop_skipped(&mut all);
    let mut first: HashMap<&str, &Line, FixedState> = HashMap::default();
    let mut problems = Vec::new();
    for line in &all {
        if let Some(before) = first.insert(&line.id, line) {
            let source = |line: &Line| &sources[line.position.source as usize];
            let (id, name) = (text::visible(&line.id), source(before).name());
            let message = format!("\"{id}\" is already judged on line {} of {name}", before.number);
            let wrong = Wrong::new(&problem::RATING_TWICE, 0..1, "qid", message, "expected each answer once");
            let text = source(line).text_at(line.position.offset).unwrap_or_default();
            problems.push(rows.problem(wrong, source(line).name(), line.number, &text));
        }
    }
    if !problems.is_empty() {
        return Err(Failure::new(problems));
    }
    Ok((all, read.malformed, Input::list(role, sources, &read.map)))
}

/// Reads a line; `None` where it names no answer.
fn read_line(at: &RowAt<'_>, take: TakeField, wrong: &mut Vec<Wrong>) -> Option<Line> {
    let mut row = Row::default();
    let read = object(at.text, &problem::TRACE_NOT_AN_OBJECT, |reader, key| take(&mut row, reader, key));
    if let Err(torn) = read {
        // Of a torn line not even the id is sure.
        wrong.push(torn);
        return None;
    }
    wrong.append(&mut row.wrong);
    let Some(id) = row.id else {
        if wrong.is_empty() {
            let message = "this line names no answer";
            wrong.push(Wrong::new(&problem::TRACE_NO_CASE, 0..1, "", message, "expected a `qid`"));
        }
        return None;
    };
    let retrieved = |id: &Id<'_>| !id.odd && row.retrieved.iter().any(|known| known.text == id.text);
    let in_scope = !row.cites_oddly && row.cited.iter().all(retrieved);
    if let Some(label) = row.label {
        row.ratings[0] = Some(Rating { label, reason: row.reason });
    }
    let skipped = !wrong.is_empty();
    Some(Line {
        position: at.position,
        place: at.place,
        number: 0,
        id: id.into(),
        ratings: if skipped { [None, None] } else { row.ratings },
        flagged: row.flagged,
        in_scope,
        skipped,
    })
}

/// Drops a skipped line where another one rates the same answer. The answers that are left have no readable rating: they
/// are unpaired, because what was skipped may not vanish.
fn drop_skipped(lines: &mut Vec<Line>) {
    let mut named: HashSet<Box<str>, FixedState> = HashSet::default();
    if lines.iter().any(|line| line.skipped) {
        named.extend(lines.iter().filter(|line| !line.skipped).map(|line| line.id.clone()));
        lines.retain(|line| !line.skipped || named.insert(line.id.clone()));
    }
}

/// A field of a line of pairs.
fn pair<'a>(row: &mut Row<'a>, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
    let kind = &problem::TRACE_WRONG_TYPE;
    let wrong = &mut row.wrong;
    match (key, reader.peek()?) {
        ("qid", _) => row.id = id(reader, key, kind, wrong)?,
        ("scholar", _) => row.ratings[0] = rating(reader, key, wrong)?,
        ("auditor", _) => row.ratings[1] = rating(reader, key, wrong)?,
        ("answer_json", _) => row.answer(reader)?,
        ("flags" | "retrieved_ids", Kind::Null) => reader.skip()?,
        ("flags", Kind::Object) => reader.object(|reader, key| match reader.peek()? {
            Kind::Null => reader.skip(),
            Kind::Bool => {
                let set = reader.boolean()?;
                row.flagged |= set && matches!(key, "provenance_violation" | "constraints_mismatch");
                Ok(())
            }
            // "no" is not false: what cannot be read is not taken for a flag that is not set.
            _ => refuse(reader, format!("flags.{}", text::visible(key)), "true or false", kind, wrong),
        })?,
        ("flags", _) => refuse(reader, key, "an object", kind, wrong)?,
        ("retrieved_ids", Kind::Array) => elements(reader, &mut row.retrieved)?,
        ("retrieved_ids", _) => refuse(reader, key, "a list of ids", kind, wrong)?,
        _ => reader.skip()?,
    }
    Ok(())
}

/// A field of a rater's own line.
fn single<'a>(row: &mut Row<'a>, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
    match key {
        "qid" => row.id = id(reader, key, &problem::TRACE_WRONG_TYPE, &mut row.wrong)?,
        "label" => row.label = label(reader, key, &mut row.wrong)?,
        "reason" => row.reason = reason(reader)?,
        _ => reader.skip()?,
    }
    Ok(())
}

impl<'a> Row<'a> {
    /// Reads the citations of an answer, whatever they are. An answer that is not an object, and citations that are not a
    /// list, are what the model said: a failure. Only what is absent cites nothing.
    fn answer(&mut self, reader: &mut Reader<'a>) -> Result<(), Syntax> {
        self.cited.clear();
        let kind = reader.peek()?;
        self.cites_oddly = !matches!(kind, Kind::Object | Kind::Null);
        if kind != Kind::Object {
            return reader.skip();
        }
        reader.object(|reader, key| {
            if key != "citations" {
                return reader.skip();
            }
            self.cites_oddly = reader.peek()? != Kind::Array;
            if self.cites_oddly {
                return reader.skip();
            }
            self.cited.clear();
            reader.array(|reader| element(reader).map(|id| self.cited.extend(id)))
        })
    }
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
            "reason" => reason = self::reason(reader)?,
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

/// Why a rater says so; for people.
fn reason(reader: &mut Reader<'_>) -> Result<Option<Box<str>>, Syntax> {
    match reader.peek()? {
        Kind::String => Ok(Some(text::shorten(&reader.string()?.decode(), 400).into())),
        _ => reader.skip().map(|()| None),
    }
}
