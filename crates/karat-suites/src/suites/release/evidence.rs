//! What does the evidence store know about the chunks that matter? Streamed; only those are kept, and never their text.
//!
//! A store may hold ten million chunks. Of a chunk that no row and no gold case names, its line is checked and forgotten;
//! of one that is, permission, window, version and which of the needed phrases stand in its text are kept.

use std::borrow::Cow;
use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use indexmap::IndexSet;

use super::cases::Cases;
use super::gold::Gold;
use super::row::Principal;
use crate::input::json::{Kind, Reader, Syntax, Text};
use crate::input::lines::{RowAt, Rows};
use crate::input::scan::Position;
use crate::input::{LINE_LIMIT, Source};
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::rows::{Placed, Seen, Wrong, boolean, id, list, object, refuse, timestamp, unreadable};
use crate::suites::release::judge::admissible;
use crate::suites::release::judge::support::Phrases;
use crate::text;
use crate::timestamp::Timestamp;

/// What the store knows about one chunk.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(crate) position: Position,
    place: (u32, u64),
    pub(crate) version: Box<str>,
    permitted: bool,
    current: bool,
    acl: Option<Box<[Box<str>]>>,
    from: Option<Timestamp>,
    until: Option<Timestamp>,
    /// The needed phrases that stand in its text, sorted.
    pub(crate) found: Box<[u32]>,
    /// A fingerprint of its text, to tell whether a second row of the same id agrees.
    text: u64,
}

impl Chunk {
    pub(crate) fn permitted(&self, principal: Option<&Principal>) -> bool {
        let user = principal.and_then(|principal| principal.user.as_deref());
        let groups =
            principal.into_iter().flat_map(|principal| principal.groups.iter().map(|group| &**group));
        admissible::permitted(self.permitted, self.acl.as_deref(), user, groups)
    }

    pub(crate) fn current(&self, at: Option<&Timestamp>) -> bool {
        admissible::current(self.current, self.from.as_ref(), self.until.as_ref(), at)
    }

    /// Whether another row of the same id says the same.
    fn agrees(&self, other: &Chunk) -> bool {
        let facts = |chunk: &Chunk| (chunk.permitted, chunk.current, chunk.text);
        facts(self) == facts(other)
            && self.version == other.version
            && self.acl == other.acl
            && (&self.from, &self.until) == (&other.from, &other.until)
    }
}

/// The chunks that matter, by their numbers.
pub(crate) struct Store {
    pub(crate) chunks: Vec<Option<Chunk>>,
    pub(crate) inputs: Vec<Input>,
}

