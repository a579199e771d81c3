//! What does every row of the traces come to before the evidence is known? Small rows of numbers.
//!
//! The store may be far larger than memory, so the traces are read first: they say which chunks matter, and which
//! phrases have to be looked for in which of them. Of a row only what judging needs is kept.

use std::borrow::Cow;
use std::hash::BuildHasher;

use foldhash::quality::FixedState;

use super::gold::{Case, Gold, Words, blank, word};
use super::row::{self, Principal};
use crate::input::Source;
use crate::input::lines::{RowAt, Rows};
use crate::input::scan::Position;
use crate::problem::{self, Failure};
use crate::report::Input;
use crate::rows::Wrong;
use crate::suites::release::Settings;
use crate::suites::release::judge::admissible::{Stages, version_keys};
use crate::suites::release::judge::{Expected, Reason};
use crate::text;
use crate::timestamp::Timestamp;

/// What is at fault.
#[derive(Clone, Debug)]
pub(crate) enum Site {
    /// Nothing that has a name.
    Nothing,
    /// A chunk.
    Chunk(u32),
    /// A key, or the id of a case.
    Name(Box<str>),
}

/// The phrases that must support a claim.
#[derive(Clone, Debug)]
pub(crate) enum Phrases {
    /// Nobody named any: nothing can support it.
    None,
    /// Gold's, for the point of this number in its case.
    Gold(u32),
    /// The claim's own.
    Own(Box<[u32]>),
}

/// A claim of an answer.
#[derive(Clone, Debug)]
pub(crate) struct Claim {
    /// The required point that it makes, by its place in gold.
    pub(crate) point: Option<u32>,
    /// The chunk that it cites.
    pub(crate) citation: Option<u32>,
    pub(crate) phrases: Phrases,
}

/// A row, its texts gone but for names.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) position: Position,
    place: (u32, u64),
    /// Its line in its file.
    pub(crate) line: u64,
    pub(crate) name: Option<Box<str>>,
    pub(crate) case: u32,
    pub(crate) expected: Expected,
    /// Every chunk of the path, once, in the order of first appearance.
    pub(crate) traced: Box<[u32]>,
    pub(crate) selected: Box<[u32]>,
    /// The versions that were given for them, by number.
    pub(crate) versions: Box<[u32]>,
    /// Why the path is not sound in itself.
    pub(crate) reasons: Vec<(Reason, Site)>,
    /// Required sources that the first stage found.
    pub(crate) candidates: u32,
    /// Required sources in the selected context.
    pub(crate) context: u32,
    pub(crate) claims: Box<[Claim]>,
    pub(crate) principal: Option<Box<Principal>>,
    pub(crate) ts: Option<Timestamp>,
    /// A fingerprint of the line, to know it again.
    pub(crate) digest: u64,
    /// The line itself, where it cannot be read again.
    pub(crate) kept: Option<Box<str>>,
}

/// The fingerprint of a line.
pub(crate) fn digest(line: &str) -> u64 {
    FixedState::with_seed(0).hash_one(line)
}

/// The rows of all traces, in input order.
pub(crate) struct Cases {
    pub(crate) rows: Vec<Row>,
    /// The ids of all chunks that some row or gold names.
    pub(crate) chunks: Words,
    /// Gold's phrases, then the versions and phrases of the rows.
    pub(crate) words: Words,
    pub(crate) malformed: u64,
    pub(crate) inputs: Vec<Input>,
}

#[derive(Default)]
struct Worker {
    keys: row::RowKeys,
    rows: Vec<Row>,
    chunks: Words,
    words: Words,
}

