//! READ and JOIN: how does every line of the traces find its case and get judged, in parallel?
//!
//! A line that breaks the contract is a problem (strict) or skipped and counted (lenient); a trace of a case unknown to
//! gold is counted; everything else is judged on the spot and leaves nothing but a verdict.

use std::sync::Arc;

use crate::evidence::{Evidence, Kept};
use crate::gold::{ByQuestion, Gold, not_utf8, too_long};
use crate::input::json::{Kind, Reader, Syntax};
use crate::input::scan::{Lines, Position, scan};
use crate::input::{Block, Source};
use crate::judge::{Rules, Scratch, Scu, judge};
use crate::ledger::{Entry, Ledger, Runs};
use crate::model::Case;
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::rows::{TraceRow, Wrong};
use crate::tally::Figure;
use crate::text;

/// What reading the traces left behind: all that a report needs of them, and all that a partial carries.
#[derive(Debug)]
pub struct Counted {
    /// What each case's traces came to, in gold's order.
    pub entries: Vec<Option<Entry>>,
    /// The files that were read.
    pub inputs: Vec<Input>,
    /// Traces of cases that gold does not know.
    pub unmatched: u64,
    /// Lines that were skipped.
    pub malformed: u64,
    /// Traces that say which paraphrase of the question they answer.
    pub paraphrased: u64,
}

impl Counted {
    /// Adds what was read after this: its sources come behind these, so its traces are the later ones.
    #[must_use]
    pub fn then(mut self, later: Counted, scu: Scu) -> Counted {
        let before = self.inputs.len() as u32;
        for (mine, theirs) in self.entries.iter_mut().zip(later.entries) {
            let Some(mut theirs) = theirs else { continue };
            theirs.source += before;
            match mine {
                None => *mine = Some(theirs),
                Some(mine) => mine.merge(theirs, scu),
            }
        }
        self.inputs.extend(later.inputs);
        self.unmatched = self.unmatched.saturating_add(later.unmatched);
        self.malformed = self.malformed.saturating_add(later.malformed);
        self.paraphrased = self.paraphrased.saturating_add(later.paraphrased);
        self
    }
}

/// How traces are read.
pub struct Reading<'a> {
    /// The gold set.
    pub gold: &'a Gold,
    /// What a case is judged by.
    pub rules: &'a Rules,
    /// Which traces of a case count.
    pub runs: Runs,
    /// What is counted, where each run counts.
    pub figures: &'a [Figure],
    /// Skip what is malformed.
    pub lenient: bool,
}

/// Whether a suite took a field of its own.
type Own = Result<bool, Syntax>;

/// How many lines are looked up together.
const BATCH: usize = 32;

/// Lines whose cases are looked up together.
#[derive(Default)]
struct Batch<'b> {
    lines: Vec<Line<'b>>,
    /// What is read of each of them; their memory is used again.
    rows: [TraceRow<'b>; BATCH],
    cases: Vec<Option<u32>>,
}

struct Line<'b> {
    text: &'b str,
    /// Its first byte in the block.
    start: usize,
    /// Its number in the block.
    number: u64,
    /// It says which paraphrase of the question it answers.
    paraphrased: bool,
}

