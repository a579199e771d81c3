//! READ: is the gold set sound, and which case does an id or a question name?
//!
//! Gold is loaded whole: memory follows it. All of its problems are reported at once, with their places.

mod load;
mod needle;
mod pieces;

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::hint::black_box;
use std::sync::Arc;

use foldhash::quality::FixedState;

use crate::input::Source;
use crate::input::source::Fingerprint;
use crate::model::Case;
use crate::problem::{Failure, Problem};
use crate::report::Input;

pub use karat_input::questions;
pub(crate) use karat_input::table::distinct;
pub(crate) use needle::runs_of;

/// A loaded gold set.
#[derive(Debug)]
pub struct Gold {
    /// The cases, in the file's order.
    pub cases: Vec<Case>,
    /// Every row is of the array contract (`gold_ids`, `gold_claim`).
    pub array_contract: bool,
    /// The fields that are sliced by.
    pub slice_fields: Vec<String>,
    /// Warnings: the first ones, and how many there are.
    pub warnings: Vec<Problem>,
    /// How many warnings there are in all.
    pub warnings_total: u64,
    /// The file as it was named.
    pub name: Arc<str>,
    /// The fingerprint of the stored file.
    pub fingerprint: Fingerprint,
    names: Names,
}

/// Which case do an id and a question name?
#[derive(Debug, Default)]
struct Names {
    ids: Index,
    questions: Index,
    /// Of the cases that ask the same, the first.
    shared: BTreeSet<u32>,
}

/// How a question's text finds its case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByQuestion {
    /// No case asks this.
    Unknown,
    /// This one does.
    Case(u32),
    /// Several do.
    Ambiguous(u32),
}

impl Gold {
    /// Reads a gold set: JSON lines or one JSON array, rows of either contract. `slices` are the fields whose values
    /// are to be kept. The result does not depend on `threads`.
    pub fn load(source: &Source, slices: &[String], threads: usize) -> Result<Gold, Failure> {
        load::load(source, slices, threads)
    }

    /// The file as a report lists it.
    pub(crate) fn input(&self) -> Input {
        Input::new("gold", &self.name, self.cases.len() as u64, self.fingerprint.clone())
    }

    /// The case with this id.
    #[inline]
    #[must_use]
    pub fn by_id(&self, id: &str) -> Option<u32> {
        self.names.ids.find(id, |case| self.cases[case as usize].id())
    }

    /// The cases of several ids at once. Each look-up waits for memory a few times; done in steps over all of them,
    /// they wait together. On return the cases' own memory is at hand too, and whatever else of a case `touch` reads.
    pub(crate) fn by_ids(
        &self,
        ids: &[Option<&str>],
        found: &mut Vec<Option<u32>>,
        touch: impl Fn(u32) -> bool,
    ) {
        found.clear();
        found.extend(ids.iter().map(|id| id.map(|id| Hash::of(id).0)));
        self.names.ids.fetch(found.iter().flatten().map(|&hash| Hash(hash)));
        for found in found.iter_mut() {
            *found = found.and_then(|hash| self.names.ids.guess(Hash(hash)));
        }
        // As few instructions as can be between one place and the next: only what the processor has begun is waited for
        // together.
        let cases = || found.iter().flatten().map(|&number| (number, &self.cases[number as usize]));
        black_box(cases().fold(false, |all, (number, case)| all ^ case.answerable ^ touch(number)));
        black_box(cases().fold(0, |all, (_, case)| all ^ case.touch()));
        for (id, found) in ids.iter().zip(found) {
            if let (Some(id), Some(case)) = (id, &found)
                && self.cases[*case as usize].id() != *id
            {
                *found = self.by_id(id);
            }
        }
    }

    /// The case that asks this question.
    #[must_use]
    pub fn by_question(&self, question: &str) -> ByQuestion {
        match self.names.questions.find(question, |case| self.cases[case as usize].question()) {
            None => ByQuestion::Unknown,
            Some(case) if self.names.shared.contains(&case) => ByQuestion::Ambiguous(case),
            Some(case) => ByQuestion::Case(case),
        }
    }
}

/// Texts to case numbers. The hash is fixed and never iterated, so nothing of it reaches an output.
///
/// A table of our own, because of what is waited for: in this one a look-up and an entry need one place in memory, in
/// hashbrown's two, and with many cases neither is at hand. Slots are tried one behind the other.
#[derive(Debug, Default)]
struct Index {
    /// Empty, or a power of two of which an eighth is free at least.
    slots: Vec<Slot>,
    cases: usize,
}

