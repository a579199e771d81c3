//! How do the lines of a block become rows, and their problems problems?

use std::collections::BTreeSet;
use std::ops::Range;

use super::columns::is_space;
use super::table::{Chunk, Row, Segment};
use crate::input::Block;
use crate::input::lines::{BlockRows, RowAt};
use crate::rows::Wrong;

/// One line, understood: the spans of its topic and document, and what it says of them.
pub(super) struct Line {
    pub(super) topic: Range<usize>,
    pub(super) document: Range<usize>,
    pub(super) value: u32,
}

/// What a kind of file makes of its lines.
pub(super) trait LineFormat: Sync {
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
    pub(super) fn read(&mut self, rows: &mut BlockRows<'_, '_>, reading: &impl LineFormat) {
        let (source, starts) = (rows.block().source, rows.block().start == 0);
        if starts {
            reading.begins(source, rows.block().bytes());
        }
        let mut current = Current::default();
        loop {
            if let Some(rest) = rows.rest()
                && rest.first() != Some(&b'#')
                && let Some((line, length)) = reading.quick(source, rest)
            {
                let number = rows.pass(length);
                self.add(rest, &line, number, &mut current, reading);
                continue;
            }
            let Some(at) = rows.line() else { break };
            if at.text.starts_with('#') || at.text.bytes().all(is_space) {
                continue;
            }
            match reading.line(source, at.text, starts && at.place.1 == 1) {
                Ok(None) => {}
                Ok(Some(line)) => {
                    rows.count();
                    self.add(at.text.as_bytes(), &line, at.place.1, &mut current, reading);
                }
                Err(wrong) => {
                    rows.count();
                    rows.note(&RowAt { text: at.text.trim_end(), ..at }, wrong);
                }
            }
        }
        self.finish(rows.block());
    }

    #[inline]
    fn add<'b>(
        &mut self,
        bytes: &'b [u8],
        line: &Line,
        number: u64,
        current: &mut Current<'b>,
        reading: &impl LineFormat,
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
