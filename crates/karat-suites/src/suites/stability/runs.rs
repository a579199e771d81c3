//! JOIN: which runs does a case have, and what did each say?
//!
//! Of a case, seed, jitter and wording the last run counts, and "last" is the larger position, so that it does not matter who comes
//! first. Wordings and citations must be kept until the last line is read. Runs of a case that say the same share one
//! copy, so memory follows gold × runs in a few bytes each, and texts only where runs differ.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Mutex, PoisonError};

use foldhash::quality::FixedState;
use hashbrown::HashTable;

use crate::input::scan::Position;
use crate::model::{Listed, Trace};
use crate::suites::stability::judge::RunFacts;

/// One run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    offset: u64,
    source: u32,
    /// Its seed, jitter and wording, by number.
    pub(super) cell: u32,
    /// What it says, among the case's own.
    pub(super) says: u32,
}

impl Run {
    /// Where its line stands.
    pub(super) fn position(self) -> Position {
        Position { source: self.source, offset: self.offset }
    }
}

/// What runs of a case say: a canonical claim, the cited ids, and what can be seen of them.
#[derive(Debug, Default)]
pub(super) struct Says {
    hash: u64,
    /// How many runs say it.
    pub(super) times: u32,
    pub(super) facts: RunFacts,
    /// The canonical claim, then the cited ids.
    text: Box<str>,
    /// Where each of them ends.
    ends: Box<[u32]>,
}

impl Says {
    /// The canonical claim.
    pub(super) fn claim(&self) -> &str {
        &self.text[..self.ends.first().map_or(0, |&end| end as usize)]
    }

    /// The distinct ids that are cited, sorted.
    pub(super) fn cited(&self) -> impl Iterator<Item = &str> {
        self.ends.windows(2).map(|ends| &self.text[ends[0] as usize..ends[1] as usize])
    }
}

/// What a run is about to say.
#[derive(Debug, Default)]
pub(super) struct Draft {
    text: String,
    ends: Vec<u32>,
    facts: RunFacts,
    hash: u64,
}

impl Draft {
    /// Puts it together from a canonical claim and what the trace cites. What is not an id is not cited.
    pub(super) fn write(&mut self, claim: &str, trace: &Trace<'_>, facts: RunFacts) {
        let lists = trace.citations == Listed::List && !facts.errored && !facts.refused;
        let ids = trace.cited.iter().filter(|id| lists && !id.odd);
        let mut ids: Vec<&str> = ids.map(|id| &*id.text).collect();
        ids.sort_unstable();
        ids.dedup();
        self.text.clear();
        self.ends.clear();
        for part in std::iter::once(claim).chain(ids) {
            self.text.push_str(part);
            self.ends.push(self.text.len() as u32);
        }
        self.facts = facts;
        self.hash = FixedState::with_seed(1).hash_one((self.text.as_str(), self.ends.as_slice()));
    }

    fn is(&self, says: &Says) -> bool {
        says.hash == self.hash
            && says.times > 0
            && says.facts == self.facts
            && *says.text == *self.text
            && *says.ends == *self.ends
    }
}

/// The runs of one case.
#[derive(Debug, Default)]
pub(super) struct Runs {
    /// In no order.
    pub(super) runs: Vec<Run>,
    /// What they say; what nobody says any more is empty.
    pub(super) says: Vec<Says>,
    /// How many lines were replaced by later ones of the same key.
    pub(super) replaced: u64,
    /// Places in `says` that nobody needs.
    free: Vec<u32>,
    /// Where to find things, once there are many.
    index: Option<Box<Index>>,
}

#[derive(Debug, Default)]
struct Index {
    by_cell: HashMap<u32, u32, FixedState>,
    says: HashTable<u32>,
}

/// Up to this many runs, looking through all of them beats an index.
const FEW: usize = 64;

impl Runs {
    /// Enters a run, unless a later one of the same seed and jitter is there.
    fn enter(&mut self, cell: u32, position: Position, draft: &Draft) {
        let Position { source, offset } = position;
        let known = match &self.index {
            Some(index) => index.by_cell.get(&cell).copied(),
            None => self.runs.iter().position(|run| run.cell == cell).map(|at| at as u32),
        };
        self.replaced += u64::from(known.is_some());
        if known.is_some_and(|at| self.runs[at as usize].position() > position) {
            return;
        }
        let says = self.say(draft);
        let run = Run { offset, source, cell, says };
        match known {
            Some(at) => {
                let before = std::mem::replace(&mut self.runs[at as usize], run);
                self.unsay(before.says);
            }
            None => {
                if let Some(index) = &mut self.index {
                    index.by_cell.insert(cell, self.runs.len() as u32);
                }
                self.runs.push(run);
                if self.runs.len() > FEW && self.index.is_none() {
                    self.build();
                }
            }
        }
    }

