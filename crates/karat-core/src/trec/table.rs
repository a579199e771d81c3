//! How are the lines of many topics kept small, and found by topic?
//!
//! A line leaves eight bytes and its document's id. Lines of one topic that follow each other are a segment, which has
//! the topic's id once and knows its first line's number; a block's segments are a chunk. Topics may be scattered over
//! the file: a topic is a list of segments.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::columns::is_space;
use crate::gold::{not_utf8, too_long};
use crate::input::scan::{Lines, Map, scan};
use crate::input::{Block, Source};
use crate::problem::{Failure, Problem};
use crate::report::Input;
use crate::rows::Wrong;

/// One line, understood: the spans of its topic and document, and what it says of them.
pub(super) struct Line {
    pub(super) topic: Range<usize>,
    pub(super) document: Range<usize>,
    pub(super) value: u32,
}

/// What a kind of file makes of its lines.
pub(super) trait Reading: Sync {
    /// The line at the start of these bytes and its length, if it is plain.
    fn quick(&self, source: usize, bytes: &[u8]) -> Option<(Line, usize)>;
    /// A line without its line end, or what is wrong with it; `None` for a header.
    fn line(&self, source: usize, line: &str, first: bool) -> Result<Option<Line>, Wrong>;
    /// A block that starts a source is about to be read.
    fn begins(&self, _source: usize, _bytes: &[u8]) {}
    /// Whether a topic's lines are kept.
    fn keeps(&self, topic: &[u8]) -> bool;
}

#[derive(Clone, Copy, Debug)]
struct Row {
    value: u32,
    /// Where its document ends in the chunk's texts.
    end: u32,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    /// Its first row.
    row: u32,
    /// Where its topic starts in the chunk's texts, and where the first document does.
    topic: u32,
    documents: u32,
    /// The number of its first line in the block.
    line: u32,
}

#[derive(Debug)]
struct Chunk {
    sequence: u32,
    source: usize,
    rows: Box<[Row]>,
    texts: Box<[u8]>,
    segments: Box<[Segment]>,
}

impl Chunk {
    fn topic(&self, segment: usize) -> &[u8] {
        let Segment { topic, documents, .. } = self.segments[segment];
        &self.texts[topic as usize..documents as usize]
    }

    fn rows(&self, segment: usize) -> &[Row] {
        let end = self.segments.get(segment + 1).map_or(self.rows.len(), |next| next.row as usize);
        &self.rows[self.segments[segment].row as usize..end]
    }
}

/// The lines of a file, by topic.
#[derive(Debug)]
pub(super) struct Table {
    /// The topics, where they are its own.
    pub(super) names: Vec<Box<str>>,
    chunks: Vec<Chunk>,
    /// The segments of all topics, topic by topic: chunk and segment.
    segments: Vec<(u32, u32)>,
    /// Where the segments of each topic start, and at last where they all end.
    starts: Vec<usize>,
    map: Map,
    problems: Vec<(u32, Problem)>,
    total: u64,
    pub(super) unknown: BTreeSet<Box<str>>,
    pub(super) inputs: Vec<Input>,
}

/// Texts to numbers; nothing depends on their order in it.
pub(super) type Index<'a> = HashMap<&'a [u8], u32, FixedState>;

/// Names to their numbers.
pub(super) fn index(names: &[Box<str>]) -> Index<'_> {
    names.iter().map(|name| name.as_bytes()).zip(0..).collect()
}

/// The hash that documents and topics are looked up by.
#[inline]
pub(super) fn hash(text: &[u8]) -> u64 {
    let mut hasher = FixedState::with_seed(0x6b61_7261_7400).build_hasher();
    hasher.write(text);
    hasher.finish()
}