#[derive(Default)]
struct Worker {
    scratch: Scratch,
    /// Room for the rows of a batch.
    rows: [TraceRow<'static>; BATCH],
    unmatched: u64,
    malformed: u64,
    paraphrased: u64,
    /// The first problems by block, their line numbers still counted from the block's start.
    problems: Vec<(u32, Problem)>,
    total: u64,
}

impl Reading<'_> {
    /// Reads every source to its end.
    pub fn read(
        &self,
        sources: &[Source],
        threads: usize,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Counted, Failure> {
        let ledger = Ledger::new(self.gold.cases.len());
        let names: Vec<Arc<str>> = sources.iter().map(|source| source.name().clone()).collect();
        let work =
            |worker: &mut Worker, block: &Block| self.block(worker, block, &ledger, &names[block.source]);
        let (workers, map) = scan(sources, threads, progress, Worker::default, work)?;
        let (mut unmatched, mut malformed, mut paraphrased, mut total) = (0, 0, 0, 0);
        let mut problems = Vec::new();
        for worker in workers {
            unmatched += worker.unmatched;
            malformed += worker.malformed;
            paraphrased += worker.paraphrased;
            total += worker.total;
            problems.extend(worker.problems);
        }
        if total == 0 {
            let input = |(i, source): (usize, &Source)| {
                let fingerprint =
                    map.sources.get(i).map(|source| source.fingerprint.clone()).unwrap_or_default();
                Input::new("trace", source.name(), map.rows.get(i).copied().unwrap_or(0), fingerprint)
            };
            let inputs = sources.iter().enumerate().map(input).collect();
            let entries = ledger.into_entries();
            return Ok(Counted { entries, inputs, unmatched, malformed, paraphrased });
        }
        problems.sort_by_key(|(sequence, problem)| (*sequence, problem.line, problem.column));
        let problems = problems.into_iter().take(Failure::SHOWN).map(|(sequence, mut problem)| {
            problem.line += map.lines_before(sequence);
            problem
        });
        Err(Failure { problems: problems.collect(), total })
    }

    fn block(&self, worker: &mut Worker, block: &Block, ledger: &Ledger, name: &Arc<str>) -> Lines {
        let mut lines = Lines::default();
        if block.oversized {
            let start = String::from_utf8_lossy(&block.bytes()[..64.min(block.bytes().len())]);
            worker.refuse(self, block.sequence, || too_long(name, 1, &start));
            return Lines { lines: 1, rows: 1 };
        }
        let bytes = block.bytes();
        let whole = simdutf8::basic::from_utf8(bytes).ok();
        let mut batch = Batch { rows: std::mem::take(&mut worker.rows), ..Batch::default() };
        let mut next = if block.start == 0 && bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        while next < bytes.len() {
            let start = next;
            let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |at| start + at);
            next = end + 1;
            lines.lines += 1;
            let text = match whole {
                Some(text) => &text[start..end],
                None => match std::str::from_utf8(&bytes[start..end]) {
                    Ok(line) => line,
                    Err(e) => {
                        lines.rows += 1;
                        worker.refuse(self, block.sequence, || Problem {
                            line: lines.lines,
                            ..not_utf8(name, &bytes[start..end], e.valid_up_to())
                        });
                        continue;
                    }
                },
            };
            let text = text.strip_suffix('\r').unwrap_or(text);
            if !text.starts_with('{') && text::trim(text).is_empty() {
                continue;
            }
            lines.rows += 1;
            batch.lines.push(Line { text, start, number: lines.lines, paraphrased: false });
            if batch.lines.len() == BATCH {
                self.batch(worker, &mut batch, block, ledger, name);
            }
        }
        self.batch(worker, &mut batch, block, ledger, name);
        worker.rows = batch.rows.map(TraceRow::recycle);
        lines
    }

