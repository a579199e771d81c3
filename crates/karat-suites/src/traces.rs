//! READ and JOIN: how does every line of the traces find its case and get judged, in parallel?
//!
//! A line that breaks the contract is a problem (strict) or skipped and counted (lenient); a trace of a case unknown to
//! gold is counted; everything else is judged on the spot and leaves nothing but a verdict.

use crate::excerpt::{Excerpt, Kept};
use crate::gold::{ByQuestion, Gold};
use crate::input::Source;
use crate::input::json::{Kind, Reader, Syntax};
use crate::input::lines::{BlockRows, RowAt, Rows};
use crate::judge::{Rules, Scratch, Scu, Verdict, judge};
use crate::ledger::{Entry, Ledger, Runs};
use crate::model::Case;
use crate::problem::{self, Failure};
use crate::report::Input;
use crate::rows::{TraceRow, Wrong};
use crate::tally::Figure;

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
    pub figures: &'a [Figure<Verdict>],
    /// Skip what is malformed.
    pub lenient: bool,
}

/// Whether a suite took a field of its own.
pub(crate) type Own = Result<bool, Syntax>;

/// How many rows are looked up together.
const BATCH: usize = 32;

/// Memory to read rows in, 32 at a time, kept from block to block.
#[derive(Default)]
pub(crate) struct Batches {
    rows: [TraceRow<'static>; BATCH],
    cases: Vec<Option<u32>>,
}

impl Batches {
    /// Reads the rows of a block and hands each to `each`, with what is wrong with it and what `own` took of it. The cases of 32 rows are
    /// looked up together: with many cases a look-up mostly waits for memory, and so they wait together. `touch` reads
    /// whatever else of a case is needed soon.
    pub(crate) fn read<'b, 'r, O: Default>(
        &mut self,
        block: &mut BlockRows<'b, 'r>,
        gold: &Gold,
        touch: impl Fn(u32) -> bool,
        own: impl Fn(&mut O, &str, &mut Reader<'b>, &mut Vec<Wrong>) -> Own,
        mut each: impl FnMut(&mut BlockRows<'b, 'r>, &RowAt<'b>, &mut TraceRow<'b>, O),
    ) {
        let mut rows: [TraceRow<'b>; BATCH] = std::mem::take(&mut self.rows);
        let mut lines: Vec<(RowAt<'b>, O)> = Vec::with_capacity(BATCH);
        loop {
            lines.extend(block.by_ref().take(BATCH).map(|at| (at, O::default())));
            if lines.is_empty() {
                break;
            }
            self.batch(&mut lines, &mut rows, gold, &touch, &own, |at, row, mine| each(block, at, row, mine));
        }
        self.rows = rows.map(TraceRow::recycle);
    }

    /// Reads up to 32 rows. A function of its own, so that `cargo xtask instructions` can count what a row costs.
    #[inline(never)]
    fn batch<'b, O>(
        &mut self,
        lines: &mut Vec<(RowAt<'b>, O)>,
        rows: &mut [TraceRow<'b>; BATCH],
        gold: &Gold,
        touch: &impl Fn(u32) -> bool,
        own: &impl Fn(&mut O, &str, &mut Reader<'b>, &mut Vec<Wrong>) -> Own,
        mut each: impl FnMut(&RowAt<'b>, &mut TraceRow<'b>, O),
    ) {
        let mut ids = [None; BATCH];
        for (((at, mine), row), id) in lines.iter_mut().zip(rows.iter_mut()).zip(&mut ids) {
            row.begin(at.text, &mut |key, reader, wrong| own(mine, key, reader, wrong));
            *id = row.trace.id.as_deref();
        }
        gold.by_ids(&ids[..lines.len()], &mut self.cases, touch);
        for (((at, mut mine), row), &case) in lines.drain(..).zip(rows).zip(&self.cases) {
            let find = |id: &str| gold.by_id(id);
            row.finish(case, find, &mut |key, reader, wrong| own(&mut mine, key, reader, wrong));
            each(&at, row, mine);
        }
    }
}

/// Which case a trace belongs to: by its id, or else by its question.
pub(crate) fn join(gold: &Gold, row: &TraceRow<'_>) -> ByQuestion {
    match (&row.trace.id, row.trace.question) {
        (Some(_), _) => row.case.map_or(ByQuestion::Unknown, ByQuestion::Case),
        (None, Some(question)) => gold.by_question(&question.decode()),
        (None, None) => ByQuestion::Unknown,
    }
}

/// The problem of a trace whose question several gold rows ask.
pub(crate) fn ambiguous(gold: &Gold, first: u32) -> Wrong {
    let line = gold.cases[first as usize].line;
    let message =
        format!("this trace joins by its question, which several gold rows ask (the first on line {line})");
    Wrong::new(&problem::GOLD_AMBIGUOUS_QUESTION, 0..1, "", message, "expected a `qid`")
}

#[derive(Default)]
struct Worker {
    scratch: Scratch,
    batches: Batches,
    unmatched: u64,
    paraphrased: u64,
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
        let rows = Rows { lenient: self.lenient, progress, ..Rows::new(sources, threads) };
        let read = rows.read_blocks(Worker::default, |worker: &mut Worker, block| {
            let Worker { scratch, batches, unmatched, paraphrased } = worker;
            let own = |says: &mut bool, key: &str, reader: &mut Reader<'_>, _: &mut Vec<Wrong>| {
                if key == "paraphrase" {
                    *says = reader.peek()? != Kind::Null;
                }
                Ok(false)
            };
            let touch = |case| ledger.touch(case);
            batches.read(block, self.gold, touch, own, |block, at, row, says| match join(self.gold, row) {
                _ if !row.wrong.is_empty() => block.refuse(at, &mut row.wrong),
                ByQuestion::Case(case) => {
                    *paraphrased += u64::from(says);
                    self.judge(case, at, row, scratch, &ledger);
                }
                ByQuestion::Unknown => *unmatched += 1,
                ByQuestion::Ambiguous(first) => block.note(at, ambiguous(self.gold, first)),
            });
        })?;
        let inputs = Input::list("trace", sources, &read.map);
        let sum = |of: fn(&Worker) -> u64| read.states.iter().map(of).sum();
        Ok(Counted {
            entries: ledger.into_entries(),
            inputs,
            unmatched: sum(|worker| worker.unmatched),
            malformed: read.malformed,
            paraphrased: sum(|worker| worker.paraphrased),
        })
    }

    #[inline]
    fn judge(&self, case: u32, at: &RowAt<'_>, row: &TraceRow<'_>, scratch: &mut Scratch, ledger: &Ledger) {
        let verdict = judge(&self.gold.cases[case as usize], &row.trace, self.rules, scratch);
        let counting = (self.runs == Runs::All).then_some((self.figures, self.rules.scu));
        let keep = !at.replayable;
        ledger.record(case, at.position, verdict, counting, || keep.then(|| Kept::of(&row.trace)));
    }
}

/// Reads a trace's line again and gives its words; `None` where the line is no longer there or belongs to another case.
#[must_use]
pub fn replay(source: &Source, offset: u64, case: &Case) -> Option<Excerpt> {
    let line = source.text_at(offset)?;
    let mut row = TraceRow::default();
    row.read(&line, |_| Some(0));
    let same = match (&row.trace.id, row.trace.question) {
        (Some(id), _) => **id == *case.id(),
        (None, Some(question)) => question.decode() == case.question(),
        (None, None) => false,
    };
    (same && row.wrong.is_empty()).then(|| Kept::of(&row.trace).evidence())
}
