//! The ledger: which trace counts for which case.
//!
//! There is one slot per gold case. The last trace in input order counts, and "last" means the larger position, so any
//! number of threads can fill slots in any order. An empty slot is a missing case. If every run counts, a slot adds the runs
//! up and keeps the worst.

use std::sync::{Mutex, PoisonError};

use crate::excerpt::{Excerpt, Kept};
use crate::input::scan::Position;
use crate::judge::{Label, Packed, Scu, Verdict};
use crate::suites::answers::labels;
use crate::tally::{Figure, Tally};

/// Which traces of a case count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Runs {
    /// The last trace.
    #[default]
    Last,
    /// Every trace.
    All,
}

/// The result of a case's traces. There is one per case; together with its lock it fills one cache line.
#[derive(Debug)]
pub struct Entry {
    /// The place of the trace that represents the case: its source, and the first byte of its line.
    pub source: u32,
    offset: u64,
    /// The number of traces of the case, saturating at `u32::MAX`.
    pub runs: u32,
    /// The packed verdict of the case.
    pub packed: Packed,
    rest: Option<Box<Rest>>,
}

/// The parts of an entry that are rarely needed.
#[derive(Debug, Default)]
struct Rest {
    /// The words of the trace, kept only if its line cannot be read again.
    evidence: Option<Kept>,
    /// The sum of all runs, if every run counts.
    tally: Option<Tally>,
}

impl Entry {
    /// The result of one trace.
    #[must_use]
    pub fn new(position: Position, verdict: Packed) -> Self {
        let Position { source, offset } = position;
        Entry { source, offset, runs: 1, packed: verdict, rest: None }
    }

    /// The result of one trace, with its words and the sum of its runs if they are needed.
    #[inline]
    #[must_use]
    pub fn with(mut self, evidence: Option<Kept>, tally: Option<Tally>) -> Self {
        if evidence.is_some() || tally.is_some() {
            self.rest = Some(Box::new(Rest { evidence, tally }));
        }
        self
    }

    /// The verdict of the case.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.packed.verdict()
    }

    /// The place of the trace that represents the case.
    #[inline]
    #[must_use]
    pub fn position(&self) -> Position {
        Position { source: self.source, offset: self.offset }
    }

    /// The words of the trace, if its line cannot be read again.
    #[must_use]
    pub fn evidence(&self) -> Option<Excerpt> {
        self.rest.as_deref()?.evidence.as_ref().map(Kept::evidence)
    }

    /// The sum of all runs, if every run counts.
    #[must_use]
    pub fn tally(&self) -> Option<&Tally> {
        self.rest.as_deref()?.tally.as_ref()
    }

    /// Merges the result of other traces of the same case.
    pub fn merge(&mut self, mut other: Entry, scu: Scu) {
        let runs = self.runs.saturating_add(other.runs);
        let (here, there) = (self.position(), other.position());
        let tally = self.rest.as_deref_mut().and_then(|rest| rest.tally.as_mut());
        let takes_over = match (tally, other.tally()) {
            (Some(mine), Some(theirs)) => {
                mine.merge(theirs);
                let label = |packed: &Packed| labels::label(&packed.verdict(), scu);
                let (new, old) = (label(&other.packed), label(&self.packed));
                worse(new, there, old, here)
            }
            _ => there > here,
        };
        if takes_over {
            if let Some(mine) = self.rest.as_deref_mut().and_then(|rest| rest.tally.take()) {
                other.rest.get_or_insert_default().tally = Some(mine);
            }
            *self = other;
        }
        self.runs = runs;
    }
}

/// One slot per case.
#[derive(Debug)]
pub struct Ledger {
    slots: Vec<Slot>,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Slot(Mutex<Option<Entry>>);

impl Ledger {
    /// Empty slots for `n` cases.
    #[must_use]
    pub fn new(cases: usize) -> Self {
        Ledger { slots: (0..cases).map(|_| Slot::default()).collect() }
    }

    /// Touches the slot of a case, so that entering a trace does not wait for memory.
    #[inline]
    pub(crate) fn touch(&self, case: u32) -> bool {
        self.slots[case as usize].0.is_poisoned()
    }

    /// Contribution a trace. `evidence` is called only if the entry is kept.
    pub fn record(
        &self,
        case: u32,
        position: Position,
        verdict: Verdict,
        counting: Option<(&[Figure<Verdict>], Scu)>,
        evidence: impl FnOnce() -> Option<Kept>,
    ) {
        let mut slot = self.slots[case as usize].0.lock().unwrap_or_else(PoisonError::into_inner);
        match (&mut *slot, counting) {
            (Some(entry), None) if entry.position() > position => {
                entry.runs = entry.runs.saturating_add(1);
            }
            (Some(entry), None) => {
                let runs = entry.runs.saturating_add(1);
                *entry = Entry { runs, ..Entry::new(position, verdict.into()) }.with(evidence(), None);
            }
            (None, None) => *slot = Some(Entry::new(position, verdict.into()).with(evidence(), None)),
            (slot, Some((figures, scu))) => {
                let mut tally = Tally::new(figures);
                tally.add(&verdict, figures);
                let entry = Entry::new(position, verdict.into()).with(evidence(), Some(tally));
                match slot {
                    None => *slot = Some(entry),
                    Some(old) => old.merge(entry, scu),
                }
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

/// Whether one run is worse than another; of equally bad runs the later one counts.
fn worse(new: Label, new_at: Position, old: Label, old_at: Position) -> bool {
    (new, std::cmp::Reverse(new_at)) < (old, std::cmp::Reverse(old_at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_small() {
        assert_eq!((size_of::<Slot>(), size_of::<Option<Entry>>()), (64, 56));
    }
}