impl Table {
    /// Reads every line of `sources`. Problems are kept, so that others can join them.
    pub(super) fn read(
        role: &str,
        sources: &[Source],
        threads: usize,
        progress: &(dyn Fn(u64) + Sync),
        reading: &impl Reading,
    ) -> Result<Table, Failure> {
        let names: Vec<Arc<str>> = sources.iter().map(|source| source.name().clone()).collect();
        let work = |worker: &mut Worker, block: &Block| worker.block(block, &names[block.source], reading);
        let (workers, map) = scan(sources, threads, progress, Worker::default, work)?;
        let (mut chunks, mut problems, mut total) = (Vec::new(), Vec::new(), 0);
        let mut unknown = BTreeSet::new();
        for worker in workers {
            chunks.extend(worker.chunks);
            problems.extend(worker.problems);
            total += worker.total;
            unknown.extend(worker.unknown);
        }
        chunks.sort_unstable_by_key(|chunk: &Chunk| chunk.sequence);
        let inputs = sources.iter().enumerate().map(|(i, source)| {
            let fingerprint = map.sources.get(i).map(|source| source.fingerprint.clone()).unwrap_or_default();
            Input::new(role, source.name(), map.rows.get(i).copied().unwrap_or(0), fingerprint)
        });
        let (names, segments, starts) = Default::default();
        let inputs = inputs.collect();
        Ok(Table { names, chunks, segments, starts, map, problems, total, unknown, inputs })
    }

    /// Sorts the segments by topic, the topics being those that are there, in byte order.
    pub(super) fn group_by_own_topics(&mut self) {
        let topics = self.chunks.iter().flat_map(|chunk| (0..chunk.segments.len()).map(|i| chunk.topic(i)));
        let distinct: Index<'_> = topics.map(|topic| (topic, 0)).collect();
        let distinct = distinct.into_keys().map(|name| String::from_utf8_lossy(name).into());
        let mut names: Vec<Box<str>> = distinct.collect();
        names.sort_unstable();
        self.group(&index(&names));
        self.names = names;
    }

