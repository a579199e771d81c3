//! READ: is the gold set sound, and which case does an id or a question name?
//!
//! Gold is loaded whole: memory follows it. All of its problems are told at once, with their places.

mod load;
mod needle;
mod pieces;
pub mod questions;
pub(crate) mod table;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::hint::black_box;
use std::sync::Arc;

use foldhash::quality::FixedState;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

use crate::input::Source;
use crate::input::source::Fingerprint;
use crate::model::Case;
use crate::problem::{Failure, Problem};

pub(crate) use load::{distinct, not_utf8, too_long};
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

    /// The case with this id.
    #[inline]
    #[must_use]
    pub fn by_id(&self, id: &str) -> Option<u32> {
        self.names.ids.find(id, |case| self.cases[case as usize].id())
    }

    /// The cases of several ids at once. Each look-up waits for memory a few times; done in steps over all of them,
    /// they wait together. On return the cases' own memory is at hand too.
    pub fn by_ids(&self, ids: &[Option<Cow<'_, str>>], found: &mut Vec<Option<u32>>) {
        found.clear();
        found.extend(ids.iter().map(|id| id.as_deref().and_then(|id| self.names.ids.guess(Hash::of(id)))));
        let cases = || found.iter().flatten().map(|&case| &self.cases[case as usize]);
        black_box(cases().map(|case| case.citations().len() + usize::from(case.answerable)).sum::<usize>());
        let first = |text: &str| usize::from(text.as_bytes().first().copied().unwrap_or(0));
        black_box(
            cases().map(|case| first(case.id()) + case.phrases().last().map_or(0, first)).sum::<usize>(),
        );
        for (id, found) in ids.iter().zip(found) {
            if let (Some(id), Some(case)) = (id, &found)
                && *self.cases[*case as usize].id() != **id
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
#[derive(Debug, Default)]
struct Index {
    /// The hash, so that neither a probe nor growth needs the text, and the case.
    table: HashTable<(Hash, u32)>,
}

/// A text's hash. Half of what there is will do: the few texts that share one are told apart by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Hash(u32);

impl Hash {
    #[inline]
    fn of(text: &str) -> Self {
        const STATE: FixedState = FixedState::with_seed(0x6b61_7261_7400);
        Hash(STATE.hash_one(text) as u32)
    }

    /// As the table wants it: it looks at the lowest bits and at the highest.
    #[inline]
    fn wide(self) -> u64 {
        u64::from(self.0) << 32 | u64::from(self.0)
    }
}

impl Index {
    /// Room for so many more cases.
    fn reserve(&mut self, cases: usize) {
        self.table.reserve(cases, |(hash, _)| hash.wide());
    }

    #[inline]
    fn find<'a>(&self, text: &str, of: impl Fn(u32) -> &'a str) -> Option<u32> {
        let hash = Hash::of(text);
        self.table
            .find(hash.wide(), |&(known, case)| known == hash && of(case) == text)
            .map(|&(_, case)| case)
    }

    /// The case whose text has this hash, most probably.
    #[inline]
    fn guess(&self, hash: Hash) -> Option<u32> {
        self.table.find(hash.wide(), |&(known, _)| known == hash).map(|&(_, case)| case)
    }

    /// Enters `case` under the hash of its text, unless another one has the same text: then that one comes back.
    #[inline]
    fn insert(&mut self, hash: Hash, case: u32, same: impl Fn(u32) -> bool) -> Option<u32> {
        let is = |&(known, case): &(Hash, u32)| known == hash && same(case);
        match self.table.entry(hash.wide(), is, |(hash, _)| hash.wide()) {
            Entry::Occupied(entry) => Some(entry.get().1),
            Entry::Vacant(entry) => {
                entry.insert((hash, case));
                None
            }
        }
    }
    /// Enters cases, numbered from `first`, by their hashes; `None` if two have the same text. As with look-ups, the memory
    /// of several is waited for together.
    fn insert_all<'a>(
        &mut self,
        cases: &[(Hash, u32)],
        first: u32,
        of: impl Fn(u32) -> &'a str,
    ) -> Option<()> {
        for cases in cases.chunks(16) {
            black_box(cases.iter().filter(|(hash, _)| self.guess(*hash).is_some()).count());
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