/// Reads the store. `cases` say which chunks matter and what is to be looked for in them.
pub(crate) fn read(
    sources: &[Source],
    cases: &Cases,
    gold: &Gold,
    show_text: bool,
    threads: usize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Store, Failure> {
    let wanted = Wanted::new(cases, gold);
    let keys = super::dialect::DIALECT.keys();
    let secret = (!show_text).then_some(&keys[..]);
    let rows = Rows { secret, progress, ..Rows::new(sources, threads) };
    let read = rows.read(Worker::default, |worker, at, wrong| {
        let row = Row::read(at.text);
        if row.wrong.is_empty() {
            worker.keep(&row, at, cases, &wanted);
        }
        wrong.extend(row.wrong);
    })?;
    let inputs = Input::list("evidence", sources, &read.map);
    let line = |chunk: &Chunk| read.line(chunk.place);
    let mut found: Vec<&(u32, Chunk)> = read.states.iter().flat_map(|worker| &worker.kept).collect();
    found.sort_unstable_by_key(|(id, chunk)| (*id, chunk.position));
    let conflicts: Vec<Problem> = found
        .chunk_by(|(a, _), (b, _)| a == b)
        .filter_map(|same| {
            let (id, first) = same[0];
            let (_, other) = same.iter().find(|(_, chunk)| !chunk.agrees(first))?;
            let id = cases.chunks.get_index(*id as usize).map(|id| text::visible(id)).unwrap_or_default();
            let source = |chunk: &Chunk| sources[chunk.position.source as usize].name().clone();
            let versions = if first.version == other.version {
                format!("both of version \"{}\", but otherwise different", text::visible(&first.version))
            } else {
                format!(
                    "version \"{}\" there, \"{}\" here",
                    text::visible(&first.version),
                    text::visible(&other.version)
                )
            };
            let message =
                format!("chunk \"{id}\" is already on line {} of {}: {versions}", line(first), source(first));
            let row = sources[other.position.source as usize].line_at(other.position.offset, LINE_LIMIT);
            let row = row.ok().and_then(|row| String::from_utf8(row).ok()).unwrap_or_default();
            let expected = "expected one row a chunk";
            let wrong = Wrong::new(&problem::EVIDENCE_DUPLICATE_ID, 0..1, "chunk_id", message, expected);
            Some(rows.problem(wrong, &source(other), line(other), row.trim_end()))
        })
        .collect();
    drop(found);
    if !conflicts.is_empty() {
        let mut conflicts = conflicts;
        conflicts.sort_by(|a, b| (&a.source, a.line).cmp(&(&b.source, b.line)));
        return Err(Failure::new(conflicts));
    }
    let mut chunks: Vec<Option<Chunk>> = cases.chunks.iter().map(|_| None).collect();
    for (id, chunk) in read.states.into_iter().flat_map(|worker| worker.kept) {
        let slot = &mut chunks[id as usize];
        if slot.as_ref().is_none_or(|known: &Chunk| chunk.position < known.position) {
            *slot = Some(chunk);
        }
    }
    Ok(Store { chunks, inputs })
}

/// What has to be looked for in each chunk: the phrases of claims whose context it was selected for.
struct Wanted {
    /// Lists of phrases, sorted, each kept once however many rows share it.
    lists: IndexSet<Box<[u32]>, FixedState>,
    /// For each chunk, the lists that it is searched for.
    of: Vec<Vec<u32>>,
}

impl Wanted {
    fn new(cases: &Cases, gold: &Gold) -> Self {
        let mut wanted = Wanted { lists: IndexSet::default(), of: vec![Vec::new(); cases.chunks.len()] };
        for row in &cases.rows {
            let case = &gold.cases[row.case as usize];
            let mut phrases: Vec<u32> =
                row.claims.iter().flat_map(|claim| claim.phrases(case)).copied().collect();
            phrases.sort_unstable();
            phrases.dedup();
            if phrases.is_empty() {
                continue;
            }
            let list = wanted.lists.insert_full(phrases.into()).0 as u32;
            for &chunk in &row.selected {
                wanted.of[chunk as usize].push(list);
            }
        }
        for lists in &mut wanted.of {
            lists.sort_unstable();
            lists.dedup();
            lists.shrink_to_fit();
        }
        wanted
    }

    /// The phrases of some lists, sorted.
    fn phrases(&self, lists: &[u32]) -> Vec<u32> {
        let lists = lists.iter().filter_map(|&list| self.lists.get_index(list as usize));
        let mut phrases: Vec<u32> = lists.flatten().copied().collect();
        phrases.sort_unstable();
        phrases.dedup();
        phrases
    }
}

/// What one thread keeps of the store.
#[derive(Default)]
struct Worker<'c> {
    kept: Vec<(u32, Chunk)>,
    /// What was searched for last: neighbours are often selected together, and for many phrases getting ready is dear.
    ready: Vec<(Vec<u32>, Vec<u32>, Phrases<'c>)>,
    lower: String,
}

impl<'c> Worker<'c> {
    /// Keeps what matters of a chunk, where it matters to anybody.
    fn keep(&mut self, row: &Row<'_>, at: &RowAt<'_>, cases: &'c Cases, wanted: &Wanted) {
        let Some(number) = row.id.as_deref().and_then(|id| cases.chunks.get_index_of(id)) else { return };
        let (Some(text), Some(version)) = (row.text, row.version.as_deref()) else { return };
        let (Some(permitted), Some(current)) = (row.permitted, row.current) else { return };
        let text = text.decode();
        let chunk = Chunk {
            position: at.position,
            place: at.place,
            version: version.into(),
            permitted,
            current,
            acl: row.acl.clone(),
            from: row.from.clone(),
            until: row.until.clone(),
            found: self.search(&text, &wanted.of[number], cases, wanted),
            text: FixedState::with_seed(0).hash_one(&*text),
        };
        self.kept.push((number as u32, chunk));
    }

    /// The phrases of these lists that stand in a text.
    fn search(&mut self, text: &str, lists: &[u32], cases: &'c Cases, wanted: &Wanted) -> Box<[u32]> {
        const READY: usize = 8;
        if lists.is_empty() {
            return Box::default();
        }
        let known = self.ready.iter().position(|(known, _, _)| known == lists);
        let at = known.unwrap_or_else(|| {
            let words = wanted.phrases(lists);
            let texts = words.iter().filter_map(|&word| cases.words.get_index(word as usize));
            let phrases = Phrases::new(texts.map(|word| &**word).collect());
            if self.ready.len() == READY {
                self.ready.remove(0);
            }
            self.ready.push((lists.to_vec(), words, phrases));
            self.ready.len() - 1
        });
        text::lower_into(text, &mut self.lower);
        let (_, words, phrases) = &self.ready[at];
        let found = words.iter().zip(phrases.found_in(&self.lower));
        found.filter(|(_, found)| *found).map(|(word, _)| *word).collect()
    }
}

/// A row of the store while it is read.
#[derive(Default)]
pub(super) struct Row<'a> {
    id: Option<Cow<'a, str>>,
    version: Option<Cow<'a, str>>,
    permitted: Option<bool>,
    current: Option<bool>,
    text: Option<Text<'a>>,
    acl: Option<Box<[Box<str>]>>,
    from: Option<Timestamp>,
    until: Option<Timestamp>,
    seen: Seen,
    wrong: Vec<Wrong>,
}

/// The fields of a chunk.
const FIELDS: [&str; 10] = [
    "chunk_id",
    "document_id",
    "parent_id",
    "version",
    "text",
    "permitted",
    "current",
    "acl",
    "valid_from",
    "valid_until",
];

