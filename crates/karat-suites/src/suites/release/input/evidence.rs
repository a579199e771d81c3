//! What the evidence store says about the chunks that matter. It streams; only those are kept, and never their text.
//!
//! A store may have ten million chunks. Of a chunk that no row and no gold case names, its line is checked and forgotten;
//! of one that is, permission, window, version and which of the needed phrases occur in its text are kept.

use std::borrow::Cow;
use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use indexmap::IndexSet;
use karat_input::record::{Contract, Number, Record};

use super::cases::Cases;
use super::gold::Gold;
use super::row::Principal;
use crate::input::Source;
use crate::input::json::{Reader, Text};
use crate::input::keys::Keys;
use crate::input::lines::{RowAt, Rows};
use crate::input::scan::Position;
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::rows::{Wrong, unreadable};
use crate::suites::release::Settings;
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
    /// The needed phrases that occur in its text, sorted.
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
    settings: &Settings<'_>,
) -> Result<Store, Failure> {
    let wanted = Wanted::new(cases, gold);
    let keys = super::DIALECT.keys();
    let secret = (!settings.show_text).then_some(&keys[..]);
    let rows = Rows { secret, lenient: false, ..settings.common.rows(sources) };
    let read = rows.read(Worker::default, |worker, at, wrong| {
        if let Some(row) = Row::read(at.text, &mut worker.keys, wrong) {
            worker.keep(row, at, cases, &wanted);
        }
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
            let row = sources[other.position.source as usize].text_at(other.position.offset);
            let expected = "expected one row per chunk";
            let wrong = Wrong::new(&problem::EVIDENCE_DUPLICATE_ID, 0..1, "chunk_id", message, expected);
            Some(rows.problem(wrong, &source(other), line(other), &row.unwrap_or_default()))
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
    /// The keys of the row before.
    keys: Keys<Number>,
}

impl<'c> Worker<'c> {
    /// Keeps what matters of a chunk, where it matters to anybody.
    fn keep(&mut self, row: Row<'_>, at: &RowAt<'_>, cases: &'c Cases, wanted: &Wanted) {
        let Some(number) = cases.chunks.get_index_of(&*row.id) else { return };
        let text = row.text.decode();
        let chunk = Chunk {
            position: at.position,
            place: at.place,
            version: row.version.into(),
            permitted: row.permitted,
            current: row.current,
            acl: row.acl,
            from: row.from,
            until: row.until,
            found: self.search(&text, &wanted.of[number], cases, wanted),
            text: FixedState::with_seed(0).hash_one(&*text),
        };
        self.kept.push((number as u32, chunk));
    }

    /// The phrases of these lists that occur in a text.
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

/// How the rows of the store are declared.
const CONTRACT: Contract = Contract {
    noun: "chunk",
    once: true,
    not_an_object: &problem::EVIDENCE_NOT_AN_OBJECT,
    wrong_type: &problem::EVIDENCE_WRONG_TYPE,
    unknown_value: &problem::EVIDENCE_UNKNOWN_VALUE,
    missing: &problem::EVIDENCE_MISSING_FIELD,
    ..Contract::gold(super::EVIDENCE)
};

/// What a row of the store says.
struct Row<'a> {
    id: Cow<'a, str>,
    version: Cow<'a, str>,
    permitted: bool,
    current: bool,
    text: Text<'a>,
    acl: Option<Box<[Box<str>]>>,
    from: Option<Timestamp>,
    until: Option<Timestamp>,
}

impl<'a> Row<'a> {
    /// Reads a line; `None` where something is wrong with it.
    fn read(line: &'a str, keys: &mut Keys<Number>, wrong: &mut Vec<Wrong>) -> Option<Self> {
        let mut misspelt = Vec::new();
        let see = |key: &str, reader: &Reader<'a>| misspelt.extend(misspelling(key, *reader));
        let mut row = Record::line(&CONTRACT, line, keys, see).map_err(|torn| wrong.push(torn)).ok()?;
        row.wrong.append(&mut misspelt);
        let id = row.id("chunk_id");
        unreadable(id.as_slice(), "chunk_id", CONTRACT.unknown_value, &mut row.wrong);
        let acl = acl(&mut row);
        let (from, until) = (row.time("valid_from"), row.time("valid_until"));
        if let (Some((from, from_at)), Some((until, until_at))) = (&from, &until)
            && until < from
        {
            let (key, span) = [("valid_from", from_at), ("valid_until", until_at)]
                [usize::from(until_at.start > from_at.start)];
            let message = "`valid_until` is before `valid_from`";
            let expected = "expected a window that ends after it begins";
            row.note(CONTRACT.unknown_value, span.clone(), key, message, expected);
        }
        wrong.append(&mut row.wrong);
        if !wrong.is_empty() {
            return None;
        }
        Some(Row {
            id: id?.0,
            version: row.text("version")?,
            permitted: row.boolean("permitted")?,
            current: row.boolean("current")?,
            text: row.string("text")?.0,
            acl,
            from: from.map(|(time, _)| time),
            until: until.map(|(time, _)| time),
        })
    }
}

/// Who may see a chunk.
fn acl(row: &mut Record<'_>) -> Option<Box<[Box<str>]>> {
    let (entries, _) = row.list("acl")?;
    for (i, (entry, span)) in entries.iter().enumerate() {
        let named = entry.strip_prefix("user:").or_else(|| entry.strip_prefix("group:"));
        if named.is_none_or(|name| name.is_empty() || text::trim(name) != name) {
            let path = format!("acl[{i}]");
            let message = format!("`{path}` names neither a user nor a group");
            let expected = "expected \"user:NAME\" or \"group:NAME\"";
            row.note(CONTRACT.unknown_value, span.clone(), path, message, expected);
        }
    }
    unreadable(&entries, "acl", CONTRACT.unknown_value, &mut row.wrong);
    Some(entries.into_iter().map(|(entry, _)| entry.into()).collect())
}

/// The problem of a key that is not declared and was probably meant to be a field that decides who may see a chunk, and
/// when.
fn misspelling(key: &str, mut reader: Reader<'_>) -> Option<Wrong> {
    const GUARDS: [&str; 5] = ["permitted", "current", "acl", "valid_from", "valid_until"];
    if key.len() >= 20 || CONTRACT.fields.iter().any(|field| field.name == key) {
        return None;
    }
    let near = |field: &&str| {
        let distance = strsim::levenshtein(&key.to_ascii_lowercase(), field);
        distance <= if field.len() > 4 { 2 } else { usize::from(key.len() > field.len()) }
    };
    let field = GUARDS.into_iter().find(near)?;
    let start = reader.offset();
    reader.skip().ok()?;
    let (span, key) = (start..start + reader.since(start).len(), text::visible(key));
    let message = format!("`{key}` is not a field of a chunk");
    Some(Wrong::new(CONTRACT.unknown_value, span, key, message, format!("did you mean `{field}`?")))
}
