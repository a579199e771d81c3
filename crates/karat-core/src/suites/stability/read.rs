//! READ: how does every run of a log find its case, its seed and its jitter, in parallel?

use std::borrow::Cow;

use super::grid::{Axes, Cells, Grid};
use super::runs::{Draft, Ledger, Runs};
use crate::gold::{ByQuestion, Gold};
use crate::input::Source;
use crate::input::json::{Kind, Reader, Syntax};
use crate::input::rows::{RowAt, Rows};
use crate::judge::Refusal;
use crate::judge::stability::{Scratch, look};
use crate::problem::{self, Failure};
use crate::report::Input;
use crate::rows::{TraceRow, Wrong, refuse};
use crate::text;

/// A log that was read.
pub(super) struct Log {
    /// The runs of each case, in gold's order.
    pub(super) runs: Vec<Runs>,
    pub(super) axes: Axes,
    pub(super) inputs: Vec<Input>,
    pub(super) malformed: u64,
}

/// How a log is read.
pub(super) struct Reading<'a> {
    pub(super) gold: &'a Gold,
    pub(super) refusal: &'a Refusal,
    pub(super) grid: &'a Grid,
    pub(super) lenient: bool,
    pub(super) threads: usize,
}

#[derive(Default)]
struct Worker {
    scratch: Scratch,
    draft: Draft,
    /// Runs of cases that gold does not know.
    unknown: u64,
}

impl Reading<'_> {
    /// Reads every run.
    pub(super) fn read(&self, sources: &[Source], progress: &(dyn Fn(u64) + Sync)) -> Result<Log, Failure> {
        let (ledger, cells) = (Ledger::new(self.gold.cases.len()), Cells::default());
        let rows = Rows { sources, threads: self.threads, lenient: self.lenient, secret: None, progress };
        let read = rows.read(Worker::default, |worker: &mut Worker, at, wrong| {
            self.row(worker, at, &ledger, &cells, wrong);
        })?;
        let inputs = read.inputs("trace", sources);
        let axes = cells.into_axes(self.grid);
        Ok(Log { runs: ledger.into_runs(), axes, inputs, malformed: read.malformed })
    }

    fn row(
        &self,
        worker: &mut Worker,
        at: &RowAt<'_>,
        ledger: &Ledger,
        cells: &Cells,
        wrong: &mut Vec<Wrong>,
    ) {
        let mut row = TraceRow::default();
        let (mut seed, mut jitter) = (None, None);
        row.read_with(
            at.text,
            |id| self.gold.by_id(id),
            |key, reader, wrong| {
                match key {
                    "seed" => seed = whole(reader, key, wrong)?,
                    "jitter" => jitter = words(reader, key, wrong)?,
                    _ => return Ok(false),
                }
                Ok(true)
            },
        );
        if !row.wrong.is_empty() {
            wrong.append(&mut row.wrong);
            return;
        }
        let case = match self.case(&row, worker) {
            Ok(case) => case,
            Err(unknown) => return wrong.push(unknown),
        };
        let Worker { scratch, draft, .. } = worker;
        let seen = look(&self.gold.cases[case as usize], &row.trace, self.refusal, scratch);
        draft.write(&scratch.claim, &row.trace, seen);
        let cell = cells.number(seed.unwrap_or(0), jitter.as_deref().unwrap_or("none"));
        ledger.record(case, cell, at.position, draft);
    }

    fn case(&self, row: &TraceRow<'_>, worker: &mut Worker) -> Result<u32, Wrong> {
        let unknown = |path: &str, message: String, expected: String| {
            Wrong::new(&problem::TRACE_UNKNOWN_CASE, 0..1, path, message, expected)
        };
        let quoted = |text: &str| format!("\"{}\"", text::visible(&text::shorten(text, 60)));
        match (&row.trace.id, row.trace.question) {
            (Some(id), _) => row.case.ok_or_else(|| {
                worker.unknown += 1;
                let near = self.nearest(id, worker.unknown);
                let expected = match near.as_slice() {
                    [] => "expected a qid of gold".to_owned(),
                    near => {
                        let near: Vec<String> = near.iter().map(|id| quoted(id)).collect();
                        format!("expected a qid of gold; did you mean {}?", near.join(" or "))
                    }
                };
                unknown("qid", format!("gold has no case {}", quoted(id)), expected)
            }),
            (None, Some(question)) => match self.gold.by_question(&question.decode()) {
                ByQuestion::Case(case) => Ok(case),
                ByQuestion::Unknown => {
                    let expected = "expected a `qid`: a jittered question is not gold's to the letter";
                    let message = format!("no gold row asks {}", quoted(&question.decode()));
                    Err(unknown("q", message, expected.into()))
                }
                ByQuestion::Ambiguous(first) => {
                    let line = self.gold.cases[first as usize].line;
                    let message = format!("several gold rows ask this question (the first on line {line})");
                    let kind = &problem::GOLD_AMBIGUOUS_QUESTION;
                    Err(Wrong::new(kind, 0..1, "q", message, "expected a `qid`"))
                }
            },
            (None, None) => Err(Wrong::new(
                &problem::TRACE_NO_CASE,
                0..1,
                "",
                "this run names no case",
                "expected a `qid`",
            )),
        }
    }

    /// The ids of gold that are most alike, for the first few that it does not know.
    fn nearest(&self, id: &str, times: u64) -> Vec<&str> {
        const CASES: usize = 10_000;
        if times > Failure::SHOWN as u64 || self.gold.cases.len() > CASES {
            return Vec::new();
        }
        text::nearest(id, self.gold.cases.iter().map(|case| case.id()))
    }
}

/// A seed; null is absent.
fn whole(reader: &mut Reader<'_>, key: &str, wrong: &mut Vec<Wrong>) -> Result<Option<i128>, Syntax> {
    const EXPECTED: &str = "a whole number";
    let kind = &problem::TRACE_WRONG_TYPE;
    match reader.peek()? {
        Kind::Null => reader.skip().map(|()| None),
        Kind::Number => {
            let start = reader.offset();
            let number = reader.number()?;
            let seed = number.parse().ok();
            if seed.is_none() {
                let message = format!("`{key}` is {}", text::shorten(number, 40));
                let span = start..start + number.len();
                wrong.push(Wrong::new(kind, span, key, message, format!("expected {EXPECTED}")));
            }
            Ok(seed)
        }
        _ => refuse(reader, key, EXPECTED, kind, wrong).map(|()| None),
    }
}

/// A jitter; null is absent.
fn words<'a>(
    reader: &mut Reader<'a>,
    key: &str,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<Cow<'a, str>>, Syntax> {
    match reader.peek()? {
        Kind::Null => reader.skip().map(|()| None),
        Kind::String => Ok(Some(reader.string()?.decode())),
        _ => refuse(reader, key, "a string", &problem::TRACE_WRONG_TYPE, wrong).map(|()| None),
    }
}
