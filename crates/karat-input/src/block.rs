//! Cuts a stream of any length into blocks of whole lines, in bounded memory.
//!
//! A block is filled to about a mebibyte and cut after its last line end; the rest starts the next one. Where the cuts
//! fall depends on the bytes alone, not on threads or on how a pipe delivers them.

use std::io::{self, Read};
use std::ops::Range;

use super::source::{Fingerprint, Hash, Opened, Source};
use crate::problem::Problem;

/// No line may be longer than this.
pub const LINE_LIMIT: usize = 64 << 20;

/// How much is read at a time.
const BLOCK: usize = 1 << 20;

/// Room for the beginning of a line that the block before left over.
const ROOM: usize = 1 << 16;

/// Whole lines of one source.
#[derive(Debug, Default)]
pub struct Block {
    /// The index of the source.
    pub source: usize,
    /// The number of this block over all sources.
    pub sequence: u32,
    /// The offset of its first byte in the decompressed source.
    pub start: u64,
    /// Its one line is longer than [`LINE_LIMIT`]; only its beginning is here.
    pub oversized: bool,
    /// Its lines can be read again by their offset.
    pub replayable: bool,
    buffer: Buffer,
    unfed: Option<Unfed>,
}

/// What was read for a block and is not yet part of its source's fingerprint: with what went to the next block, and
/// without what came from the one before.
#[derive(Debug)]
struct Unfed {
    hash: Hash,
    turn: u32,
    read: Range<usize>,
}

impl Block {
    /// The lines, with their line ends.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.buffer.bytes()
    }

    /// Adds what was read for it to the fingerprint of its source, once the blocks before it are in; whoever took a block
    /// owes this before anything else, and nobody who reads on waits for it.
    pub(super) fn feed(&mut self) {
        if let Some(Unfed { hash, turn, read }) = self.unfed.take() {
            hash.feed(turn, self.buffer.memory.get(read).unwrap_or_default());
        }
    }
}

/// Bytes in memory that is cleared once, when it is first needed, and then only written over.
#[derive(Debug, Default)]
struct Buffer {
    memory: Vec<u8>,
    length: usize,
}

impl Buffer {
    fn bytes(&self) -> &[u8] {
        &self.memory[..self.length]
    }

    fn set(&mut self, bytes: &[u8]) {
        self.room(bytes.len().saturating_sub(self.length));
        self.memory[..bytes.len()].copy_from_slice(bytes);
        self.length = bytes.len();
    }

    fn truncate(&mut self, length: usize) {
        self.length = self.length.min(length);
    }

    /// Room for `more` bytes after those that are there.
    fn room(&mut self, more: usize) -> &mut [u8] {
        let end = self.length + more;
        if self.memory.is_empty() {
            // At once as large as blocks with lines of common length ever are, and of memory that is zero already.
            self.memory = vec![0; end.max(BLOCK + ROOM)];
        } else if self.memory.len() < end {
            self.memory.resize(end, 0);
        }
        &mut self.memory[self.length..end]
    }

