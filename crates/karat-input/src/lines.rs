//! The line loop: every row of every file, on several threads, with problems in the order of the input.
//!
//! [`Rows::read`] hands over one row at a time, [`Rows::read_blocks`] the rows of one block, for readers that work on
//! several rows at once or want to keep memory from row to row.

use std::sync::Arc;

use crate::block::Block;
use crate::problem::{self, Excerpt, Failure, Problem};
use crate::rows::Wrong;
use crate::scan::{Lines, Map, Position, scan};
use crate::source::Source;
use crate::text;

/// Files of rows, and how they are to be read.
#[derive(Clone, Copy)]
pub struct Rows<'a> {
    /// The files, in order.
    pub sources: &'a [Source],
    /// How many threads read them.
    pub threads: usize,
    /// Skip and count what is malformed.
    pub lenient: bool,
    /// The texts in them are confidential: messages show the shape of a line and these keys, not its words.
    pub secret: Option<&'a [&'a str]>,
    /// What a line should have been, where one has no end.
    pub expected: &'static str,
    /// Hears of the bytes as they are read.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// One row and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct RowAt<'b> {
    /// The line without its line end.
    pub text: &'b str,
    /// Its place among all lines.
    pub position: Position,
    /// The block it is in, and its line there, from 1: [`Map::line`] makes a line number of them.
    pub place: (u32, u64),
    /// It can be read again by its position.
    pub replayable: bool,
}

/// What reading produced.
pub struct Read<W> {
    /// What each worker made.
    pub states: Vec<W>,
    /// Rows that were skipped.
    pub malformed: u64,
    /// Where the blocks lie, and what is known of each file.
    pub map: Map,
}

impl<W> Read<W> {
    /// The line number of a place.
    #[must_use]
    pub fn line(&self, place: (u32, u64)) -> u64 {
        self.map.line(place)
    }
}

/// What is wrong with the rows of several blocks: the first problems, and how many there are.
#[derive(Debug, Default)]
pub struct Problems {
    /// By block; their line numbers are still counted from the block's start.
    first: Vec<(u32, Problem)>,
    total: u64,
    /// Rows that were skipped instead.
    pub malformed: u64,
}

impl Problems {
    /// Adds a problem of a block; it is only counted once there are enough to show.
    pub fn note(&mut self, sequence: u32, problem: impl FnOnce() -> Problem) {
        self.total += 1;
        if self.first.len() < Failure::SHOWN {
            self.first.push((sequence, problem()));
        }
    }

    /// Adds `total` problems, the first of them by block.
    pub fn extend(&mut self, total: u64, first: impl IntoIterator<Item = (u32, Problem)>) {
        self.total += total;
        self.first.extend(first);
    }

    /// Adds those that another worker found.
    pub fn merge(&mut self, other: Problems) {
        self.first.extend(other.first);
        self.total += other.total;
        self.malformed += other.malformed;
    }

    /// Fails if there are any, the first ones first and with their line numbers.
    pub fn check(mut self, map: &Map) -> Result<(), Failure> {
        if self.total == 0 {
            return Ok(());
        }
        self.first.sort_by_key(|(sequence, problem)| (*sequence, problem.line, problem.column));
        let problems = self.first.into_iter().take(Failure::SHOWN).map(|(sequence, mut problem)| {
            problem.line = map.line((sequence, problem.line));
            problem
        });
        Err(Failure { problems: problems.collect(), total: self.total })
    }
}

impl<'a> Rows<'a> {
    /// Rows of JSON lines, read strictly.
    #[must_use]
    pub fn new(sources: &'a [Source], threads: usize) -> Self {
        let expected = "expected one JSON object a line";
        Rows { sources, threads, lenient: false, secret: None, expected, progress: &|_| {} }
    }

    /// Hands every row to `row`, which notes in its last argument what is wrong with it.
    pub fn read<W: Send>(
        &self,
        state: impl Fn() -> W + Sync,
        row: impl Fn(&mut W, &RowAt<'_>, &mut Vec<Wrong>) + Sync,
    ) -> Result<Read<W>, Failure> {
        self.read_blocks(state, |state, rows| {
            let mut wrong = Vec::new();
            while let Some(at) = rows.next() {
                row(state, &at, &mut wrong);
                if !wrong.is_empty() {
                    rows.refuse(&at, &mut wrong);
                }
            }
        })
    }

    /// Hands the rows of every block to `work`, which goes through them and refuses what is wrong.
    pub fn read_blocks<W: Send>(
        &self,
        state: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, &mut BlockRows<'_, '_>) + Sync,
    ) -> Result<Read<W>, Failure> {
        let (states, problems, map) = self.scan(state, work)?;
        let malformed = problems.malformed;
        problems.check(&map)?;
        Ok(Read { states, malformed, map })
    }

