//! Hands blocks to several threads, and keeps line numbers right.
//!
//! Each worker takes the next block under a lock, adds it to the fingerprint in its turn, and works on it alone. A worker knows only how many lines its blocks had; line numbers are summed up afterwards.
//! An input of one block starts no thread.

use std::sync::{Mutex, PoisonError};
use std::thread;

use super::block::{Block, Blocks, Finished};
use super::source::Source;
use crate::problem::{Failure, Problem};

/// A line in the whole input: the source it is in and its byte offset there. Later lines are larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The source's number.
    pub source: u32,
    /// The line's first byte in the decompressed source.
    pub offset: u64,
}

/// Where the blocks of a finished scan lie.
#[derive(Clone, Debug, Default)]
pub struct Map {
    blocks: Vec<Entry>,
    /// What is known of each source.
    pub sources: Vec<Finished>,
    /// How many rows (lines that are not blank) each source had.
    pub rows: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Entry {
    sequence: u32,
    source: usize,
    lines: u64,
    rows: u64,
    lines_before: u64,
}

impl Map {
    fn new(mut blocks: Vec<Entry>, sources: Vec<Finished>) -> Self {
        blocks.sort_unstable_by_key(|entry| entry.sequence);
        let mut rows = vec![0; sources.len()];
        let (mut source, mut lines) = (0, 0);
        for entry in &mut blocks {
            if entry.source != source {
                (source, lines) = (entry.source, 0);
            }
            entry.lines_before = lines;
            lines += entry.lines;
            rows[entry.source] += entry.rows;
        }
        Map { blocks, sources, rows }
    }

    /// The line number in its source of a line of a block, counted there from 1.
    #[must_use]
    pub fn line(&self, (sequence, line): (u32, u64)) -> u64 {
        self.lines_before(sequence) + line
    }

    /// The number of lines before a block in its source.
    #[must_use]
    pub fn lines_before(&self, sequence: u32) -> u64 {
        self.blocks.get(sequence as usize).map_or(0, |entry| entry.lines_before)
    }
}

/// How many lines, and rows among them, a worker found in a block.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lines {
    /// Lines, blank ones too.
    pub lines: u64,
    /// Lines that are not blank.
    pub rows: u64,
}

/// Runs `work` on `threads` threads, this one among them, and collects the results.
pub fn on_threads<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(&work)).collect();
        let mut all = vec![work()];
        for other in others {
            match other.join() {
                Ok(theirs) => all.push(theirs),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    })
}

/// Hands every block of `sources` to one of `threads` workers; each has a state of its own, which come back together
/// with the map of the blocks. `progress` hears of the bytes as they are taken.
pub fn scan<W: Send>(
    sources: &[Source],
    threads: usize,
    progress: &(dyn Fn(u64) + Sync),
    state: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &Block) -> Lines + Sync,
) -> Result<(Vec<W>, Map), Failure> {
    let blocks = Mutex::new(Blocks::new(sources));
    let fill = |block: &mut Block| {
        let more = blocks.lock().unwrap_or_else(PoisonError::into_inner).fill(block);
        block.feed();
        progress(block.bytes().len() as u64);
        more
    };
    let run = |first: Option<Block>| -> Result<(W, Vec<Entry>), Problem> {
        let (mut state, mut seen) = (state(), Vec::new());
        let mut block = first.unwrap_or_default();
        let mut more = !block.bytes().is_empty() || fill(&mut block)?;
        while more {
            let Lines { lines, rows } = work(&mut state, &block);
            let (sequence, source) = (block.sequence, block.source);
            seen.push(Entry { sequence, source, lines, rows, lines_before: 0 });
            more = fill(&mut block)?;
        }
        Ok((state, seen))
    };

    let mut first = Block::default();
    let results = if !fill(&mut first)? {
        vec![Ok((state(), Vec::new()))]
    } else {
        let mut second = Block::default();
        if threads < 2 || !fill(&mut second)? {
            // One block, or one thread: no thread is worth its start.
            let mut done = vec![run(Some(first))];
            if !second.bytes().is_empty() {
                done.push(run(Some(second)));
            }
            done
        } else {
            thread::scope(|scope| {
                let mut handles = vec![scope.spawn(|| run(Some(second)))];
                handles.extend((2..threads).map(|_| scope.spawn(|| run(None))));
                let mut results = vec![run(Some(first))];
                for handle in handles {
                    match handle.join() {
                        Ok(result) => results.push(result),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                results
            })
        }
    };
    let (mut states, mut entries) = (Vec::new(), Vec::new());
    for result in results {
        let (state, seen) = result?;
        states.push(state);
        entries.extend(seen);
    }
    let finished = blocks.into_inner().unwrap_or_else(PoisonError::into_inner).finished;
    Ok((states, Map::new(entries, finished)))
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::block::LINE_LIMIT;
    use crate::source::hex;

    /// Fingerprints and rows of sources, read by `threads` threads.
    fn scanned(sources: &[Source], threads: usize) -> Vec<(Option<String>, Option<String>, u64)> {
        let work = |(): &mut (), block: &Block| {
            let lines = block.bytes().split(|&b| b == b'\n').filter(|line| !line.is_empty()).count() as u64;
            Lines { lines, rows: lines }
        };
        let (_, map) = scan(sources, threads, &|_| {}, || (), work).unwrap();
        let of = |(source, &rows): (&Finished, &u64)| {
            (source.fingerprint.sha256.clone(), source.fingerprint.blake3.clone(), rows)
        };
        map.sources.iter().zip(&map.rows).map(of).collect()
    }

    #[test]
    fn a_fingerprint_is_that_of_the_bytes_in_their_order() {
        let lines: Vec<u8> = (0..900_000u32).flat_map(|i| format!("line {i}\n").into_bytes()).collect();
        let mut long = lines.clone();
        long.resize(long.len() + LINE_LIMIT + (3 << 20), b'x');
        long.extend_from_slice(b"\n");
        long.extend_from_slice(&lines);
        let zipped = zstd::encode_all(&lines[..], 1).unwrap();
        let (small, large) = (hex(&Sha256::digest(&lines)), blake3::hash(&long).to_hex().to_string());
        let packed = hex(&Sha256::digest(&zipped));
        let sources = [
            Source::bytes("a", lines),
            Source::bytes("b", *b""),
            Source::bytes("c", long),
            Source::bytes("d", zipped),
        ];
        let empty = hex(&Sha256::digest(b""));
        for threads in [1, 2, 5] {
            let expected = [
                (Some(small.clone()), None, 900_000),
                (Some(empty.clone()), None, 0),
                (None, Some(large.clone()), 1_800_001),
                (Some(packed.clone()), None, 900_000),
            ];
            assert_eq!(scanned(&sources, threads), expected, "{threads} threads");
        }
    }
}
