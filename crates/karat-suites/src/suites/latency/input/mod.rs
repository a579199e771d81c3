//! Timed requests: traces of `answers` that also tell how long they took, under which knobs and which load; or rows of a
//! CSV that tell nothing else. They become the points of a curve, in parallel.
//!
//! A trace leaves its time, eight bytes, with the worker that read it, and its verdict in a table by point and case, where
//! the last trace wins by its position. So nothing depends on the number of threads, and memory follows gold × points.
//! Source: WFGY Problem Map: latency vs accuracy.

mod csv;
pub(super) mod row;

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use foldhash::quality::FixedState;

use super::judge::{Times, Timing};
use crate::dialects::{Dialect, Field, Shape};
use crate::excerpt::Kept;
use crate::gold::{ByQuestion, Gold};
use crate::input::Source;
use crate::input::json::{Reader, canonical};
use crate::input::lines::RowAt;
use crate::judge::{Rules, Scratch, Scu, judge};
use crate::ledger::Entry;
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::rows::{TraceRow, Wrong};
use crate::suites::common::Common;
use crate::text;
use crate::traces::{Batches, ambiguous, join};
use row::Timed;

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "timed",
    summary: "A trace of `answers` with the time that it took, its knobs and its load; gold is that of `answers`. Or times alone as CSV (`--latency-csv`), under a header that may come again.",
    source: "WFGY Problem Map: latency vs accuracy",
    trace: &[
        Field::new("qid", Shape::Id, "The case; an error if gold does not have it."),
        Field::new("e2e_ms", Shape::Number, "Milliseconds from question to validated answer, 0 or more."),
        Field::new(
            "stage_ms",
            Shape::Record(STAGES),
            "Milliseconds by stage; their sum replaces an absent `e2e_ms`.",
        ),
        KNOBS,
        LOAD,
    ],
    columns: &[("latency-csv", COLUMNS)],
    base: crate::suites::answers::input::ALL,
    ..Dialect::PLAIN
};

const KNOBS: Field = Field::new(
    "knobs",
    Shape::Record(&[]),
    "The settings that identify a point of the curve, with keys in any order; at most 4,096 bytes.",
);

const LOAD: Field = Field::new("load_rps", Shape::Number, "Requests per second during the run, 0 or more.");

const STAGES: &[Field] = &[
    Field::new("retrieval", Shape::Number, "Finding candidates."),
    Field::new("rerank", Shape::Number, "Sorting them."),
    Field::new("llm", Shape::Number, "Writing the answer."),
    Field::new("guard", Shape::Number, "Checking it."),
];

const COLUMNS: &[Field] = &[
    Field::new("ts", Shape::Any, "When; not used."),
    Field::new("qid", Shape::Id, "The case; checked if there is gold."),
    Field::new("e2e_ms", Shape::Number, "Milliseconds from question to answer."),
    Field::new("retrieval_ms", Shape::Number, "Finding candidates."),
    Field::new("rerank_ms", Shape::Number, "Sorting them."),
    Field::new("llm_ms", Shape::Number, "Writing the answer."),
    Field::new("guard_ms", Shape::Number, "Checking it."),
    Field::new("knobs", Shape::Text, "An object as JSON text, quoted, its quotes doubled."),
    LOAD,
];

/// The most points that a curve may have.
const MOST_POINTS: usize = 1000;

/// Which point a request belongs to: its canonical knobs, and the bits of its load, which sort as the loads do.
pub(crate) type Key = (Box<str>, Option<u64>);

/// One point as it was read.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(super) timing: Timing,
    /// The last trace of each case that has one, in gold's order.
    pub(super) entries: Vec<(u32, Entry)>,
}

/// Everything that the files of one side say.
#[derive(Debug, Default)]
pub(super) struct Log {
    /// By knobs, then load, none first.
    pub(super) points: Vec<(Key, Gathered)>,
    pub(super) malformed: u64,
    pub(super) inputs: Vec<Input>,
    /// Traces have times of their own, and the CSV's were taken.
    pub(super) overruled: bool,
}

/// How files are read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) gold: Option<&'a Gold>,
    pub(super) rules: &'a Rules,
    pub(super) common: &'a Common<'a>,
}

/// What one worker gathers.
#[derive(Default)]
struct Worker {
    batches: Batches,
    scratch: Scratch,
    /// The points of knobs as they were spelt lately.
    spelt: HashMap<Box<str>, Box<str>, FixedState>,
    /// By the number of the point.
    points: Vec<Samples>,
    /// The cases that a row of a CSV times, by point.
    rows: HashSet<(u32, u32), FixedState>,
    timed: u64,
}

/// What is gathered of one point.
#[derive(Default)]
struct Samples {
    /// Times of the whole, then of each stage.
    times: [Vec<f64>; 5],
    /// Requests without a time.
    untimed: u64,
    /// Requests that failed.
    errored: u64,
}