    /// Reads as [`Rows::read_blocks`] does, and leaves it to the caller to fail.
    pub fn scan<W: Send>(
        &self,
        state: impl Fn() -> W + Sync,
        work: impl Fn(&mut W, &mut BlockRows<'_, '_>) + Sync,
    ) -> Result<(Vec<W>, Problems, Map), Failure> {
        let worker = || (state(), Problems::default());
        let block = |(state, problems): &mut (W, Problems), block: &Block| {
            let mut rows = BlockRows::new(self, block, problems);
            work(state, &mut rows);
            rows.lines
        };
        let (workers, map) = scan(self.sources, self.threads, self.progress, worker, block)?;
        let (mut states, mut all) = (Vec::with_capacity(workers.len()), Problems::default());
        for (state, problems) in workers {
            states.push(state);
            all.merge(problems);
        }
        Ok((states, all, map))
    }

    /// Puts a problem at its place.
    #[must_use]
    pub fn problem(&self, wrong: Wrong, name: &Arc<str>, number: u64, line: &str) -> Problem {
        let Wrong { kind, span, path, message, expected } = wrong;
        let Some(keys) = self.secret else {
            return Problem::at(kind, name, number, line, span, message, expected).on(path);
        };
        let masked = text::mask(line, keys);
        // One character for one character: places are found by counting.
        let place = |at: usize| {
            let before = line.get(..at).map_or(0, |before| before.chars().count());
            masked.char_indices().nth(before).map_or(masked.len(), |(at, _)| at)
        };
        Problem::at(kind, name, number, &masked, place(span.start)..place(span.end), message, expected)
            .on(path)
    }
}

/// The rows of one block, in order. Lines that are not UTF-8 are refused on the way, blank ones are passed over.
pub struct BlockRows<'b, 'r> {
    rows: &'r Rows<'r>,
    block: &'b Block,
    /// The whole block as text, if it is UTF-8.
    text: Option<&'b str>,
    next: usize,
    lines: Lines,
    problems: &'r mut Problems,
}

impl<'b, 'r> BlockRows<'b, 'r> {
    fn new(rows: &'r Rows<'r>, block: &'b Block, problems: &'r mut Problems) -> Self {
        let bytes = block.bytes();
        let text = simdutf8::basic::from_utf8(bytes).ok();
        let next = if block.start == 0 && bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut all = BlockRows { rows, block, text, next, lines: Lines::default(), problems };
        if block.oversized {
            let start = String::from_utf8_lossy(&bytes[..64.min(bytes.len())]);
            let shown = if rows.secret.is_some() { "" } else { &*start };
            let problem = Problem { expected: rows.expected.into(), ..too_long(all.name(), 1, shown) };
            (all.next, all.lines) = (bytes.len(), Lines { lines: 1, rows: 1 });
            all.refuse_line(problem);
        }
        all
    }