    /// Reads until `more` bytes came or the source ended.
    fn read(&mut self, reader: &mut dyn Read, more: usize) -> io::Result<usize> {
        let room = self.room(more);
        let mut filled = 0;
        while filled < more {
            match reader.read(&mut room[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        self.length += filled;
        Ok(filled)
    }
}

/// What became of one source once it was read to its end.
#[derive(Clone, Debug)]
pub struct Finished {
    /// The fingerprint of the stored bytes.
    pub fingerprint: Fingerprint,
    /// Whether its lines can be read again.
    pub replayable: bool,
}

/// The blocks of several sources, one after the other.
#[derive(Default)]
pub struct Blocks<'a> {
    sources: &'a [Source],
    open: Option<Opened>,
    next_source: usize,
    sequence: u32,
    start: u64,
    /// How many blocks the open source had.
    turn: u32,
    carry: Vec<u8>,
    ended: bool,
    /// One entry for each source that has ended.
    pub finished: Vec<Finished>,
}

impl<'a> Blocks<'a> {
    /// The blocks of `sources`, in their order.
    #[must_use]
    pub fn new(sources: &'a [Source]) -> Self {
        Blocks { sources, ..Blocks::default() }
    }

    /// Puts the next block into `block`, whose memory is reused; false at the end of the last source. It has to be fed
    /// to the fingerprint before the next one is asked for by the same hands.
    pub fn fill(&mut self, block: &mut Block) -> Result<bool, Problem> {
        loop {
            let Some(open) = &mut self.open else {
                let Some(source) = self.sources.get(self.next_source) else { return Ok(false) };
                self.open = Some(source.open_with(false)?);
                self.next_source += 1;
                (self.start, self.turn, self.ended) = (0, 0, false);
                self.carry.clear();
                continue;
            };
            let source = &self.sources[self.next_source - 1];
            if self.ended {
                let turn = if open.by_taker { self.turn } else { 0 };
                let fingerprint = open.hash.finish_after(turn);
                self.finished.push(Finished { fingerprint, replayable: open.replayable });
                self.open = None;
                continue;
            }
            block.buffer.set(&self.carry);
            let carried = self.carry.len();
            self.carry.clear();
            (block.oversized, block.replayable) = (false, open.replayable);
            let cut = loop {
                let old = block.bytes().len();
                let wanted = BLOCK.max(old).min(LINE_LIMIT + 1 - old);
                let got = block.buffer.read(&mut open.reader, wanted).map_err(|e| source.unreadable(&e))?;
                if got < wanted {
                    self.ended = true;
                    break block.bytes().len();
                }
                if let Some(end) = memchr::memrchr(b'\n', &block.bytes()[old..]) {
                    break old + end + 1;
                }
                if block.bytes().len() > LINE_LIMIT {
                    let (hash, turn) = (open.hash.clone(), self.turn);
                    let mut seen = |bytes: &[u8]| {
                        if open.by_taker {
                            hash.feed_behind(turn, bytes);
                        }
                    };
                    seen(&block.bytes()[carried..]);
                    let skipped = pass_line(&mut open.reader, &mut self.carry, ENDLESS, &mut seen)
                        .map_err(|e| source.unreadable(&e))?;
                    self.place(block, 0..0);
                    self.start += block.bytes().len() as u64 + skipped;
                    block.oversized = true;
                    block.buffer.truncate(256);
                    block.buffer.memory.truncate(BLOCK);
                    block.buffer.memory.shrink_to_fit();
                    return Ok(true);
                }
            };
            let read = carried..block.bytes().len();
            self.carry.extend_from_slice(&block.bytes()[cut..]);
            block.buffer.truncate(cut);
            if cut == 0 {
                continue;
            }
            self.place(block, read);
            self.start += cut as u64;
            return Ok(true);
        }
    }

    fn place(&mut self, block: &mut Block, read: Range<usize>) {
        (block.source, block.sequence, block.start) = (self.next_source - 1, self.sequence, self.start);
        let by_taker = self.open.as_ref().filter(|open| open.by_taker);
        block.unfed = by_taker.map(|open| Unfed { hash: open.hash.clone(), turn: self.turn, read });
        self.sequence += 1;
        self.turn += 1;
    }
}

/// A longer line has no end: it comes from a device, or is not text at all.
const ENDLESS: u64 = 1 << 30;

/// Drops bytes up to and with the next line end; what follows it goes into `rest`, and all of it is shown to `seen`. Gives
/// the number of bytes dropped.
fn pass_line(
    reader: &mut dyn Read,
    rest: &mut Vec<u8>,
    most: u64,
    seen: &mut dyn FnMut(&[u8]),
) -> io::Result<u64> {
    let mut piece = Buffer::default();
    let mut dropped = 0;
    loop {
        piece.truncate(0);
        if piece.read(reader, BLOCK)? == 0 {
            return Ok(dropped);
        }
        seen(piece.bytes());
        if let Some(at) = memchr::memchr(b'\n', piece.bytes()) {
            rest.extend_from_slice(&piece.bytes()[at + 1..]);
            return Ok(dropped + at as u64 + 1);
        }
        dropped += piece.bytes().len() as u64;
        if dropped > most {
            return Err(io::Error::other("a line of more than 1 GiB: this is no file of JSON lines"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(sources: &[Source]) -> Vec<(usize, u64, String, bool)> {
        let (mut blocks, mut block, mut all) = (Blocks::new(sources), Block::default(), Vec::new());
        while blocks.fill(&mut block).unwrap() {
            block.feed();
            let text = String::from_utf8_lossy(block.bytes()).into_owned();
            all.push((block.source, block.start, text, block.oversized));
        }
        assert_eq!(blocks.finished.len(), sources.len());
        all
    }

    #[test]
    fn short_sources_are_one_block_each() {
        let sources = [Source::bytes("a", *b"1\n2"), Source::bytes("b", *b""), Source::bytes("c", *b"3\n")];
        assert_eq!(blocks(&sources), [(0, 0, "1\n2".into(), false), (2, 0, "3\n".into(), false)]);
    }

    #[test]
    fn cuts_fall_at_line_ends_and_nothing_is_lost() {
        let text: String = (0..400_000).map(|i| format!("line {i}\n")).collect();
        let got = blocks(&[Source::bytes("a", text.clone().into_bytes())]);
        assert!(got.len() > 3 && got.iter().all(|(_, _, lines, _)| lines.ends_with('\n')));
        assert_eq!(got.iter().map(|(_, _, lines, _)| lines.as_str()).collect::<String>(), text);
        let mut start = 0;
        for (_, at, lines, _) in &got {
            assert_eq!(*at, start);
            start += lines.len() as u64;
        }
    }

    #[test]
    fn what_has_no_end_is_refused() {
        let refused = pass_line(&mut io::repeat(b'x'), &mut Vec::new(), 1 << 20, &mut |_| {})
            .map_err(|e| e.to_string());
        assert!(refused.is_err_and(|e| e.contains("more than 1 GiB")));
    }

    #[test]
    fn a_line_without_end_is_passed_over() {
        let mut bytes = b"first\n".to_vec();
        bytes.resize(LINE_LIMIT + (3 << 20), b'x');
        bytes.extend_from_slice(b"\nlast\n");
        let length = bytes.len() as u64;
        let got = blocks(&[Source::bytes("a", bytes)]);
        assert_eq!(got.iter().filter(|block| block.3).count(), 1);
        assert_eq!(got.last(), Some(&(0, length - 5, "last\n".into(), false)));
    }
}
