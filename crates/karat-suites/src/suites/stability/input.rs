//! One question asked again and again: traces of `answers`, each with the seed, the jitter and the wording of its run.
//!
//! The answer itself is read as `answers` reads it, in either dialect. Source: WFGY Problem Map: semantic stability.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::grid::{Axes, Cells, Grid};
use super::judge::{Scratch, judge};
use super::runs::{Draft, Ledger, Runs};
use crate::dialects::{Dialect, Field, Shape, TRACE_ENVELOPE};
use crate::gold::{ByQuestion, Gold};
use crate::input::Source;
use crate::input::json::{Reader, canonical};
use crate::input::lines::RowAt;
use crate::judge::Refusal;
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::rows::{TraceRow, Wrong, integer, object_text, string};
use crate::suites::answers::input::answer_json;
use crate::suites::common::Common;
use crate::text;
use crate::traces::{Batches, Own};

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "repeated",
    summary: "A trace of `answers`, in either of its dialects, with the `seed`, the `jitter` and the `paraphrase` of its run; gold is that of `answers`.",
    source: "WFGY Problem Map: semantic stability",
    trace: &[
        TRACE_ENVELOPE[0],
        TRACE_ENVELOPE[1],
        Field::new("seed", Shape::Whole, "The seed of the run; 0 if absent."),
        Field::new("jitter", Shape::Text, "How the question was reworded; `none` where absent."),
        Field::new(
            "paraphrase",
            Shape::Whole,
            "Which of gold's `paraphrases` was asked, counted from 0; if absent, the question itself.",
        ),
        Field::new(
            "knobs",
            Shape::Record(&[]),
            "The settings of the pipeline; all runs of a log must have the same.",
        ),
        answer_json::DIALECT.trace[2],
        answer_json::DIALECT.trace[3],
        TRACE_ENVELOPE[2],
        TRACE_ENVELOPE[3],
        TRACE_ENVELOPE[4],
        TRACE_ENVELOPE[5],
    ],
    base: crate::suites::answers::input::ALL,
    ..Dialect::PLAIN
};

/// A log that was read.
pub(super) struct Log {
    /// The runs of each case, in gold's order.
    pub(super) runs: Vec<Runs>,
    pub(super) axes: Axes,
    pub(super) inputs: Vec<Input>,
    pub(super) malformed: u64,
}

/// How many settings are distinguished: more than are shown.
const SETTINGS: usize = 3;

/// How a log is read.
pub(super) struct Reading<'a> {
    pub(super) gold: &'a Gold,
    pub(super) refusal: &'a Refusal,
    pub(super) grid: &'a Grid,
    pub(super) common: &'a Common<'a>,
}

#[derive(Default)]
struct Worker {
    batches: Batches,
    scratch: Scratch,
    draft: Draft,
    /// Runs of cases that gold does not know.
    unknown: u64,
    /// The knobs that a run had lately, as they were spelt.
    spelt: Option<Box<str>>,
    /// The first few of the knobs that runs have, in canonical form.
    settings: BTreeSet<String>,
}

impl Worker {
    /// Takes down the knobs of a run.
    fn set(&mut self, knobs: Option<&str>) {
        let knobs = knobs.unwrap_or("{}");
        if self.spelt.as_deref() == Some(knobs) {
            return;
        }
        self.spelt = Some(knobs.into());
        // It was read already, so it is JSON; whatever it is, it is its own name.
        self.settings.insert(canonical(knobs).unwrap_or_else(|_| knobs.to_owned()));
        if self.settings.len() > SETTINGS {
            self.settings.pop_last();
        }
    }
}

/// The fields that only this suite reads.
#[derive(Default)]
struct RunFields<'a> {
    seed: Option<i128>,
    jitter: Option<Cow<'a, str>>,
    paraphrase: Option<u64>,
    knobs: Option<&'a str>,
}

