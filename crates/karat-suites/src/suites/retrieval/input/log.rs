//! READ and JOIN: how does every run of a log find its question and get judged, in parallel?
//!
//! A run is keyed by question, paraphrase and seed, and the last one in the input counts. "Last" is the larger position,
//! so that it does not matter who comes first. A run leaves nothing but its verdict, its λ and the place it arrives at.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

use foldhash::quality::FixedState;

use super::gold::Gold;
use super::trace::{self, Repeats};
use crate::input::Source;
use crate::input::lines::RowAt;
use crate::input::scan::Position;
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::rows::Wrong;
use crate::suites::common::Common;
use crate::suites::retrieval::judge::lambda::State;
use crate::suites::retrieval::judge::{Rules, Verdict, judge};
use crate::suites::retrieval::model::{Blocks, Question, Trace};
use crate::text;

/// Which run of a question it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub(crate) seed: i64,
    pub(crate) paraphrase: Paraphrase,
}

/// Which wording was asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Paraphrase {
    /// One of gold's.
    Listed(u64),
    /// A further one, by the number that the log gives it.
    Further(u64),
    /// A further one, by its text, if there is one.
    Asked(Option<Box<str>>),
}

impl Key {
    /// The run as a person names it.
    pub(crate) fn named(&self) -> String {
        let wording = match &self.paraphrase {
            Paraphrase::Listed(number) | Paraphrase::Further(number) => format!("paraphrase {number}"),
            Paraphrase::Asked(_) => "a wording that gold does not list".into(),
        };
        format!("{wording}, seed {}", self.seed)
    }
}

impl Paraphrase {
    fn of(trace: &Trace<'_>, question: &Question) -> Self {
        let listed = question.paraphrases.len() as u64;
        let same = |query: &str| question.paraphrases.iter().position(|wording| **wording == *query);
        match (trace.paraphrase, trace.query.as_deref()) {
            (Some(number), _) if number < listed => Paraphrase::Listed(number),
            (Some(number), _) => Paraphrase::Further(number),
            (None, query) => match query.and_then(same) {
                Some(number) => Paraphrase::Listed(number as u64),
                None => Paraphrase::Asked(query.map(Into::into)),
            },
        }
    }
}

/// What a run came to.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) position: Position,
    block: u32,
    /// Its line: in its block while the log is read, in its file then.
    pub(crate) line: u64,
    pub(crate) verdict: Verdict,
    /// What the log says of λ.
    pub(crate) lambda: Option<State>,
    /// The place of its first right citation.
    pub(crate) arrives: Option<Box<str>>,
    /// Its words, kept only where the line cannot be read again.
    pub(crate) words: Option<Box<Words>>,
}

/// What a run asked, got and cited, for people to look at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    pub(crate) query: Option<String>,
    pub(crate) retrieved: Vec<String>,
    pub(crate) cited: Vec<String>,
}

impl Words {
    fn of(trace: &Trace<'_>) -> Self {
        const IDS: usize = 20;
        let short = |text: &str| text::shorten(text, 200).into_owned();
        Words {
            query: trace.query.as_deref().map(short),
            retrieved: trace.retrieved.iter().take(IDS).map(|item| short(&item.id)).collect(),
            cited: trace.cited.iter().take(IDS).map(|one| short(one.id.as_deref().unwrap_or("?"))).collect(),
        }
    }

    /// Reads a run's line again; `None` where it is no longer there, or another one.
    pub(crate) fn again(source: &Source, position: Position, question: &str) -> Option<Self> {
        let line = source.text_at(position.offset)?;
        let mut wrong = Vec::new();
        let trace = trace::read(&line, Repeats::Drop, &mut wrong);
        (wrong.is_empty() && trace.id.as_deref() == Some(question)).then(|| Words::of(&trace))
    }
}

/// A log that was read: one side of a comparison.
#[derive(Debug, Default)]
pub(crate) struct Log {
    /// The runs of each question, by seed and paraphrase.
    pub(crate) runs: Vec<Vec<(Key, Run)>>,
    pub(crate) inputs: Vec<Input>,
    pub(crate) unmatched: u64,
    pub(crate) malformed: u64,
    pub(crate) duplicate_ids: u64,
    pub(crate) index_hash: Option<String>,
    pub(crate) unknown: Unknown,
}

/// Ids whose section is not known, of questions that have an anchor.
#[derive(Debug, Default)]
pub(crate) struct Unknown {
    /// The first ones in alphabetical order.
    pub(crate) ids: BTreeSet<Box<str>>,
    /// How often such an id was returned or cited.
    pub(crate) total: u64,
}

impl Unknown {
    const SHOWN: usize = 20;

    fn note(&mut self, id: &str) {
        self.total += 1;
        self.keep(id);
    }

    fn keep(&mut self, id: &str) {
        let full = self.ids.len() == Self::SHOWN;
        if self.ids.contains(id) || full && self.ids.last().is_some_and(|last| id > &**last) {
            return;
        }
        self.ids.insert(id.into());
        if full {
            self.ids.pop_last();
        }
    }

    fn merge(&mut self, other: &Unknown) {
        self.total += other.total;
        other.ids.iter().for_each(|id| self.keep(id));
    }
}

