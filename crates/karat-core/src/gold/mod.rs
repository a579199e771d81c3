//! READ: is the gold set sound, and which case does an id or a question name?
//!
//! Gold is loaded whole: memory follows it. All of its problems are told at once, with their places.

mod load;
mod needle;
mod pieces;
pub mod questions;
pub(crate) mod table;

use std::hash::BuildHasher;
use std::hint::black_box;
use std::sync::Arc;

use foldhash::quality::FixedState;
use hashbrown::HashTable;

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
    ids: Index,
    questions: Index,
    /// For each case, whether another one asks the same.
    shared_question: Vec<bool>,
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
        self.ids.find(id, |case| self.cases[case as usize].id())
    }

    /// The cases of several ids at once. Each look-up waits for memory a few times; done in steps over all of them,
    /// they wait together. On return the cases' own memory is at hand too.
    pub fn by_ids(&self, ids: &[Option<&str>], found: &mut Vec<Option<u32>>) {
        found.clear();
        found.extend(ids.iter().map(|id| id.and_then(|id| self.ids.guess(self.ids.hash(id)))));
        let cases = || found.iter().flatten().map(|&case| &self.cases[case as usize]);
        black_box(cases().map(|case| case.citations().len() + usize::from(case.answerable)).sum::<usize>());
        let first = |text: &str| usize::from(text.as_bytes().first().copied().unwrap_or(0));
        black_box(
            cases().map(|case| first(case.id()) + case.phrases().last().map_or(0, first)).sum::<usize>(),
        );
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
        match self.questions.find(question, |case| self.cases[case as usize].question()) {
            None => ByQuestion::Unknown,
            Some(case) if self.shared_question[case as usize] => ByQuestion::Ambiguous(case),
            Some(case) => ByQuestion::Case(case),
        }
    }
}

/// Texts to case numbers. The hash is fixed and never iterated, so nothing of it reaches an output.
#[derive(Debug)]
struct Index {
    /// Part of the hash, so that a probe needs no text, and the case.
    table: HashTable<(u32, u32)>,
    hasher: FixedState,
}

impl Index {
    fn with_capacity(cases: usize) -> Self {
        Index { table: HashTable::with_capacity(cases), hasher: FixedState::with_seed(0x6b61_7261_7400) }
    }

    #[inline]
    fn hash(&self, text: &str) -> u64 {
        self.hasher.hash_one(text)
    }

    #[inline]
    fn find<'a>(&self, text: &str, of: impl Fn(u32) -> &'a str) -> Option<u32> {
        let hash = self.hash(text);
        self.table.find(hash, |&(tag, case)| tag == hash as u32 && of(case) == text).map(|&(_, case)| case)
    }

    /// The case whose text has this hash, most probably.
    #[inline]
    fn guess(&self, hash: u64) -> Option<u32> {
        self.table.find(hash, |&(tag, _)| tag == hash as u32).map(|&(_, case)| case)
    }

    /// Enters `case` under `text`, unless another one is there: then that one comes back.
    fn insert<'a>(&mut self, text: &str, case: u32, of: impl Fn(u32) -> &'a str) -> Option<u32> {
        let old = self.find(text, &of);
        if old.is_none() {
            let hash = self.hash(text);
            let rehash = |&(_, case): &(u32, u32)| self.hasher.hash_one(of(case));
            self.table.insert_unique(hash, (hash as u32, case), rehash);
        }
        old
    }
}
