//! READ: is the gold set sound, and which case does an id or a question name?
//!
//! Gold is loaded whole: memory follows it. All of its problems are told at once, with their places.

mod load;
mod needle;

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::quality::FixedState;
use hashbrown::HashTable;

use crate::input::Source;
use crate::model::Case;
use crate::problem::{Failure, Problem};

pub(crate) use load::{not_utf8, too_long};

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
    /// SHA-256 of the stored file.
    pub sha256: String,
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
    /// are to be kept.
    pub fn load(source: &Source, slices: &[String]) -> Result<Gold, Failure> {
        load::load(source, slices)
    }

    /// The case with this id.
    #[inline]
    #[must_use]
    pub fn by_id(&self, id: &str) -> Option<u32> {
        self.ids.find(id, |case| &self.cases[case as usize].id)
    }

    /// The case that asks this question.
    #[must_use]
    pub fn by_question(&self, question: &str) -> ByQuestion {
        match self.questions.find(question, |case| &self.cases[case as usize].question) {
            None => ByQuestion::Unknown,
            Some(case) if self.shared_question[case as usize] => ByQuestion::Ambiguous(case),
            Some(case) => ByQuestion::Case(case),
        }
    }
}

/// Texts to case numbers. The hash is fixed and never iterated, so nothing of it reaches an output.
#[derive(Debug)]
struct Index {
    table: HashTable<u32>,
    hasher: FixedState,
}

impl Index {
    fn new() -> Self {
        Index { table: HashTable::new(), hasher: FixedState::with_seed(0x6b61_7261_7400) }
    }

    #[inline]
    fn find<'a>(&self, text: &str, of: impl Fn(u32) -> &'a str) -> Option<u32> {
        self.table.find(self.hasher.hash_one(text), |&case| of(case) == text).copied()
    }

    /// Enters `case` under `text`, unless another one is there: then that one comes back.
    fn insert<'a>(&mut self, text: &str, case: u32, of: impl Fn(u32) -> &'a str) -> Option<u32> {
        let old = self.find(text, &of);
        if old.is_none() {
            let rehash = |&case: &u32| self.hasher.hash_one(of(case));
            self.table.insert_unique(self.hasher.hash_one(text), case, rehash);
        }
        old
    }
}