/// The field that decides who may see a chunk, and when, which a misspelt one was probably meant to be.
fn meant(key: &str) -> Option<&'static str> {
    let guards = ["permitted", "current", "acl", "valid_from", "valid_until"];
    let near = |field: &&str| {
        let distance = strsim::levenshtein(&key.to_ascii_lowercase(), field);
        distance <= if field.len() > 4 { 2 } else { usize::from(key.len() > field.len()) }
    };
    guards.into_iter().find(|field| key.len() < 20 && near(field))
}

impl<'a> Row<'a> {
    pub(super) fn read(line: &'a str) -> Self {
        let mut row = Row::default();
        match object(line, &problem::EVIDENCE_NOT_AN_OBJECT, |reader, key| row.field(reader, key)) {
            Ok(()) => row.complete(line),
            Err(wrong) => row.wrong = vec![wrong],
        }
        row
    }

    fn field(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<(), Syntax> {
        let (kind, unknown, start) =
            (&problem::EVIDENCE_WRONG_TYPE, &problem::EVIDENCE_UNKNOWN_VALUE, reader.offset());
        let wrong = &mut self.wrong;
        if self.seen.again(&FIELDS, key, reader, wrong)? {
            return Ok(());
        }
        match key {
            "chunk_id" => {
                self.id = id(reader, key, kind, wrong)?.map(text::trim_cow).filter(|id| !id.is_empty());
                let span = start..start + reader.since(start).len();
                let placed: Vec<Placed<'_>> = self.id.iter().map(|id| (id.clone(), span.clone())).collect();
                unreadable(&placed, key, unknown, wrong);
            }
            "document_id" | "parent_id" => _ = id(reader, key, kind, wrong)?,
            "version" => {
                self.version = string(reader, key, wrong)?.filter(|version| !text::trim(version).is_empty());
            }
            "text" => match reader.peek()? {
                Kind::String => self.text = Some(reader.string()?),
                Kind::Null => reader.skip()?,
                _ => refuse(reader, key, "a string", kind, wrong)?,
            },
            "permitted" => self.permitted = boolean(reader, key, kind, wrong)?,
            "current" => self.current = boolean(reader, key, kind, wrong)?,
            "acl" => {
                let entries = list(reader, key, false, kind, wrong)?;
                for (i, (entry, span)) in entries.iter().flatten().enumerate() {
                    let named = entry.strip_prefix("user:").or_else(|| entry.strip_prefix("group:"));
                    if named.is_none_or(|name| name.is_empty() || text::trim(name) != name) {
                        let path = format!("acl[{i}]");
                        let message = format!("`{path}` names neither a user nor a group");
                        let expected = "expected \"user:NAME\" or \"group:NAME\"";
                        wrong.push(Wrong::new(unknown, span.clone(), path, message, expected));
                    }
                }
                unreadable(entries.as_deref().unwrap_or_default(), key, unknown, wrong);
                self.acl =
                    entries.map(|entries| entries.into_iter().map(|(entry, _)| entry.into()).collect());
            }
            "valid_from" => self.from = timestamp(reader, key, kind, unknown, wrong)?,
            "valid_until" => self.until = timestamp(reader, key, kind, unknown, wrong)?,
            _ => {
                reader.skip()?;
                if let Some(field) = meant(key) {
                    let span = start..start + reader.since(start).len();
                    let message = format!("`{}` is no field of a chunk", text::visible(key));
                    let expected = format!("did you mean `{field}`?");
                    wrong.push(Wrong::new(unknown, span, text::visible(key), message, expected));
                }
            }
        }
        if matches!(key, "valid_from" | "valid_until")
            && let (Some(from), Some(until)) = (&self.from, &self.until)
            && until < from
        {
            let span = start..start + reader.since(start).len();
            let message = "`valid_until` is before `valid_from`";
            self.wrong.push(Wrong::new(
                unknown,
                span,
                key,
                message,
                "expected a window that ends after it begins",
            ));
        }
        Ok(())
    }

    /// Notes the fields that are not there.
    fn complete(&mut self, line: &str) {
        let start = line.find('{').unwrap_or(0);
        for (name, there) in [
            ("chunk_id", self.id.is_some()),
            ("version", self.version.is_some()),
            ("permitted", self.permitted.is_some()),
            ("current", self.current.is_some()),
            ("text", self.text.is_some()),
        ] {
            if !there && !self.wrong.iter().any(|wrong| wrong.path == name) {
                let message = format!("this chunk has no `{name}`");
                let expected = format!("expected `{name}`");
                let kind = &problem::EVIDENCE_MISSING_FIELD;
                self.wrong.push(Wrong::new(kind, start..start + 1, name, message, expected));
            }
        }
    }
}

fn string<'a>(
    reader: &mut Reader<'a>,
    key: &str,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Cow<'a, str>>, Syntax> {
    match reader.peek()? {
        Kind::String => Ok(Some(reader.string()?.decode())),
        Kind::Null => reader.skip().map(|()| None),
        _ => refuse(reader, key, "a string", &problem::EVIDENCE_WRONG_TYPE, wrong).map(|()| None),
    }
}