/// Reads every row of the traces.
pub(crate) fn read(traces: &[Source], gold: &Gold, settings: &Settings<'_>) -> Result<Cases, Failure> {
    let keys = super::DIALECT.keys();
    let secret = (!settings.show_text).then_some(&keys[..]);
    let rows = Rows { secret, ..settings.common.rows(traces) };
    let mut read = rows.read(Worker::default, |worker, at, wrong| {
        let mut row = row::Row::read_with(at.text, &mut worker.keys);
        if row.wrong.is_empty() {
            worker.keep(&mut row, at, gold, settings);
        }
        wrong.append(&mut row.wrong);
    })?;

    // Each worker numbered what it saw; one numbering for all, gold's phrases first.
    let (mut chunks, mut words) = (Words::default(), gold.words.clone());
    for id in gold.cases.iter().flat_map(|case| &case.required) {
        word(&mut chunks, id);
    }
    let mut all = Vec::new();
    for worker in std::mem::take(&mut read.states) {
        let number = |list: &Words, into: &mut Words| -> Vec<u32> {
            list.iter().map(|text| word(into, text)).collect()
        };
        let chunk = number(&worker.chunks, &mut chunks);
        let word = number(&worker.words, &mut words);
        all.extend(worker.rows.into_iter().map(|row| row.renumbered(&chunk, &word)));
    }
    all.sort_unstable_by_key(|row| row.position);
    for row in &mut all {
        row.line = read.line(row.place);
    }
    Ok(Cases {
        rows: all,
        chunks,
        words,
        malformed: read.malformed,
        inputs: Input::list("trace", traces, &read.map),
    })
}

impl Worker {
    fn keep(&mut self, row: &mut row::Row<'_>, at: &RowAt<'_>, gold: &Gold, settings: &Settings<'_>) {
        let Some((number, mismatch)) = case_of(row, gold) else { return };
        let case = &gold.cases[number as usize];
        let expected = match row.should_release {
            None => Expected::Production,
            Some(true) => Expected::Release,
            Some(false) => Expected::Block,
        };
        let trusted = expected != Expected::Production || settings.trust_claim_phrases;
        let Some(own) = own_phrases(row, case, trusted) else { return };
        let (principal, ts) = (row.path.principal.take().map(Box::new), row.path.ts.take());
        let path = &row.path;
        let mut numbers = Numbers { chunks: &mut self.chunks, near: Vec::new() };
        let stages =
            path.stages.each_ref().map(|ids| -> Vec<u32> { ids.iter().map(|id| numbers.of(id)).collect() });
        let path_stages =
            Stages { ids: stages.each_ref().map(Vec::as_slice), versions: path.selected_versions.len() };
        let at_chunk = |id: Option<u32>| id.map_or(Site::Nothing, Site::Chunk);
        let mut reasons: Vec<(Reason, Site)> =
            path_stages.reasons().into_iter().map(|(reason, id)| (reason, at_chunk(id))).collect();
        reasons.extend(mismatch.map(|at| (Reason::CaseMismatch, at)));
        let given = path.versions.iter().map(|(key, says)| (&**key, *says));
        let keys = version_keys(given, &settings.version_keys);
        reasons.extend(keys.into_iter().map(|(reason, key)| (reason, Site::Name(key.into()))));
        let found = |ids: &[Cow<'_, str>]| {
            case.required.iter().filter(|required| ids.iter().any(|id| **id == ***required)).count() as u32
        };
        let (candidates, context) = (found(&path.stages[0]), found(&path.stages[3]));
        let words = &mut self.words;
        let claims = row.claims.iter().zip(own).map(|(claim, own)| Claim {
            point: claim
                .point
                .as_deref()
                .and_then(|point| case.points.iter().position(|required| **required == *point))
                .map(|at| at as u32),
            citation: claim.citation.as_deref().map(|id| numbers.of(id)),
            phrases: match (claim.point.as_deref().and_then(|point| case.phrases_of(point)), own) {
                (Some(point), _) => Phrases::Gold(point),
                (None, own) if own.is_empty() => Phrases::None,
                (None, own) => Phrases::Own(own.iter().map(|phrase| word(words, phrase)).collect()),
            },
        });
        let claims = claims.collect();
        let versions = path.selected_versions.iter().map(|version| word(words, version)).collect();
        self.rows.push(Row {
            position: at.position,
            place: at.place,
            line: 0,
            name: row.name.as_deref().map(Into::into),
            case: number,
            expected,
            traced: path_stages.traced().into(),
            selected: stages[3].as_slice().into(),
            versions,
            reasons,
            candidates,
            context,
            claims,
            principal,
            ts,
            digest: digest(at.text),
            kept: (!at.replayable).then(|| at.text.into()),
        });
    }
}