    /// Sorts the segments by topic; `index` knows every topic that is kept.
    pub(super) fn group(&mut self, index: &Index<'_>) {
        let mut placed: Vec<(u32, u32, u32)> = Vec::new();
        for (chunk, number) in self.chunks.iter().zip(0..) {
            for segment in 0..chunk.segments.len() {
                if let Some(&topic) = index.get(chunk.topic(segment)) {
                    placed.push((topic, number, segment as u32));
                }
            }
        }
        placed.sort_unstable();
        self.starts = vec![0; index.len() + 1];
        for &(topic, ..) in &placed {
            self.starts[topic as usize + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.segments = placed.into_iter().map(|(_, chunk, segment)| (chunk, segment)).collect();
    }

    pub(super) fn take_names(&mut self) -> Vec<Box<str>> {
        std::mem::take(&mut self.names)
    }

    fn segments_of(&self, topic: usize) -> &[(u32, u32)] {
        &self.segments[self.starts[topic]..self.starts[topic + 1]]
    }

    /// Appends what is said of each document of a topic, in the order of the input.
    pub(super) fn rows<'a>(&'a self, topic: usize, values: &mut Vec<u32>, documents: &mut Vec<&'a [u8]>) {
        for &(chunk, segment) in self.segments_of(topic) {
            let chunk = &self.chunks[chunk as usize];
            let mut start = chunk.segments[segment as usize].documents as usize;
            for row in chunk.rows(segment as usize) {
                values.push(row.value);
                documents.push(&chunk.texts[start..row.end as usize]);
                start = row.end as usize;
            }
        }
    }

    /// The block, source and line of a topic's `row`th row.
    fn place(&self, topic: usize, mut row: usize) -> Option<(u32, usize, u64)> {
        for &(chunk, segment) in self.segments_of(topic) {
            let chunk = &self.chunks[chunk as usize];
            let rows = chunk.rows(segment as usize).len();
            if row < rows {
                let line = u64::from(chunk.segments[segment as usize].line) + row as u64;
                return Some((chunk.sequence, chunk.source, line));
            }
            row -= rows;
        }
        None
    }

    /// Documents that a topic has twice, as (topic, first row, later row), become problems.
    pub(super) fn refuse_duplicates(
        &mut self,
        twice: &[(usize, usize, usize)],
        sources: &[Source],
        names: &[Box<str>],
    ) {
        self.total += twice.len() as u64;
        let mut placed: Vec<_> = twice
            .iter()
            .filter_map(|&(topic, first, later)| {
                Some((self.place(topic, later)?, self.place(topic, first)?, topic, later))
            })
            .collect();
        placed.sort_unstable();
        placed.truncate(Failure::SHOWN);
        for ((sequence, source, line), (first_block, first_source, first_line), topic, row) in placed {
            let (mut values, mut documents) = (Vec::new(), Vec::new());
            self.rows(topic, &mut values, &mut documents);
            let document =
                String::from_utf8_lossy(documents.get(row).copied().unwrap_or_default()).into_owned();
            let name = names.get(topic).map_or("", |name| &**name);
            let first_line = first_line + self.map.lines_before(first_block);
            let of = if first_source == source {
                String::new()
            } else {
                format!(" of {}", sources[first_source].name())
            };
            let message =
                format!("`{document}` is listed twice for topic `{name}`: first on line {first_line}{of}");
            let text = read_line(&sources[source], line + self.map.lines_before(sequence));
            // A stream cannot be read again: then the document's id has to do.
            let text = text.filter(|text| text.contains(&document)).unwrap_or_else(|| document.clone());
            let from = column_of(&text, name, &document);
            let span = from..from + document.len();
            let kind = &crate::problem::TREC_DUPLICATE;
            let expected = "expected each document once a topic";
            let problem = Problem::at(kind, sources[source].name(), line, &text, span, message, expected);
            self.problems.push((sequence, problem));
        }
    }

    /// Fails if there are problems, the first ones first.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        if self.total == 0 {
            return Ok(());
        }
        let mut problems = std::mem::take(&mut self.problems);
        problems.sort_by_key(|(sequence, problem)| (*sequence, problem.line, problem.column));
        let problems = problems.into_iter().take(Failure::SHOWN).map(|(sequence, mut problem)| {
            problem.line += self.map.lines_before(sequence);
            problem
        });
        Err(Failure { problems: problems.collect(), total: self.total })
    }
}

/// Where the document stands in its line: behind the topic, so that a topic of the same name is not marked.
fn column_of(line: &str, topic: &str, document: &str) -> usize {
    let behind = line.find(topic).map_or(0, |at| at + topic.len());
    line[behind..].find(document).map_or_else(|| line.find(document).unwrap_or(0), |at| behind + at)
}

/// Reads a line again, by its number.
fn read_line(source: &Source, number: u64) -> Option<String> {
    use std::io::{BufRead, BufReader, Read};
    source.size()?; // standard input and pipes are gone
    let mut reader = BufReader::new(source.open().ok()?.reader);
    for _ in 1..number {
        reader.skip_until(b'\n').ok()?;
    }
    let mut line = Vec::new();
    reader.take(1 << 16).read_until(b'\n', &mut line).ok()?;
    Some(String::from_utf8(line).ok()?.trim_end().to_owned())
}

/// A worker's blocks so far.
#[derive(Default)]
struct Worker {
    chunks: Vec<Chunk>,
    rows: Vec<Row>,
    texts: Vec<u8>,
    segments: Vec<Segment>,
    unknown: BTreeSet<Box<str>>,
    /// The first problems by block, their line numbers still counted from the block's start.
    problems: Vec<(u32, Problem)>,
    total: u64,
}

/// The topic of the line before.
#[derive(Default)]
struct Current<'b> {
    topic: &'b [u8],
    kept: bool,
    /// The number of the line that would continue the segment; 0: none would.
    next: u64,
}

