//! JOIN: which trace counts for which case?
//!
//! One slot a gold case. The last trace in input order counts, and "last" is the larger position, so that slots can be
//! filled in any order by any number of threads. An empty slot is a missing case. When every run counts, a slot adds
//! them up and keeps the worst.

use std::sync::{Mutex, PoisonError};

use crate::input::scan::Position;
use crate::judge::outcome;
use crate::judge::{Label, Scu, Verdict};
use crate::tally::{Figure, Tally};

/// Which of a case's traces count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Runs {
    /// The last.
    #[default]
    Last,
    /// Each of them.
    All,
}

/// What a case's traces came to. The position comes first: with the lock it shares a cache line, and most of the time
/// nothing else of an entry is read.
#[derive(Debug)]
#[repr(C)]
pub struct Entry {
    /// Where the trace stands that the case is shown by.
    pub position: Position,
    /// Its verdict.
    pub verdict: Verdict,
    /// How many traces the case has.
    pub runs: u64,
    /// The words of it, kept only where its line cannot be read again.
    pub evidence: Option<Box<Evidence>>,
    /// The sum of all runs, where each counts.
    pub tally: Option<Box<Tally>>,
}

impl Entry {
    /// Adds what other traces of the same case came to.
    pub fn merge(&mut self, other: Entry, scu: Scu) {
        let runs = self.runs.saturating_add(other.runs);
        let takes_over = match (&mut self.tally, &other.tally) {
            (Some(mine), Some(theirs)) => {
                mine.merge(theirs);
                let (new, old) = (outcome::label(&other.verdict, scu), outcome::label(&self.verdict, scu));
                worse(new, other.position, old, self.position)
            }
            _ => other.position > self.position,
        };
        if takes_over {
            let tally = self.tally.take();
            *self = Entry { tally, ..other };
        }
        self.runs = runs;
    }
}

/// What a trace said, for people to look at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The claim.
    pub claim: Option<String>,
    /// The retrieved ids, best first.
    pub retrieved: Vec<String>,
    /// The cited ids.
    pub cited: Vec<String>,
    /// The constraints as the answer repeats them.
    pub echoed: Vec<String>,
    /// Why the pipeline stopped.
    pub reason: Option<String>,
}

/// One slot a case.
#[derive(Debug)]
pub struct Ledger {
    slots: Vec<Slot>,
}

/// A slot begins a cache line, so that two threads at neighbouring cases do not wait for each other.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Slot(Mutex<Option<Entry>>);

impl Ledger {
    /// Empty slots for so many cases.
    #[must_use]
    pub fn new(cases: usize) -> Self {
        Ledger { slots: (0..cases).map(|_| Slot::default()).collect() }
    }

    /// Brings the slots of these cases close, so that entering traces will not wait for memory one by one.
    pub fn warm(&self, cases: &[Option<u32>]) {
        let busy = cases.iter().flatten().filter(|&&case| self.slots[case as usize].0.is_poisoned()).count();
        std::hint::black_box(busy);
    }

    /// Enters a trace. `evidence` is asked for only where the entry is kept.
    pub fn record(
        &self,
        case: u32,
        position: Position,
        verdict: Verdict,
        counting: Option<(&[Figure], Scu)>,
        evidence: impl FnOnce() -> Option<Box<Evidence>>,
    ) {
        let mut slot = self.slots[case as usize].0.lock().unwrap_or_else(PoisonError::into_inner);
        let tally = counting.map(|(figures, _)| {
            let mut tally = Tally::new(figures);
            tally.add(&verdict, figures);
            Box::new(tally)
        });
        let scu = counting.map_or(Scu::Off, |(_, scu)| scu);
        match &mut *slot {
            None => *slot = Some(Entry { position, verdict, evidence: evidence(), runs: 1, tally }),
            Some(entry) if tally.is_none() && entry.position > position => entry.runs += 1,
            Some(entry) => {
                entry.merge(Entry { position, verdict, evidence: evidence(), runs: 1, tally }, scu)
            }
        }
    }

    /// The entries in gold's order.
    #[must_use]
    pub fn into_entries(self) -> Vec<Option<Entry>> {
        self.slots
            .into_iter()
            .map(|slot| slot.0.into_inner().unwrap_or_else(PoisonError::into_inner))
            .collect()
    }
}

/// Whether a run is worse than another; of equally bad ones the later counts.
fn worse(new: Label, new_at: Position, old: Label, old_at: Position) -> bool {
    (new, std::cmp::Reverse(new_at)) < (old, std::cmp::Reverse(old_at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_two_cache_lines() {
        assert!(size_of::<Slot>() <= 128, "{}", size_of::<Slot>());
    }
}
