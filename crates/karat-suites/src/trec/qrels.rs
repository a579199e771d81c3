//! What does a line of qrels say, and what is wrong with it?
//!
//! `topic iter docno relevance`, or BEIR's `qrels.tsv`: the header `query-id corpus-id score`, then three columns with
//! a tab between them. The header decides for its file.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::columns::{Blank, is_space, quick, split};
use super::lines::{Line, LineFormat};
use super::rank::duplicates;
use super::table::Table;
use crate::input::Source;
use crate::problem::{self, Failure, Problem};
use crate::rows::Wrong;

const TREC: [&str; 4] = ["topic", "iter", "docno", "relevance"];
const BEIR: [&str; 3] = ["query-id", "corpus-id", "score"];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Trec,
    Beir,
}

/// The judgements of every topic; what a row says is its relevance, an `i32`.
pub(super) fn read(
    sources: &[Source],
    threads: usize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Table, Failure> {
    let reading = Qrels { shapes: sources.iter().map(|_| OnceLock::new()).collect() };
    let mut table = Table::read("qrels", sources, threads, progress, &reading)?;
    table.group_by_own_topics();
    let twice = duplicates(&table, threads);
    let names = table.take_names();
    table.refuse_duplicates(&twice, sources, &names);
    table.check()?;
    table.names = names;
    if table.names.is_empty() {
        let name = sources.first().map_or("qrels", |source| source.name());
        return Err(Problem::of_file(&problem::TREC_EMPTY, name, "there is no judgement in it").into());
    }
    Ok(table)
}

/// The judgements of one file as text: topics in byte order, each with its first line, its documents and their relevance.
/// `None` where the file is no qrels at all: its first line is neither BEIR's header nor a judgement.
pub(crate) fn judgements(source: &Source, text: &str) -> Option<Result<Vec<Judged>, Failure>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let reading = Qrels { shapes: vec![OnceLock::new()] };
    reading.begins(0, text.as_bytes());
    let says = |line: &str| !line.starts_with('#') && !line.bytes().all(is_space);
    let mut rows = text.lines().enumerate().filter(|(_, line)| says(line)).peekable();
    let (at, first) = *rows.peek()?;
    reading.line(0, first, at == 0).ok()?;
    // What is wrong further down is told as `karat retrieval` tells it.
    if let Err(failure) = read(std::slice::from_ref(source), 1, &|_| {}) {
        return Some(Err(failure));
    }
    let mut topics: BTreeMap<&str, Judged> = BTreeMap::new();
    for (at, line) in rows {
        let Ok(Some(Line { topic, document, value })) = reading.line(0, line, at == 0) else { continue };
        let new =
            || Judged { topic: line[topic.clone()].into(), line: at as u64 + 1, documents: BTreeMap::new() };
        let judged = topics.entry(&line[topic.clone()]).or_insert_with(new);
        judged.documents.insert(line[document].into(), value.cast_signed());
    }
    Some(Ok(topics.into_values().collect()))
}

/// A topic of qrels, and what was judged for it.
pub(crate) struct Judged {
    pub(crate) topic: Box<str>,
    /// Where it is first spoken of.
    pub(crate) line: u64,
    /// Relevance by document.
    pub(crate) documents: BTreeMap<Box<str>, i32>,
}

struct Qrels {
    /// One for each source, set by whoever gets its first block. Nobody else can tell, so they wait.
    shapes: Vec<OnceLock<Shape>>,
}

impl LineFormat for Qrels {
    fn begins(&self, source: usize, bytes: &[u8]) {
        let line = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let shape = if is_header(line) { Shape::Beir } else { Shape::Trec };
        let _ = self.shapes[source].set(shape); // only the first block of a source comes here
    }

    #[inline]
    fn quick(&self, source: usize, bytes: &[u8]) -> Option<(Line, usize)> {
        let (topic, document, value, length) = match self.shapes[source].wait() {
            Shape::Trec => quick::<4>(bytes, Blank::Any).map(|([t, _, d, v], length)| (t, d, v, length)),
            Shape::Beir => quick::<3>(bytes, Blank::Tab).map(|([t, d, v], length)| (t, d, v, length)),
        }?;
        let value = relevance(std::str::from_utf8(&bytes[value]).ok()?)?;
        Some((Line { topic, document, value }, length))
    }

    fn line(&self, source: usize, line: &str, first: bool) -> Result<Option<Line>, Wrong> {
        let (topic, document, value) = match self.shapes[source].wait() {
            Shape::Trec => split::<4>(line, Blank::Any, &TREC).map(|[t, _, d, v]| (t, d, v)),
            Shape::Beir if first => return Ok(None),
            Shape::Beir => split::<3>(line.trim_end(), Blank::Tab, &BEIR).map(|[t, d, v]| (t, d, v)),
        }?;
        match relevance(line[value.clone()].trim_matches(' ')) {
            Some(value) => Ok(Some(Line { topic, document, value })),
            None => {
                let message = format!("`{}` is not a whole number", &line[value.clone()]);
                let expected = "expected a relevance such as 0, 1 or 2";
                Err(Wrong::new(&problem::TREC_RELEVANCE, value, "", message, expected))
            }
        }
    }

    fn keeps(&self, _topic: &[u8]) -> bool {
        true
    }
}

fn is_header(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.split(|&b| b == b'\t').eq(BEIR.map(str::as_bytes))
}

/// A whole number, kept as the bits of an `i32`.
fn relevance(text: &str) -> Option<u32> {
    Some(text.parse::<i32>().ok()?.cast_unsigned())
}