/// Points as they turn up, and what each case's last trace there came to.
struct Table {
    numbers: Mutex<HashMap<Key, u32, FixedState>>,
    shards: Vec<Mutex<Shard>>,
}

/// The last traces of some cases, by point and case.
type Shard = HashMap<(u32, u32), Entry, FixedState>;

/// Enough locks that threads seldom meet.
const SHARDS: usize = 64;
/// How many spellings a worker remembers.
const SPELLINGS: usize = 4096;

impl Table {
    fn new() -> Self {
        Table { numbers: Mutex::default(), shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    /// The number of a point; `None` where there are too many.
    fn number(&self, key: Key) -> Option<u32> {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&number) = numbers.get(&key) {
            return Some(number);
        }
        let number = numbers.len() as u32;
        // Keeps one point past the limit so that an overflow can be detected.
        (numbers.len() <= MOST_POINTS).then(|| {
            numbers.insert(key, number);
            number
        })
    }

    fn record(&self, point: u32, case: u32, entry: Entry) {
        let shard = FixedState::with_seed(0).hash_one((point, case)) as usize % SHARDS;
        let mut entries = self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner);
        match entries.get_mut(&(point, case)) {
            Some(mine) => mine.merge(entry, Scu::Off),
            None => _ = entries.insert((point, case), entry),
        }
    }
}

impl Reading<'_> {
    /// Reads the traces, and the times of a CSV beside or instead of theirs.
    pub(super) fn read(&self, traces: &[Source], rows: &[Source]) -> Result<Log, Failure> {
        let table = Table::new();
        let keep = rows.is_empty();
        let mut read =
            self.common.rows(traces).read_blocks(Worker::default, |worker: &mut Worker, block| {
                let Some(gold) = self.gold else { return block.for_each(drop) };
                let mut batches = std::mem::take(&mut worker.batches);
                let own = |(): &mut (), _: &str, _: &mut Reader<'_>, _: &mut Vec<Wrong>| Ok(false);
                batches.read(
                    block,
                    gold,
                    |_| false,
                    own,
                    |block, at, row, ()| {
                        if let Err(mut wrong) = self.trace(worker, gold, (at, row), &table, keep) {
                            block.refuse(at, &mut wrong);
                        }
                    },
                );
                worker.batches = batches;
            })?;
        let mut workers = std::mem::take(&mut read.states);
        let overruled = !keep && workers.iter().any(|worker| worker.timed > 0);
        let mut log = Log {
            malformed: read.malformed,
            inputs: Input::list("trace", traces, &read.map),
            overruled,
            ..Log::default()
        };
        if !rows.is_empty() {
            let (worker, malformed, inputs) = csv::read(self, rows, &table)?;
            log.malformed += malformed;
            log.inputs.extend(inputs);
            workers.push(worker);
        }
        let due = match self.gold {
            Some(gold) if !keep && traces.is_empty() => Due::All(gold.cases.len()),
            Some(_) if !keep => Due::Traced,
            _ => Due::None,
        };
        log.points = gather(table, workers, due)?;
        Ok(log)
    }

    /// One line of the traces.
    fn trace<'b>(
        &self,
        worker: &mut Worker,
        gold: &Gold,
        (at, row): (&RowAt<'b>, &mut TraceRow<'b>),
        table: &Table,
        keep: bool,
    ) -> Result<(), Vec<Wrong>> {
        let mut wrong = std::mem::take(&mut row.wrong);
        let unreadable =
            |wrong: &Wrong| [&problem::BAD_JSON, &problem::TRACE_NOT_AN_OBJECT].contains(&wrong.kind);
        if wrong.iter().any(unreadable) {
            return Err(wrong);
        }
        let timed = Timed::read(at.text, &mut wrong);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let trace = &row.trace;
        let case = match (join(gold, row), &trace.id) {
            (ByQuestion::Case(case), _) => case,
            (ByQuestion::Unknown, Some(id)) => return Err(vec![unknown(id, "qid", at.text, "id")]),
            (ByQuestion::Unknown, None) => {
                let question = trace.question.map(|question| question.decode()).unwrap_or_default();
                return Err(vec![unknown(&question, "q", at.text, "question")]);
            }
            (ByQuestion::Ambiguous(first), _) => return Err(vec![ambiguous(gold, first)]),
        };
        let verdict = judge(&gold.cases[case as usize], trace, self.rules, &mut worker.scratch);
        let Some(point) = worker.point(&timed, table) else { return Ok(()) };
        let errored = trace.errored();
        let evidence = (!at.replayable).then(|| Kept::of(trace));
        table.record(point, case, Entry::new(at.position, verdict.into()).with(evidence, None));
        if errored {
            worker.samples(point).errored += 1;
        } else if keep {
            worker.samples(point).take(&timed);
        } else {
            worker.timed += u64::from(timed.time().is_some());
        }
        Ok(())
    }
}

