//! How are the lines of many topics kept small, and found by topic?
//!
//! A line leaves eight bytes and its document's id. Lines of one topic that follow each other are a segment, which has
//! the topic's id once and knows its first line's number; a block's segments are a chunk. Topics may be scattered over
//! the file: a topic is a list of segments.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher};

use foldhash::fast::FixedState;
use hashbrown::HashMap;

use super::lines::{LineFormat, Worker};
use crate::input::Source;
use crate::input::lines::{Problems, Rows};
use crate::input::scan::Map;
use crate::problem::Failure;
use crate::report::Input;

#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) value: u32,
    /// Where its document ends in the chunk's texts.
    pub(super) end: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    /// Its first row.
    pub(super) row: u32,
    /// Where its topic starts in the chunk's texts, and where the first document does.
    pub(super) topic: u32,
    pub(super) documents: u32,
    /// The number of its first line in the block.
    pub(super) line: u32,
}

#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) sequence: u32,
    pub(super) source: usize,
    pub(super) rows: Box<[Row]>,
    pub(super) texts: Box<[u8]>,
    pub(super) segments: Box<[Segment]>,
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
    pub(super) map: Map,
    pub(super) problems: Problems,
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
        reading: &impl LineFormat,
    ) -> Result<Table, Failure> {
        let rows =
            Rows { expected: "expected a line of a TREC file", progress, ..Rows::new(sources, threads) };
        let (workers, problems, map) =
            rows.scan(Worker::default, |worker: &mut Worker, block| worker.read(block, reading))?;
        let (mut chunks, mut unknown) = (Vec::new(), BTreeSet::new());
        for worker in workers {
            chunks.extend(worker.chunks);
            unknown.extend(worker.unknown);
        }
        chunks.sort_unstable_by_key(|chunk: &Chunk| chunk.sequence);
        let inputs = Input::list(role, sources, &map);
        let (names, segments, starts) = Default::default();
        Ok(Table { names, chunks, segments, starts, map, problems, unknown, inputs })
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
    pub(super) fn place(&self, topic: usize, mut row: usize) -> Option<(u32, usize, u64)> {
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

    /// Fails if there are problems, the first ones first.
    pub(super) fn check(&mut self) -> Result<(), Failure> {
        std::mem::take(&mut self.problems).check(&self.map)
    }
}