    /// The block that they are of.
    #[must_use]
    pub fn block(&self) -> &'b Block {
        self.block
    }

    /// The file as it was named.
    #[must_use]
    pub fn name(&self) -> &'r Arc<str> {
        self.rows.sources[self.block.source].name()
    }

    /// The next line, blank or not, as it stands in the file but for its line feed. It counts as a row once
    /// [`BlockRows::count`] is called.
    #[inline]
    pub fn line(&mut self) -> Option<RowAt<'b>> {
        loop {
            let bytes = self.block.bytes();
            let start = self.next;
            let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
            let end = memchr::memchr(b'\n', rest).map_or(bytes.len(), |at| start + at);
            self.next = end + 1;
            self.lines.lines += 1;
            let text = match self.text {
                Some(text) => &text[start..end],
                None => match std::str::from_utf8(&bytes[start..end]) {
                    Ok(text) => text,
                    Err(error) => {
                        self.not_utf8(&bytes[start..end], error.valid_up_to());
                        continue;
                    }
                },
            };
            return Some(self.at(text, start));
        }
    }

    /// The bytes of the lines to come, if all of them are UTF-8; where in the block they begin is known to
    /// [`BlockRows::pass`].
    #[inline]
    #[must_use]
    pub fn rest(&self) -> Option<&'b [u8]> {
        self.text.and_then(|text| text.as_bytes().get(self.next..)).filter(|rest| !rest.is_empty())
    }

    /// Passes over a row of `length` bytes, with its line feed, that was read from [`BlockRows::rest`]. Gives its line's
    /// number in the block.
    #[inline]
    pub fn pass(&mut self, length: usize) -> u64 {
        self.next += length;
        self.lines.lines += 1;
        self.lines.rows += 1;
        self.lines.lines
    }

    /// Counts the last line as a row.
    #[inline]
    pub fn count(&mut self) {
        self.lines.rows += 1;
    }

    /// Refuses a row: where that is allowed it is skipped, otherwise all that is wrong with it is a problem. A row of a
    /// case that nobody knows is always one: a log may not be scored against another gold set by mistake.
    pub fn refuse(&mut self, row: &RowAt<'_>, wrong: &mut Vec<Wrong>) {
        if self.rows.lenient && wrong.iter().all(|wrong| *wrong.kind != problem::TRACE_UNKNOWN_CASE) {
            self.problems.malformed += 1;
            wrong.clear();
            return;
        }
        wrong.sort_by_key(|wrong| wrong.span.start);
        for wrong in wrong.drain(..) {
            self.note(row, wrong);
        }
    }

    /// Notes a problem of a row that cannot be skipped.
    pub fn note(&mut self, row: &RowAt<'_>, wrong: Wrong) {
        let (rows, name) = (self.rows, self.name());
        self.problems.note(row.place.0, || rows.problem(wrong, name, row.place.1, row.text));
    }

    #[inline]
    fn at(&self, text: &'b str, start: usize) -> RowAt<'b> {
        let block = self.block;
        RowAt {
            text,
            position: Position { source: block.source as u32, offset: block.start + start as u64 },
            place: (block.sequence, self.lines.lines),
            replayable: block.replayable,
        }
    }

    #[cold]
    fn not_utf8(&mut self, line: &[u8], at: usize) {
        self.lines.rows += 1;
        let mut problem = Problem { line: self.lines.lines, ..not_utf8(self.name(), line, at) };
        if self.rows.secret.is_some() {
            problem.excerpt = Excerpt::default();
        }
        self.refuse_line(problem);
    }

    /// Refuses a line that is not even text.
    fn refuse_line(&mut self, problem: Problem) {
        if self.rows.lenient {
            self.problems.malformed += 1;
        } else {
            self.problems.note(self.block.sequence, || problem);
        }
    }
}

impl<'b> Iterator for BlockRows<'b, '_> {
    type Item = RowAt<'b>;

    #[inline]
    fn next(&mut self) -> Option<RowAt<'b>> {
        loop {
            let mut row = self.line()?;
            row.text = row.text.strip_suffix('\r').unwrap_or(row.text);
            if row.text.starts_with('{') || !text::trim(row.text).is_empty() {
                self.count();
                return Some(row);
            }
        }
    }
}

/// The problem of a line without an end.
#[must_use]
pub fn too_long(source: &Arc<str>, line: u64, start: &str) -> Problem {
    let message = "this line is longer than 64 MiB".to_owned();
    let expected = "expected one JSON object a line";
    Problem::at(&problem::LINE_TOO_LONG, source, line, start, 0..1, message, expected)
}

/// The problem of bytes that are not UTF-8; `at` is the first bad one.
#[must_use]
pub fn not_utf8(source: &Arc<str>, bytes: &[u8], at: usize) -> Problem {
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |i| i + 1);
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i).min(at + 200);
    let line = bytes[..start].iter().filter(|&&b| b == b'\n').count() as u64 + 1;
    let before = String::from_utf8_lossy(&bytes[start..at]).into_owned();
    let shown = format!("{before}{}", String::from_utf8_lossy(&bytes[at..end]));
    let hint = if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        "the file begins as UTF-16 does".to_owned()
    } else {
        format!("byte 0x{:02x} is not UTF-8 here", bytes[at])
    };
    let span = before.len()..before.len() + 1;
    Problem::at(&problem::NOT_UTF8, source, line, &shown, span, hint, "expected UTF-8")
}