/// A text's hash, so that neither a look-up nor growth needs the text, and its case; no case in a free slot.
#[derive(Clone, Copy, Debug)]
struct Slot(Hash, u32);

impl Slot {
    const FREE: Slot = Slot(Hash(0), u32::MAX);
}

/// Half of the hash of a text will do: the few that share one are distinguished by their texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hash(u32);

impl Hash {
    #[inline]
    fn of(text: &str) -> Self {
        const STATE: FixedState = FixedState::with_seed(0x6b61_7261_7400);
        Hash(STATE.hash_one(text) as u32)
    }
}

impl Index {
    /// Room for so many more cases.
    fn reserve(&mut self, cases: usize) {
        let slots = (self.cases + cases) / 7 * 8 + 8;
        if slots > self.slots.len() {
            let slots = vec![Slot::FREE; slots.next_power_of_two()];
            for slot in std::mem::replace(&mut self.slots, slots) {
                if slot.1 != Slot::FREE.1
                    && let Err(free) = self.look(slot.0, |_| false)
                {
                    self.slots[free] = slot;
                }
            }
        }
    }

    /// The case of this hash that is the one, or the free slot where it would be.
    #[inline]
    fn look(&self, hash: Hash, is: impl Fn(u32) -> bool) -> Result<u32, usize> {
        let last = self.slots.len().wrapping_sub(1);
        let mut at = hash.0 as usize & last;
        while let Some(&Slot(known, case)) = self.slots.get(at) {
            if case == Slot::FREE.1 {
                break;
            }
            if known == hash && is(case) {
                return Ok(case);
            }
            at = (at + 1) & last;
        }
        Err(at)
    }

    /// Waits for the memory of several look-ups at once: nothing here depends on what is found.
    #[inline]
    fn fetch(&self, hashes: impl Iterator<Item = Hash>) {
        let last = self.slots.len().wrapping_sub(1);
        let slots = hashes.map(|hash| self.slots.get(hash.0 as usize & last).map_or(0, |slot| slot.1));
        black_box(slots.fold(0, u32::wrapping_add));
    }

    #[inline]
    fn find<'a>(&self, text: &str, of: impl Fn(u32) -> &'a str) -> Option<u32> {
        self.look(Hash::of(text), |case| of(case) == text).ok()
    }

    /// The case whose text has this hash, most probably.
    #[inline]
    fn guess(&self, hash: Hash) -> Option<u32> {
        self.look(hash, |_| true).ok()
    }

    /// Contribution `case` under the hash of its text, unless another one has the same text: then that one comes back.
    #[inline]
    fn insert(&mut self, hash: Hash, case: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        if self.cases >= self.slots.len() / 8 * 7 {
            self.reserve(self.cases + 1);
        }
        match self.look(hash, same) {
            Ok(other) => Some(other),
            Err(free) => {
                self.slots[free] = Slot(hash, case);
                self.cases += 1;
                None
            }
        }
    }

    /// Contribution cases, numbered from `first`, by their hashes; `None` if two have the same text. As with look-ups, the memory
    /// of several is waited for together.
    fn insert_all<'a>(
        &mut self,
        cases: &[(Hash, u32)],
        first: u32,
        of: impl Fn(u32) -> &'a str,
    ) -> Option<()> {
        for cases in cases.chunks(16) {
            self.fetch(cases.iter().map(|(hash, _)| *hash));
            for &(hash, case) in cases {
                let case = first + case;
                if self.insert(hash, case, |other| of(other) == of(case)).is_some() {
                    return None;
                }
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_finds_what_was_entered_and_nothing_else() {
        let texts: Vec<String> = (0..3000).map(|i| format!("Q{}", i % 2500)).collect();
        let text = |case: u32| texts[case as usize].as_str();
        // Once as it is, and once with hashes of which whole crowds are the same.
        for crowd in [u32::MAX, 15] {
            let mut index = Index::default();
            assert_eq!(index.find("Q0", text), None);
            for (case, name) in (0..).zip(&texts) {
                let first = (case >= 2500).then(|| case - 2500);
                let hash = Hash(Hash::of(name).0 & crowd);
                assert_eq!(index.insert(hash, case, |other| text(other) == name), first);
            }
            assert_eq!(index.cases, 2500);
            for (case, name) in (0..2500).zip(&texts) {
                let hash = Hash(Hash::of(name).0 & crowd);
                assert_eq!(index.look(hash, |other| text(other) == name), Ok(case));
            }
            assert!(index.look(Hash(7), |_| false).is_err());
        }
    }
}