/// The numbers of chunk ids. Most ids of a row come again in its later stages: those are near.
struct Numbers<'w, 'r> {
    chunks: &'w mut Words,
    near: Vec<(&'r str, u32)>,
}

impl<'r> Numbers<'_, 'r> {
    fn of(&mut self, id: &'r str) -> u32 {
        const FEW: usize = 64;
        if let Some((_, number)) = self.near.iter().find(|(known, _)| *known == id) {
            return *number;
        }
        let number = word(self.chunks, id);
        if self.near.len() < FEW {
            self.near.push((id, number));
        }
        number
    }
}

/// The gold case of a row, and what the path calls itself where that is another one.
fn case_of(row: &mut row::Row<'_>, gold: &Gold) -> Option<(u32, Option<Site>)> {
    let own = row.path.case.as_deref();
    let (named, span) = match (&row.case, own) {
        (Some((id, span)), _) => (&**id, span.clone()),
        (None, Some(id)) => (id, 0..1),
        (None, None) => {
            let message = "this trace names no case";
            let wrong = Wrong::new(&problem::TRACE_NO_CASE, 0..1, "", message, "expected a `case_id`");
            row.wrong.push(wrong);
            return None;
        }
    };
    let Some(number) = gold.by_id(named) else {
        let message = format!("gold has no case {}", text::quoted(named));
        let expected = text::suggest("expected a case_id of gold", &gold.nearest(named));
        row.wrong.push(Wrong::new(&problem::TRACE_UNKNOWN_CASE, span, "case_id", message, expected));
        return None;
    };
    let differs = row.nested && own != Some(named);
    let mismatch = differs.then(|| own.map_or(Site::Nothing, |own| Site::Name(own.into())));
    Some((number, mismatch))
}

/// The lower-cased phrases that each claim names itself, where they count; `None` where one of them is a problem.
fn own_phrases(row: &mut row::Row<'_>, case: &Case, trusted: bool) -> Option<Vec<Vec<String>>> {
    let mut wrong = Vec::new();
    let mut own = Vec::new();
    for (i, claim) in row.claims.iter().enumerate() {
        let counts = trusted && claim.point.as_deref().and_then(|point| case.phrases_of(point)).is_none();
        let path = format!("answer.claims[{i}].support_phrases");
        own.push(match &claim.phrases {
            Some(Ok(phrases)) if counts => {
                wrong.extend(blank(phrases.iter(), &path, "a phrase that every chunk contains"));
                phrases.iter().map(|(phrase, _)| phrase.to_lowercase()).collect()
            }
            Some(Err(span)) if counts => {
                let (kind, message) =
                    (&problem::TRACE_WRONG_TYPE, format!("`{path}` is not a list of strings"));
                wrong.push(Wrong::new(kind, span.clone(), path, message, "expected a list of strings"));
                Vec::new()
            }
            _ => Vec::new(),
        });
    }
    wrong.iter_mut().filter(|wrong| *wrong.kind == problem::GOLD_EMPTY_LIST).for_each(|wrong| {
        wrong.kind = &problem::TRACE_UNKNOWN_VALUE;
    });
    let sound = wrong.is_empty();
    row.wrong.append(&mut wrong);
    sound.then_some(own)
}

impl Row {
    /// What the report calls it.
    pub(crate) fn id<'a>(&'a self, gold: &'a Gold) -> &'a str {
        self.name.as_deref().unwrap_or(&gold.cases[self.case as usize].id)
    }

    fn renumbered(mut self, chunk: &[u32], word: &[u32]) -> Row {
        let each = |list: &mut [u32], by: &[u32]| list.iter_mut().for_each(|id| *id = by[*id as usize]);
        each(&mut self.traced, chunk);
        each(&mut self.selected, chunk);
        each(&mut self.versions, word);
        for (_, at) in &mut self.reasons {
            if let Site::Chunk(id) = at {
                *id = chunk[*id as usize];
            }
        }
        for claim in &mut self.claims {
            if let Some(id) = &mut claim.citation {
                *id = chunk[*id as usize];
            }
            if let Phrases::Own(own) = &mut claim.phrases {
                each(own, word);
            }
        }
        self
    }
}

impl Claim {
    /// The phrases that must support it, by number.
    pub(crate) fn phrases<'a>(&'a self, case: &'a Case) -> &'a [u32] {
        match &self.phrases {
            Phrases::None => &[],
            Phrases::Gold(point) => case.phrases.get(*point as usize).map_or(&[], |(_, words)| words),
            Phrases::Own(own) => own,
        }
    }
}
