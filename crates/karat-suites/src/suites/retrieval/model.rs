//! What do all parts of the suite `retrieval` mean by a question, a block, a run?

use std::borrow::Cow;
use std::collections::HashMap;

use foldhash::quality::FixedState;
use smallvec::SmallVec;

use crate::suites::retrieval::judge::content::Kind;
use crate::suites::retrieval::judge::delta_s::{DeltaS, Source};
use crate::suites::retrieval::judge::lambda::State;
use crate::suites::retrieval::judge::section::Section;
use crate::suites::retrieval::judge::span::Span;

/// A question of gold, and what a retriever should find for it.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The id that traces name.
    pub id: Box<str>,
    /// The row's line in the gold file.
    pub line: u64,
    /// The wordings that it is asked in.
    pub paraphrases: Box<[Box<str>]>,
    /// The relevant blocks, by id; never none.
    pub relevant: Box<[Relevant]>,
    /// Their grades, highest first.
    pub grades: SmallVec<[u32; 4]>,
    /// How many of them are of each type of content.
    pub kinds: [u32; Kind::ALL.len()],
    /// Blocks near the right ones that must not rank above them, by id.
    pub negatives: Box<[Box<str>]>,
    /// Blocks that gold judged and found not relevant, by id: the negatives, and those of grade 0.
    pub nonrelevant: Box<[Box<str>]>,
    /// The section that the answer stands in.
    pub anchor: Option<Box<str>>,
    /// For each field that is sliced by, the row's values.
    pub slices: Box<[Box<[Box<str>]>]>,
}

/// A relevant block.
#[derive(Clone, Debug)]
pub struct Relevant {
    /// Its id.
    pub id: Box<str>,
    /// How relevant, from 1.
    pub grade: u32,
    /// Its type of content.
    pub kind: Kind,
    /// Where it lies in the text, if that is known.
    pub span: Option<Span>,
}

impl Question {
    /// The relevant block with this id.
    #[must_use]
    pub fn relevant(&self, id: &str) -> Option<&Relevant> {
        let found = self.relevant.binary_search_by(|block| (*block.id).cmp(id)).ok()?;
        self.relevant.get(found)
    }

    /// Whether an id is a listed negative.
    #[must_use]
    pub fn is_negative(&self, id: &str) -> bool {
        holds(&self.negatives, id)
    }

    /// Whether gold judged an id and found it not relevant.
    #[must_use]
    pub fn is_nonrelevant(&self, id: &str) -> bool {
        holds(&self.nonrelevant, id)
    }

    /// The section that the answer stands in.
    #[must_use]
    pub fn anchor(&self) -> Option<Section<'_>> {
        self.anchor.as_deref().and_then(Section::named)
    }
}

fn holds(sorted: &[Box<str>], id: &str) -> bool {
    sorted.binary_search_by(|known| (**known).cmp(id)).is_ok()
}

/// What the block table says of one block.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// Where it lies in the text.
    pub span: Option<Span>,
    /// Its type of content.
    pub kind: Option<Kind>,
    /// Its section.
    pub section: Option<Box<str>>,
}

/// The block table; it may be empty.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// By id.
    pub by_id: HashMap<Box<str>, Block, FixedState>,
}

impl Default for Blocks {
    fn default() -> Self {
        Blocks { by_id: HashMap::with_hasher(FixedState::with_seed(0)) }
    }
}

impl Blocks {
    /// The section of a block: what the table says, else what its id says.
    #[must_use]
    pub fn section_of<'a>(&'a self, id: &'a str) -> Option<Section<'a>> {
        let listed = self.by_id.get(id).and_then(|block| block.section.as_deref()).and_then(Section::named);
        listed.or_else(|| Section::of_id(id))
    }

    /// The type of a block: what the table says, else what its id says.
    #[must_use]
    pub fn kind_of(&self, id: &str) -> Kind {
        self.by_id.get(id).and_then(|block| block.kind).unwrap_or_else(|| Kind::of_id(id))
    }
}

/// One run of a question through the retriever, borrowed from its line.
#[derive(Clone, Debug, Default)]
pub struct Trace<'a> {
    /// The question it names.
    pub id: Option<Cow<'a, str>>,
    /// The wording that was asked.
    pub query: Option<Cow<'a, str>>,
    /// Which of gold's wordings that is, where the log says it.
    pub paraphrase: Option<u64>,
    /// The seed of the run.
    pub seed: i64,
    /// What was retrieved, best first; no id comes twice.
    pub retrieved: Vec<Retrieved<'a>>,
    /// Where the ΔS of what was retrieved come from, if any has one.
    pub source: Option<Source>,
    /// What the log says of λ.
    pub lambda: Option<State>,
    /// What the answer cites, in order.
    pub cited: Vec<Cited<'a>>,
    /// The index that was asked.
    pub index_hash: Option<Cow<'a, str>>,
    /// Ids that came again, and were dropped.
    pub repeated: u64,
}

/// A retrieved block.
#[derive(Clone, Debug)]
pub struct Retrieved<'a> {
    /// Its id.
    pub id: Cow<'a, str>,
    /// Its type of content, where the log says it.
    pub kind: Option<Kind>,
    /// How far it is from the question.
    pub delta_s: Option<DeltaS>,
}

/// A cited block.
#[derive(Clone, Debug)]
pub struct Cited<'a> {
    /// Its id; `None` where the model named nothing that could be one.
    pub id: Option<Cow<'a, str>>,
    /// The part of the text that is cited.
    pub span: Option<Span>,
}