impl<'a> RunFields<'a> {
    fn take(&mut self, key: &str, reader: &mut Reader<'a>, wrong: &mut Vec<Wrong>) -> Own {
        let kind = &problem::TRACE_WRONG_TYPE;
        match key {
            "seed" => self.seed = integer(reader, key, "a whole number", kind, wrong)?,
            "jitter" => self.jitter = string(reader, key, kind, wrong)?.map(|jitter| jitter.decode()),
            "paraphrase" => self.paraphrase = integer(reader, key, "a whole number from 0", kind, wrong)?,
            "knobs" => self.knobs = object_text(reader, key, kind, wrong)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl Reading<'_> {
    /// Reads every run.
    pub(super) fn read(&self, sources: &[Source]) -> Result<Log, Failure> {
        let (ledger, cells) = (Ledger::new(self.gold.cases.len()), Cells::default());
        let read = self.common.rows(sources).read_blocks(Worker::default, |worker: &mut Worker, block| {
            let mut batches = std::mem::take(&mut worker.batches);
            batches.read(
                block,
                self.gold,
                |_| false,
                RunFields::take,
                |block, at, row, run| {
                    if !row.wrong.is_empty() {
                        return block.refuse(at, &mut row.wrong);
                    }
                    match self.case(row, worker) {
                        Ok(case) => self.enter(worker, case, at, row, &run, &ledger, &cells),
                        Err(unknown) => block.refuse(at, &mut vec![unknown]),
                    }
                },
            );
            worker.batches = batches;
        })?;
        one_setting(read.states.iter().flat_map(|worker| &worker.settings))?;
        let inputs = Input::list("trace", sources, &read.map);
        let axes = cells.into_axes(self.grid, self.gold.cases.iter().map(|case| case.paraphrases));
        Ok(Log { runs: ledger.into_runs(), axes, inputs, malformed: read.malformed })
    }

    #[allow(clippy::too_many_arguments)]
    fn enter(
        &self,
        worker: &mut Worker,
        case: u32,
        at: &RowAt<'_>,
        row: &TraceRow<'_>,
        run: &RunFields<'_>,
        ledger: &Ledger,
        cells: &Cells,
    ) {
        worker.set(run.knobs);
        let Worker { scratch, draft, .. } = worker;
        let facts = judge(&self.gold.cases[case as usize], &row.trace, self.refusal, scratch);
        draft.write(&scratch.claim, &row.trace, facts);
        let jitter = run.jitter.as_deref().unwrap_or("none");
        let cell = cells.number((run.seed.unwrap_or(0), jitter, run.paraphrase));
        ledger.record(case, cell, at.position, draft);
    }

    fn case(&self, row: &TraceRow<'_>, worker: &mut Worker) -> Result<u32, Wrong> {
        let unknown = |path: &str, message: String, expected: String| {
            Wrong::new(&problem::TRACE_UNKNOWN_CASE, 0..1, path, message, expected)
        };
        match (&row.trace.id, row.trace.question) {
            (Some(id), _) => row.case.ok_or_else(|| {
                worker.unknown += 1;
                let expected = text::suggest("expected a qid of gold", &self.nearest(id, worker.unknown));
                unknown("qid", format!("gold has no case {}", text::quoted(id)), expected)
            }),
            (None, Some(question)) => match self.gold.by_question(&question.decode()) {
                ByQuestion::Case(case) => Ok(case),
                ByQuestion::Unknown => {
                    let expected = "expected a `qid`: a jittered question is not gold's to the letter";
                    let message = format!("no gold row asks {}", text::quoted(&question.decode()));
                    Err(unknown("q", message, expected.into()))
                }
                ByQuestion::Ambiguous(first) => {
                    let line = self.gold.cases[first as usize].line;
                    let message = format!("several gold rows ask this question (the first on line {line})");
                    let kind = &problem::GOLD_AMBIGUOUS_QUESTION;
                    Err(Wrong::new(kind, 0..1, "q", message, "expected a `qid`"))
                }
            },
            (None, None) => {
                let message = "this run names no case";
                Err(Wrong::new(&problem::TRACE_NO_CASE, 0..1, "", message, "expected a `qid`"))
            }
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

/// Refuses runs of different settings, which are not repetitions of one another.
fn one_setting<'s>(settings: impl Iterator<Item = &'s String>) -> Result<(), Failure> {
    let settings: BTreeSet<&String> = settings.collect();
    if settings.len() < 2 {
        return Ok(());
    }
    let shown = settings.iter().take(SETTINGS - 1);
    let shown: Vec<String> =
        shown.map(|knobs| text::visible(&text::shorten(knobs, 60)).into_owned()).collect();
    let more = if settings.len() >= SETTINGS { " and others" } else { "" };
    let message = format!("the runs have different `knobs`: {}{more}", shown.join(", "));
    let problem = Problem::of_file(&problem::STABILITY_KNOBS, "--trace", message);
    Err(problem.expecting("expected the runs of one setting").into())
}