impl Worker {
    fn note(&mut self, sequence: u32, problem: impl FnOnce() -> Problem) {
        self.total += 1;
        if self.problems.len() < Failure::SHOWN {
            self.problems.push((sequence, problem()));
        }
    }

    fn block(&mut self, block: &Block, name: &Arc<str>, reading: &impl Reading) -> Lines {
        let bytes = block.bytes();
        if block.start == 0 {
            reading.begins(block.source, bytes);
        }
        if block.oversized {
            let start = String::from_utf8_lossy(&bytes[..64.min(bytes.len())]);
            self.note(block.sequence, || Problem {
                expected: "expected a line of a TREC file".into(),
                ..too_long(name, 1, &start)
            });
            return Lines { lines: 1, rows: 1 };
        }
        let mut lines = Lines::default();
        let mut current = Current::default();
        let whole = std::str::from_utf8(bytes).ok();
        let mut next = if block.start == 0 && bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let first = next;
        while next < bytes.len() {
            let start = next;
            lines.lines += 1;
            if whole.is_some()
                && bytes[start] != b'#'
                && let Some((line, length)) = reading.quick(block.source, &bytes[start..])
            {
                lines.rows += 1;
                next = start + length;
                self.add(&bytes[start..], &line, lines.lines, &mut current, reading);
                continue;
            }
            let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
            next = end + 1;
            let text = match std::str::from_utf8(&bytes[start..end]) {
                Ok(text) => text,
                Err(e) => {
                    lines.rows += 1;
                    let problem = not_utf8(name, &bytes[start..end], e.valid_up_to());
                    self.note(block.sequence, || Problem { line: lines.lines, ..problem });
                    continue;
                }
            };
            if text.starts_with('#') || text.bytes().all(is_space) {
                continue;
            }
            match reading.line(block.source, text, block.start == 0 && start == first) {
                Ok(None) => {}
                Ok(Some(line)) => {
                    lines.rows += 1;
                    self.add(text.as_bytes(), &line, lines.lines, &mut current, reading);
                }
                Err(Wrong { kind, span, message, expected, .. }) => {
                    lines.rows += 1;
                    let number = lines.lines;
                    self.note(block.sequence, || {
                        Problem::at(kind, name, number, text.trim_end(), span, message, expected)
                    });
                }
            }
        }
        self.finish(block);
        lines
    }

    #[inline]
    fn add<'b>(
        &mut self,
        bytes: &'b [u8],
        line: &Line,
        number: u64,
        current: &mut Current<'b>,
        reading: &impl Reading,
    ) {
        let topic = &bytes[line.topic.clone()];
        if topic != current.topic || current.next == 0 {
            *current = Current { topic, kept: reading.keeps(topic), next: 0 };
            if !current.kept {
                let name = String::from_utf8_lossy(topic);
                if !self.unknown.contains(&*name) {
                    self.unknown.insert(name.into());
                }
            }
        }
        if current.kept && current.next != number {
            let topic_at = self.texts.len() as u32;
            self.texts.extend_from_slice(topic);
            let (row, documents) = (self.rows.len() as u32, self.texts.len() as u32);
            self.segments.push(Segment { row, topic: topic_at, documents, line: number as u32 });
        }
        if current.kept {
            self.texts.extend_from_slice(&bytes[line.document.clone()]);
            self.rows.push(Row { value: line.value, end: self.texts.len() as u32 });
        }
        current.next = number + 1;
    }

    /// What the block left goes into a chunk of its own size; the room it was collected in is used again.
    fn finish(&mut self, block: &Block) {
        if !self.rows.is_empty() {
            self.chunks.push(Chunk {
                sequence: block.sequence,
                source: block.source,
                rows: self.rows.as_slice().into(),
                texts: self.texts.as_slice().into(),
                segments: self.segments.as_slice().into(),
            });
        }
        self.rows.clear();
        self.texts.clear();
        self.segments.clear();
    }
}
