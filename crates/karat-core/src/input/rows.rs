//! How are the rows of JSON-lines files read in parallel, each by the same function, with problems told in their order?

use std::sync::Arc;

use super::block::Block;
use super::scan::{Lines, Map, Position, scan};
use super::source::Source;
use crate::gold::{not_utf8, too_long};
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::rows::Wrong;
use crate::text;

/// Files of rows, and how they are to be read.
pub(crate) struct Rows<'a> {
    pub(crate) sources: &'a [Source],
    pub(crate) threads: usize,
    /// Skip and count what is malformed.
    pub(crate) lenient: bool,
    /// The texts in them are nobody's business: messages show the shape of a line and these keys, not its words.
    pub(crate) secret: Option<&'a [&'a str]>,
    pub(crate) progress: &'a (dyn Fn(u64) + Sync),
}

/// One row and where it stands.
pub(crate) struct RowAt<'b> {
    pub(crate) text: &'b str,
    pub(crate) position: Position,
    /// The block it is in, and its line there, from 1: [`Read::line`] makes a line number of them.
    pub(crate) place: (u32, u64),
    /// It can be read again by its position.
    pub(crate) replayable: bool,
}

/// What reading left behind.
pub(crate) struct Read<W> {
    /// What each worker made.
    pub(crate) states: Vec<W>,
    /// Rows that were skipped.
    pub(crate) malformed: u64,
    map: Map,
}

impl<W> Read<W> {
    /// The line number of a place.
    pub(crate) fn line(&self, (sequence, line): (u32, u64)) -> u64 {
        self.map.lines_before(sequence) + line
    }

    /// The files as a report lists them.
    pub(crate) fn inputs(&self, role: &str, sources: &[Source]) -> Vec<Input> {
        let input = |(i, source): (usize, &Source)| {
            let fingerprint =
                self.map.sources.get(i).map(|read| read.fingerprint.clone()).unwrap_or_default();
            Input::new(role, source.name(), self.map.rows.get(i).copied().unwrap_or(0), fingerprint)
        };
        sources.iter().enumerate().map(input).collect()
    }
}

struct Worker<W> {
    state: W,
    malformed: u64,
    /// The first problems by block, their line numbers still counted from the block's start.
    problems: Vec<(u32, Problem)>,
    total: u64,
}

impl Rows<'_> {
    /// Hands every row to `row`, which notes in its last argument what is wrong with it.
    pub(crate) fn read<W: Send>(
        &self,
        state: impl Fn() -> W + Sync,
        row: impl Fn(&mut W, &RowAt<'_>, &mut Vec<Wrong>) + Sync,
    ) -> Result<Read<W>, Failure> {
        let names: Vec<Arc<str>> = self.sources.iter().map(|source| source.name().clone()).collect();
        let worker = || Worker { state: state(), malformed: 0, problems: Vec::new(), total: 0 };
        let work =
            |worker: &mut Worker<W>, block: &Block| self.block(worker, block, &names[block.source], &row);
        let (workers, map) = scan(self.sources, self.threads, self.progress, worker, work)?;
        let (mut malformed, mut total) = (0, 0);
        let (mut problems, mut states) = (Vec::new(), Vec::new());
        for worker in workers {
            malformed += worker.malformed;
            total += worker.total;
            problems.extend(worker.problems);
            states.push(worker.state);
        }
        if total == 0 {
            return Ok(Read { states, malformed, map });
        }
        problems.sort_by_key(|(sequence, problem)| (*sequence, problem.line, problem.column));
        let problems = problems.into_iter().take(Failure::SHOWN).map(|(sequence, mut problem)| {
            problem.line += map.lines_before(sequence);
            problem
        });
        Err(Failure { problems: problems.collect(), total })
    }

    fn block<W>(
        &self,
        worker: &mut Worker<W>,
        block: &Block,
        name: &Arc<str>,
        row: &impl Fn(&mut W, &RowAt<'_>, &mut Vec<Wrong>),
    ) -> Lines {
        let bytes = block.bytes();
        let mut lines = Lines::default();
        if block.oversized {
            let start = String::from_utf8_lossy(&bytes[..64.min(bytes.len())]);
            let problem = too_long(name, 1, if self.secret.is_some() { "" } else { &start });
            self.refuse(worker, block.sequence, problem);
            return Lines { lines: 1, rows: 1 };
        }
        let mut wrong = Vec::new();
        let mut next = if block.start == 0 && bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        while next < bytes.len() {
            let start = next;
            let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
            next = end + 1;
            lines.lines += 1;
            let line = match std::str::from_utf8(&bytes[start..end]) {
                Ok(line) => line.strip_suffix('\r').unwrap_or(line),
                Err(e) => {
                    lines.rows += 1;
                    let mut problem =
                        Problem { line: lines.lines, ..not_utf8(name, &bytes[start..end], e.valid_up_to()) };
                    if self.secret.is_some() {
                        problem.excerpt = problem::Excerpt::default();
                    }
                    self.refuse(worker, block.sequence, problem);
                    continue;
                }
            };
            if text::trim(line).is_empty() {
                continue;
            }
            lines.rows += 1;
            let position = Position { source: block.source as u32, offset: block.start + start as u64 };
            let place = (block.sequence, lines.lines);
            let at = RowAt { text: line, position, place, replayable: block.replayable };
            row(&mut worker.state, &at, &mut wrong);
            if wrong.is_empty() {
                continue;
            }
            // Whose case is unknown is no torn line: a log may not be scored against another gold set by mistake.
            let skips = self.lenient && wrong.iter().all(|wrong| *wrong.kind != problem::TRACE_UNKNOWN_CASE);
            if skips {
                worker.malformed += 1;
                wrong.clear();
            }
            wrong.sort_by_key(|wrong| wrong.span.start);
            for wrong in wrong.drain(..) {
                worker.total += 1;
                if worker.problems.len() < Failure::SHOWN {
                    worker.problems.push((block.sequence, self.problem(wrong, name, lines.lines, line)));
                }
            }
        }
        lines
    }

    fn refuse<W>(&self, worker: &mut Worker<W>, sequence: u32, problem: Problem) {
        if self.lenient {
            worker.malformed += 1;
            return;
        }
        worker.total += 1;
        if worker.problems.len() < Failure::SHOWN {
            worker.problems.push((sequence, problem));
        }
    }

    /// Puts a problem at its place.
    pub(crate) fn problem(&self, wrong: Wrong, name: &Arc<str>, number: u64, line: &str) -> Problem {
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
