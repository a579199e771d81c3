//! How do the lines of a block become rows, and their problems problems?

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::columns::is_space;
use super::table::{Chunk, Row, Segment};
use crate::gold::{not_utf8, too_long};
use crate::input::Block;
use crate::input::scan::Lines;
use crate::problem::{Failure, Problem};
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

/// A worker's blocks so far.
#[derive(Default)]
pub(super) struct Worker {
    pub(super) chunks: Vec<Chunk>,
    rows: Vec<Row>,
    texts: Vec<u8>,
    segments: Vec<Segment>,
    /// Topics that are not kept.
    pub(super) unknown: BTreeSet<Box<str>>,
    /// The first problems by block, their line numbers still counted from the block's start.
    pub(super) problems: Vec<(u32, Problem)>,
    pub(super) total: u64,
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

    pub(super) fn block(&mut self, block: &Block, name: &Arc<str>, reading: &impl Reading) -> Lines {
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