impl Worker {
    /// The number of the point that a request belongs to; `None` where there are too many.
    fn point(&mut self, timed: &Timed<'_>, table: &Table) -> Option<u32> {
        let spelt = timed.knobs.unwrap_or("{}");
        let knobs = match self.spelt.get(spelt) {
            Some(known) => known.clone(),
            None => {
                // It was read already, so it is JSON; whatever it is, it is its own name.
                let knobs: Box<str> = canonical(spelt).unwrap_or_else(|_| spelt.to_owned()).into();
                if self.spelt.len() >= SPELLINGS {
                    self.spelt.clear();
                }
                self.spelt.insert(spelt.into(), knobs.clone());
                knobs
            }
        };
        table.number((knobs, timed.load.map(f64::to_bits)))
    }

    fn samples(&mut self, point: u32) -> &mut Samples {
        let point = point as usize;
        if self.points.len() <= point {
            self.points.resize_with(point + 1, Samples::default);
        }
        &mut self.points[point]
    }

    /// Enters one row of a CSV, which may name its case.
    fn enter(&mut self, timed: &Timed<'_>, case: Option<u32>, table: &Table) {
        if let Some(point) = self.point(timed, table) {
            self.samples(point).take(timed);
            self.rows.extend(case.map(|case| (point, case)));
        }
    }
}

impl Samples {
    /// Keeps the times of a request. Its stages are kept only where it is a sample, so that they are of the same ones.
    fn take(&mut self, timed: &Timed<'_>) {
        let Some(whole) = timed.time() else {
            self.untimed += 1;
            return;
        };
        self.times[0].push(whole);
        self.times[1..].iter_mut().zip(timed.stages).for_each(|(times, time)| times.extend(time));
    }

    fn append(&mut self, mut other: Samples) {
        self.untimed += other.untimed;
        self.errored += other.errored;
        self.times.iter_mut().zip(&mut other.times).for_each(|(all, more)| all.append(more));
    }
}

/// Which cases must have a row of a CSV at each point.
#[derive(Clone, Copy)]
enum Due {
    /// None: there is no CSV, or no gold that its rows belong to.
    None,
    /// Those that were asked there.
    Traced,
    /// All of this many: no trace says which were asked.
    All(usize),
}

/// The points in their order, each with all of its times and traces.
fn gather(table: Table, workers: Vec<Worker>, due: Due) -> Result<Vec<(Key, Gathered)>, Failure> {
    let numbers = table.numbers.into_inner().unwrap_or_else(PoisonError::into_inner);
    if numbers.len() > MOST_POINTS {
        let message = "there are more than 1,000 different knobs and loads";
        let problem = Problem::of_file(&problem::LATENCY_POINTS, "--trace", message);
        let expected = "expected a few settings to choose from, each with many requests";
        return Err(problem.expecting(expected).into());
    }
    let mut samples: Vec<Samples> = numbers.iter().map(|_| Samples::default()).collect();
    let mut rows = HashSet::with_hasher(FixedState::with_seed(0));
    for worker in workers {
        rows.extend(worker.rows);
        samples.iter_mut().zip(worker.points).for_each(|(all, mine)| all.append(mine));
    }
    let mut entries: Vec<Vec<(u32, Entry)>> = numbers.iter().map(|_| Vec::new()).collect();
    for shard in table.shards {
        for ((point, case), entry) in shard.into_inner().unwrap_or_else(PoisonError::into_inner) {
            entries[point as usize].push((case, entry));
        }
    }
    let mut points: Vec<(Key, Gathered)> = Vec::new();
    for (key, number) in numbers {
        let Samples { times, untimed, errored } = std::mem::take(&mut samples[number as usize]);
        let [whole, retrieval, rerank, llm, guard] = times.map(Times::new);
        let mut entries = std::mem::take(&mut entries[number as usize]);
        entries.sort_unstable_by_key(|(case, _)| *case);
        let rowless = match due {
            Due::None => 0,
            Due::Traced => entries.iter().filter(|(case, _)| !rows.contains(&(number, *case))).count(),
            Due::All(cases) => cases - rows.iter().filter(|(point, _)| *point == number).count(),
        };
        let (stages, untimed) = ([retrieval, rerank, llm, guard], untimed + rowless as u64);
        let timing = Timing { whole, stages, untimed, errored };
        points.push((key, Gathered { timing, entries }));
    }
    points.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
    Ok(points)
}

/// The problem of a trace whose case gold does not know.
fn unknown(name: &str, path: &str, line: &str, what: &str) -> Wrong {
    let quoted = serde_json::Value::from(name).to_string();
    let at = line.find(&quoted).unwrap_or(0);
    let span = at..at + if at > 0 { quoted.len() } else { 1 };
    let message = format!("gold has no case with the {what} \"{}\"", text::visible(&text::shorten(name, 60)));
    Wrong::new(&problem::TRACE_UNKNOWN_CASE, span, path, message, "expected a case of gold")
}