    fn say(&mut self, draft: &Draft) -> u32 {
        let known = match &self.index {
            Some(index) => index.says.find(draft.hash, |&at| draft.is(&self.says[at as usize])).copied(),
            None => self.says.iter().position(|says| draft.is(says)).map(|at| at as u32),
        };
        if let Some(at) = known {
            self.says[at as usize].times += 1;
            return at;
        }
        let says = Says {
            hash: draft.hash,
            times: 1,
            facts: draft.facts,
            text: draft.text.as_str().into(),
            ends: draft.ends.as_slice().into(),
        };
        let at = match self.free.pop() {
            Some(at) => {
                self.says[at as usize] = says;
                at
            }
            None => {
                self.says.push(says);
                self.says.len() as u32 - 1
            }
        };
        if let Some(index) = &mut self.index {
            index.says.insert_unique(draft.hash, at, |&at| self.says[at as usize].hash);
        }
        at
    }

    /// One run says it no more; what nobody says is forgotten.
    fn unsay(&mut self, at: u32) {
        let says = &mut self.says[at as usize];
        says.times -= 1;
        if says.times > 0 {
            return;
        }
        if let Some(index) = &mut self.index
            && let Ok(entry) = index.says.find_entry(says.hash, |&other| other == at)
        {
            entry.remove();
        }
        *says = Says::default();
        self.free.push(at);
    }

    fn build(&mut self) {
        let mut index = Box::<Index>::default();
        index.by_cell.extend(self.runs.iter().map(|run| run.cell).zip(0..));
        for (says, at) in self.says.iter().zip(0..).filter(|(says, _)| says.times > 0) {
            index.says.insert_unique(says.hash, at, |&at| self.says[at as usize].hash);
        }
        self.index = Some(index);
    }
}

/// The runs of every case, filled by any number of threads.
#[derive(Debug)]
pub(super) struct Ledger(Vec<Mutex<Runs>>);

impl Ledger {
    pub(super) fn new(cases: usize) -> Self {
        Ledger((0..cases).map(|_| Mutex::default()).collect())
    }

    /// Enters a run of a case.
    pub(super) fn record(&self, case: u32, cell: u32, position: Position, draft: &Draft) {
        let mut runs = self.0[case as usize].lock().unwrap_or_else(PoisonError::into_inner);
        runs.enter(cell, position, draft);
    }

    /// The runs of each case, in gold's order.
    pub(super) fn into_runs(self) -> Vec<Runs> {
        self.0.into_iter().map(|slot| slot.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::Id;

    fn draft(claim: &str, cited: &[&'static str]) -> Draft {
        let cited = cited.iter().map(|&id| Id::new(id.into(), id == "{}")).collect();
        let trace = Trace { citations: Listed::List, cited, ..Trace::default() };
        let mut draft = Draft::default();
        draft.write(claim, &trace, RunFacts::default());
        draft
    }

    fn at(offset: u64) -> Position {
        Position { source: 0, offset }
    }

    #[test]
    fn equal_runs_share_a_copy_and_a_replaced_one_leaves_nothing() {
        let mut runs = Runs::default();
        runs.enter(0, at(0), &draft("a", &["p2", "p1", "p2", "{}"]));
        runs.enter(1, at(1), &draft("a", &["p1", "p2"]));
        assert_eq!((runs.runs.len(), runs.says.len(), runs.says[0].times), (2, 1, 2));
        assert_eq!(runs.says[0].cited().collect::<Vec<_>>(), ["p1", "p2"]);
        runs.enter(1, at(2), &draft("b", &[]));
        runs.enter(0, at(3), &draft("c", &[]));
        runs.enter(0, at(1), &draft("too late", &[]));
        let said: Vec<&str> = runs.runs.iter().map(|run| runs.says[run.says as usize].claim()).collect();
        assert_eq!(said, ["c", "b"]);
        assert_eq!(runs.says.iter().filter(|says| says.times == 0).count(), runs.free.len());
        assert!(!draft("ab", &["c"]).is(&runs.says[0]), "where a claim ends and an id begins is part of it");
    }

    proptest! {
        #[test]
        fn the_last_of_each_seed_and_jitter_counts(
            lines in proptest::collection::vec((0u32..150, 0u8..9), 0..400),
            order in proptest::collection::vec(0usize..400, 400),
        ) {
            let (mut runs, mut shuffled) = (Runs::default(), (0..lines.len()).collect::<Vec<_>>());
            shuffled.sort_by_key(|&line| order[line]);
            for line in shuffled {
                let (cell, word) = lines[line];
                runs.enter(cell, at(line as u64), &draft(&word.to_string(), &[]));
            }
            let mut last = std::collections::BTreeMap::new();
            last.extend(lines.iter().map(|&(cell, word)| (cell, word.to_string())));
            let got: std::collections::BTreeMap<u32, String> =
                runs.runs.iter().map(|run| (run.cell, runs.says[run.says as usize].claim().to_owned())).collect();
            prop_assert_eq!(&got, &last);
            prop_assert_eq!(runs.runs.len(), last.len());
            prop_assert_eq!(runs.replaced as usize, lines.len() - last.len());
            let said: u32 = runs.says.iter().map(|says| says.times).sum();
            prop_assert_eq!(said as usize, last.len());
            let distinct: std::collections::BTreeSet<&String> = last.values().collect();
            prop_assert_eq!(runs.says.iter().filter(|says| says.times > 0).count(), distinct.len());
        }
    }
}
