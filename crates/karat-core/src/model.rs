//! What does every part of karat mean by a case, a trace, an answer?
//!
//! Each input dialect is read into these types; nothing behind them knows which dialect it was.

pub mod retrieval;

use std::borrow::Cow;

use smallvec::SmallVec;

use crate::input::json::Text;
use crate::text;

/// What a right answer to one question must show.
///
/// Its texts lie behind one another in one piece of memory: with many cases, judging a trace costs mostly the waiting for
/// its case, so a case should be few places to wait for.
#[derive(Clone, Debug, Default)]
pub struct Case {
    text: Box<str>,
    /// Where each text ends: id, citations, phrases, constraints, forbidden texts, question.
    ends: SmallVec<[u32; 6]>,
    /// How many citations, phrases and constraints there are.
    counts: [u32; 3],
    /// False: the only right answer is a refusal.
    pub answerable: bool,
    /// What the claim must contain.
    pub needle: Needle,
    /// How many paraphrases gold lists of the question.
    pub paraphrases: u32,
    /// The row's line in the gold file.
    pub line: u64,
    /// For each field that is sliced by, the row's values.
    pub slices: Box<[Box<[Box<str>]>]>,
}

/// The texts of a case before they are put together.
#[derive(Clone, Debug, Default)]
pub struct Texts<'a> {
    /// The id that traces name.
    pub id: Cow<'a, str>,
    /// The chunks that support the answer: distinct, in gold's order.
    pub citations: Vec<Cow<'a, str>>,
    /// Lower-cased phrases that the claim must contain.
    pub phrases: Vec<Cow<'a, str>>,
    /// The locked constraints: trimmed, sorted, repetitions kept.
    pub constraints: Vec<Cow<'a, str>>,
    /// Lower-cased texts that no claim may contain.
    pub forbidden: Vec<Cow<'a, str>>,
    /// The question's text; empty where gold has none.
    pub question: Cow<'a, str>,
}

impl Case {
    /// A case with these texts.
    #[must_use]
    pub fn new(texts: &Texts<'_>) -> Self {
        let lists = [&texts.citations, &texts.phrases, &texts.constraints, &texts.forbidden];
        let all = || std::iter::once(&texts.id).chain(lists.into_iter().flatten()).chain([&texts.question]);
        let mut text = String::with_capacity(all().map(|part| part.len()).sum());
        let mut ends = SmallVec::with_capacity(all().count());
        for part in all() {
            text.push_str(part);
            ends.push(text.len() as u32);
        }
        let counts = [&texts.citations, &texts.phrases, &texts.constraints].map(|list| list.len() as u32);
        Case { text: text.into(), ends, counts, ..Case::default() }
    }

    /// The id that traces name.
    #[inline]
    #[must_use]
    pub fn id(&self) -> &str {
        self.part(0)
    }

    /// The question's text; empty where gold has none.
    #[must_use]
    pub fn question(&self) -> &str {
        self.part(self.ends.len().saturating_sub(1))
    }

    /// The chunks that support the answer: distinct, in gold's order.
    #[inline]
    pub fn citations(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.parts(1, self.counts[0])
    }

    /// The lower-cased phrases that the claim must contain.
    #[inline]
    pub fn phrases(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.parts(1 + self.counts[0], self.counts[1])
    }

    /// The locked constraints: trimmed, sorted, repetitions kept.
    #[inline]
    pub fn constraints(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.parts(1 + self.counts[0] + self.counts[1], self.counts[2])
    }

    /// The lower-cased texts that no claim may contain.
    #[inline]
    pub fn forbidden(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        let before = 1 + self.counts.iter().sum::<u32>();
        self.parts(before, (self.ends.len() as u32).saturating_sub(before + 1))
    }

    #[inline]
    fn parts(&self, first: u32, count: u32) -> impl ExactSizeIterator<Item = &str> + Clone {
        (first as usize..(first + count) as usize).map(|part| self.part(part))
    }

    #[inline]
    fn part(&self, part: usize) -> &str {
        let end = self.ends.get(part).map_or(0, |&end| end as usize);
        let start =
            part.checked_sub(1).and_then(|before| self.ends.get(before)).map_or(0, |&end| end as usize);
        &self.text[start..end]
    }
}

/// What a claim must contain of a case's phrases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Needle {
    /// Gold lists no phrase: any claim that is not empty will do.
    #[default]
    Nothing,
    /// One of them.
    Any,
    /// Each of them.
    All,
    /// Gold lists phrases that can never match.
    Never,
    /// Gold does not say what the claim must contain.
    Unknown,
}

/// An id as a list of the log holds it.
#[derive(Clone, Debug)]
pub struct Id<'a> {
    /// Its text, trimmed; of an odd one, its JSON.
    pub text: Cow<'a, str>,
    /// It is neither text nor a whole number: it equals no id of gold and none that was retrieved.
    pub odd: bool,
    key: u64,
}

impl<'a> Id<'a> {
    /// An id with its key.
    #[inline]
    #[must_use]
    pub fn new(text: Cow<'a, str>, odd: bool) -> Self {
        Id { key: Id::key_of(&text), text, odd }
    }

    /// What all equal ids have in common, and few others: an id is compared by it first, and by its text where it holds.
    /// Ids of one corpus begin alike, so it is made of the end.
    #[inline]
    #[must_use]
    pub fn key_of(text: &str) -> u64 {
        let bytes = text.as_bytes();
        match bytes.last_chunk() {
            Some(end) => u64::from_le_bytes(*end),
            None => bytes.iter().fold(bytes.len() as u64, |key, &byte| key << 8 | u64::from(byte)),
        }
    }

    /// Whether it is this id of gold, whose key this is.
    #[inline]
    #[must_use]
    pub fn is(&self, key: u64, gold: &str) -> bool {
        self.key == key && self.text == *gold && !self.odd
    }
}

impl PartialEq for Id<'_> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key && self.text == other.text && self.odd == other.odd
    }
}

impl Eq for Id<'_> {}

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
    /// Why it stopped, as it says.
    pub reason: Option<Text<'a>>,
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
