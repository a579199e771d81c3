//! What does every part of karat mean by a case, a trace, an answer?
//!
//! Each input dialect is read into these types; nothing behind them knows which dialect it was.

use std::borrow::Cow;

use crate::input::json::Text;
use crate::text;

/// What a right answer to one question must show.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The id that traces name.
    pub id: Box<str>,
    /// The question's text; empty where gold has none.
    pub question: Box<str>,
    /// False: the only right answer is a refusal.
    pub answerable: bool,
    /// What the claim must contain.
    pub claim: Needle,
    /// The chunks that support the answer: distinct, in gold's order.
    pub citations: Box<[Box<str>]>,
    /// The locked constraints: trimmed, sorted, repetitions kept.
    pub constraints: Box<[Box<str>]>,
    /// Lower-cased texts that no claim may contain.
    pub forbidden: Box<[Box<str>]>,
    /// For each field that is sliced by, the row's values.
    pub slices: Box<[Box<[Box<str>]>]>,
    /// The row's line in the gold file.
    pub line: u64,
}

/// What a claim must contain; phrases are lower-cased.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Needle {
    /// Gold lists no phrase: any claim that is not empty will do.
    #[default]
    Nothing,
    /// One of these.
    Any(Box<[Box<str>]>),
    /// Each of these.
    All(Box<[Box<str>]>),
    /// Gold lists phrases that can never match.
    Never,
    /// Gold does not say what the claim must contain.
    Unknown,
}

/// An id as a list of the log holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Id<'a> {
    /// Its text, trimmed; of an odd one, its JSON.
    pub text: Cow<'a, str>,
    /// It is neither text nor a whole number: it equals no id of gold and none that was retrieved.
    pub odd: bool,
}

impl Id<'_> {
    /// Whether it is this id of gold.
    #[inline]
    #[must_use]
    pub fn is(&self, gold: &str) -> bool {
        self.text == *gold && !self.odd
    }
}

/// What stands where a list was expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Listed {
    /// Nothing, or null.
    #[default]
    Absent,
    /// A list.
    List,
    /// Something that is no list.
    NotAList,
}

/// What the pipeline did for one question, borrowed from its line; the lists' memory is used again for the next line.
#[derive(Clone, Debug, Default)]
pub struct Trace<'a> {
    /// The case it names.
    pub id: Option<Cow<'a, str>>,
    /// The question's text.
    pub question: Option<Text<'a>>,
    /// False: the pipeline says that it failed.
    pub ok: Option<bool>,
    /// The retrieved chunks, by rank.
    pub retrieved: Vec<Id<'a>>,
    /// The model's claim; `None` where it made none, or one that is no text.
    pub claim: Option<Cow<'a, str>>,
    /// Whether citations are a list.
    pub citations: Listed,
    /// The cited chunks.
    pub cited: Vec<Id<'a>>,
    /// Whether the echo of the constraints is a list.
    pub echo: Listed,
    /// The constraints as the answer repeats them.
    pub echoed: Vec<Id<'a>>,
}

impl Trace<'_> {
    /// Whether the pipeline failed and said nothing.
    #[must_use]
    pub fn errored(&self) -> bool {
        self.ok == Some(false) && self.claim.as_deref().is_none_or(|claim| text::trim(claim).is_empty())
    }
}