/// How a log is read.
pub(crate) struct Reading<'a> {
    pub(crate) gold: &'a Gold,
    pub(crate) blocks: &'a Blocks,
    pub(crate) rules: Rules,
    pub(crate) common: &'a Common<'a>,
}

type Slot = Mutex<HashMap<Key, Run, FixedState>>;

#[derive(Default)]
struct Worker {
    unmatched: u64,
    duplicate_ids: u64,
    unknown: Unknown,
    /// The first index that was named, and the first other one.
    indexes: Vec<Index>,
}

/// An index that a trace names, and the problem that it would be.
struct Index {
    hash: String,
    position: Position,
    place: (u32, u64),
    problem: Problem,
}

impl Reading<'_> {
    /// Reads every source to its end.
    pub(crate) fn read(&self, sources: &[Source]) -> Result<Log, Failure> {
        let slots: Vec<Slot> = self.gold.questions.iter().map(|_| Slot::default()).collect();
        let read = self.common.rows(sources).read(Worker::default, |worker, row, wrong| {
            self.run(worker, row, wrong, &slots, sources);
        })?;
        let mut log = Log {
            malformed: read.malformed,
            inputs: Input::list("trace", sources, &read.map),
            ..Log::default()
        };
        for slot in slots {
            let runs = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
            let mut runs: Vec<(Key, Run)> = runs.into_iter().collect();
            runs.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
            runs.iter_mut().for_each(|(_, run)| run.line = read.line((run.block, run.line)));
            log.runs.push(runs);
        }
        let mut indexes = Vec::new();
        for worker in &read.states {
            log.unmatched += worker.unmatched;
            log.duplicate_ids += worker.duplicate_ids;
            log.unknown.merge(&worker.unknown);
            indexes.extend(worker.indexes.iter().map(|index| (index, read.line(index.place))));
        }
        log.index_hash = one_index(indexes)?;
        Ok(log)
    }

    fn run(
        &self,
        worker: &mut Worker,
        row: &RowAt<'_>,
        wrong: &mut Vec<Wrong>,
        slots: &[Slot],
        sources: &[Source],
    ) {
        let repeats = if self.common.lenient { Repeats::Drop } else { Repeats::Refuse };
        let trace = trace::read(row.text, repeats, wrong);
        if !wrong.is_empty() {
            return;
        }
        worker.index(&trace, row, sources);
        let Some(number) = trace.id.as_deref().and_then(|id| self.gold.by_id(id)) else {
            worker.unmatched += 1;
            return;
        };
        worker.duplicate_ids += trace.repeated;
        let question = &self.gold.questions[number as usize];
        if question.anchor.is_some() {
            let cited = trace.cited.iter().filter_map(|one| one.id.as_deref());
            let ids = trace.retrieved.iter().map(|item| &*item.id).chain(cited);
            ids.filter(|id| self.blocks.section_of(id).is_none()).for_each(|id| worker.unknown.note(id));
        }
        let (verdict, arrives) = judge(question, self.blocks, &trace, &self.rules);
        let run = Run {
            position: row.position,
            block: row.place.0,
            line: row.place.1,
            verdict,
            lambda: trace.lambda,
            arrives,
            words: (!row.replayable).then(|| Box::new(Words::of(&trace))),
        };
        let key = Key { seed: trace.seed, paraphrase: Paraphrase::of(&trace, question) };
        let mut slot = slots[number as usize].lock().unwrap_or_else(PoisonError::into_inner);
        if slot.get(&key).is_none_or(|known| known.position <= run.position) {
            slot.insert(key, run);
        }
    }
}

impl Worker {
    fn index(&mut self, trace: &Trace<'_>, row: &RowAt<'_>, sources: &[Source]) {
        let Some(hash) = trace.index_hash.as_deref() else { return };
        if self.indexes.len() == 2 || self.indexes.iter().any(|known| known.hash == hash) {
            return;
        }
        let Some(source) = sources.get(row.position.source as usize) else { return };
        let at = row.text.find("\"index_hash\"").unwrap_or(0);
        let span = at..at + "\"index_hash\"".len();
        let (kind, expected) = (&problem::TRACE_INDEX_HASH, "expected one index on one side");
        let problem = Problem::at(kind, source.name(), row.place.1, row.text, span, String::new(), expected);
        let problem = problem.on("index_hash");
        self.indexes.push(Index { hash: hash.to_owned(), position: row.position, place: row.place, problem });
    }
}

/// The one index of a log; a problem where it names two.
fn one_index(mut indexes: Vec<(&Index, u64)>) -> Result<Option<String>, Failure> {
    indexes.sort_unstable_by_key(|(index, _)| index.position);
    let Some((first, line)) = indexes.first() else { return Ok(None) };
    let Some((other, at)) = indexes.iter().find(|(index, _)| index.hash != first.hash) else {
        return Ok(Some(first.hash.clone()));
    };
    let mut problem = Problem { line: *at, ..other.problem.clone() };
    problem.message = format!(
        "this trace is of the index \"{}\", that at {}:{line} is of \"{}\"",
        text::visible(&other.hash),
        text::visible(&first.problem.source),
        text::visible(&first.hash),
    );
    Err(problem.into())
}