    /// Looks up the cases of several lines together, then reads and judges them one by one.
    fn batch<'b>(
        &self,
        worker: &mut Worker,
        batch: &mut Batch<'b>,
        block: &'b Block,
        ledger: &Ledger,
        name: &Arc<str>,
    ) {
        fn own<'b>(line: &mut Line<'_>) -> impl FnMut(&str, &mut Reader<'b>, &mut Vec<Wrong>) -> Own {
            |key, reader, _| {
                if key == "paraphrase" {
                    line.paraphrased = reader.peek()? != Kind::Null;
                }
                Ok(false)
            }
        }
        let Batch { lines, rows, cases } = batch;
        let mut ids = [None; BATCH];
        for ((line, row), id) in lines.iter_mut().zip(rows.iter_mut()).zip(&mut ids) {
            row.begin(line.text, &mut own(line));
            *id = row.trace.id.as_deref();
        }
        self.gold.by_ids(&ids[..lines.len()], cases, |case| ledger.touch(case));
        for ((line, row), &case) in lines.iter_mut().zip(rows).zip(&*cases) {
            row.finish(case, |id| self.gold.by_id(id), &mut own(line));
            let problem = |wrong| place(wrong, name, line.number, line.text);
            if row.wrong.is_empty() {
                let offset = block.start + line.start as u64;
                let position = Position { source: block.source as u32, offset };
                let unmatched = worker.unmatched;
                self.trace(worker, row, block, position, ledger, problem);
                worker.paraphrased += u64::from(line.paraphrased && worker.unmatched == unmatched);
            } else {
                worker.refuse_all(self, block.sequence, &mut row.wrong, problem);
            }
        }
        lines.clear();
    }

    fn trace(
        &self,
        worker: &mut Worker,
        row: &TraceRow<'_>,
        block: &Block,
        position: Position,
        ledger: &Ledger,
        place: impl Fn(Wrong) -> Problem,
    ) {
        let trace = &row.trace;
        let case = match (&trace.id, trace.question) {
            (Some(_), _) => row.case,
            (None, Some(question)) => match self.gold.by_question(&question.decode()) {
                ByQuestion::Unknown => None,
                ByQuestion::Case(case) => Some(case),
                ByQuestion::Ambiguous(first) => {
                    let line = self.gold.cases[first as usize].line;
                    worker.note(block.sequence, || place(Wrong {
                        kind: &problem::GOLD_AMBIGUOUS_QUESTION,
                        span: 0..1,
                        path: String::new(),
                        message: format!("this trace joins by its question, which several gold rows ask (the first on line {line})"),
                        expected: "expected a `qid`".into(),
                    }));
                    return;
                }
            },
            (None, None) => None,
        };
        let Some(case) = case else {
            worker.unmatched += 1;
            return;
        };
        let verdict = judge(&self.gold.cases[case as usize], trace, self.rules, &mut worker.scratch);
        let counting = (self.runs == Runs::All).then_some((self.figures, self.rules.scu));
        let keep = !block.replayable;
        ledger.record(case, position, verdict, counting, || keep.then(|| Kept::of(trace)));
    }
}

impl Worker {
    /// Notes a problem; counts it, at least.
    fn note(&mut self, sequence: u32, problem: impl FnOnce() -> Problem) {
        self.total += 1;
        if self.problems.len() < Failure::SHOWN {
            self.problems.push((sequence, problem()));
        }
    }

    /// A line that cannot be read: skipped if that is allowed, else a problem.
    fn refuse(&mut self, reading: &Reading<'_>, sequence: u32, problem: impl FnOnce() -> Problem) {
        if reading.lenient { self.malformed += 1 } else { self.note(sequence, problem) }
    }

    fn refuse_all(
        &mut self,
        reading: &Reading<'_>,
        sequence: u32,
        wrong: &mut Vec<Wrong>,
        place: impl Fn(Wrong) -> Problem,
    ) {
        if reading.lenient {
            self.malformed += 1;
            return;
        }
        for wrong in wrong.drain(..) {
            self.note(sequence, || place(wrong));
        }
    }
}

fn place(wrong: Wrong, name: &Arc<str>, number: u64, line: &str) -> Problem {
    Problem::at(wrong.kind, name, number, line, wrong.span, wrong.message, wrong.expected).on(wrong.path)
}

/// Reads a trace's line again and gives its words; `None` where the line is no longer there or belongs to another case.
#[must_use]
pub fn replay(source: &Source, offset: u64, case: &Case) -> Option<Evidence> {
    let line = source.line_at(offset, crate::input::LINE_LIMIT).ok()?;
    let line = std::str::from_utf8(&line).ok()?.trim_end_matches(['\n', '\r']);
    let mut row = TraceRow::default();
    row.read(line, |_| Some(0));
    let same = match (&row.trace.id, row.trace.question) {
        (Some(id), _) => **id == *case.id(),
        (None, Some(question)) => question.decode() == case.question(),
        (None, None) => false,
    };
    (same && row.wrong.is_empty()).then(|| Kept::of(&row.trace).evidence())
}
