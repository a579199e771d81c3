//! What does every part of karat mean by a case, a trace, an answer?
//!
//! Each input dialect is read into these types; nothing behind them knows which dialect it was.

use std::borrow::Cow;
use std::sync::Arc;

pub use karat_input::listed::{Id, Listed};
pub(crate) use karat_input::table::SliceValues;

use crate::input::json::Text;
use crate::text;

/// What a right answer to one question must show.
///
/// Its texts lie behind one another in one piece of memory: with many cases, judging a trace costs mostly the waiting for
/// its case, so a case should be few places to wait for, and one cache line itself.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub struct Case {
    text: Words,
    ends: Ends,
    /// For each field that is sliced by, the row's values.
    pub slices: Slices,
    /// The row's line in the gold file.
    pub line: u64,
    /// How many paraphrases gold lists of the question.
    pub paraphrases: u32,
    /// False: the only right answer is a refusal.
    pub answerable: bool,
    /// What the claim must contain.
    pub needle: Needle,
}

/// The texts of a case, among those of the cases that were read with it: one piece of memory for thousands of them is made
/// and given back at once.
#[derive(Clone, Default)]
struct Words {
    all: Arc<str>,
    from: u32,
    to: u32,
}

impl Words {
    #[inline]
    fn len(&self) -> usize {
        (self.to - self.from) as usize
    }

    #[inline(always)]
    fn part(&self, start: usize, end: usize) -> &str {
        let from = self.from as usize;
        &self.all[from + start..from + end]
    }
}

impl std::fmt::Debug for Words {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self.part(0, self.len()), f)
    }
}

/// Where each text of a case ends: id, citations, phrases, constraints, forbidden texts, question. Behind what is listed
/// lies the end of all.
#[derive(Clone, Debug)]
enum Ends {
    /// Of nearly every case.
    Few { counts: Counts, ends: [u16; 5] },
    /// Of one with many texts, or long ones.
    Many(Box<Many>),
}

#[derive(Clone, Debug)]
struct Many {
    counts: [u32; LISTS],
    ends: Box<[u32]>,
}

/// Citations, phrases, constraints, forbidden texts.
const LISTS: usize = 4;

/// How many texts each list has, a byte each.
#[derive(Clone, Copy, Debug)]
struct Counts(u32);

impl Default for Ends {
    fn default() -> Self {
        Ends::Few { counts: Counts(0), ends: [0; 5] }
    }
}

/// The values of a row in each field that is sliced by. Behind one pointer: most runs slice by nothing.
#[derive(Clone, Debug, Default)]
pub struct Slices(Option<Box<SliceValues>>);

impl From<SliceValues> for Slices {
    fn from(values: SliceValues) -> Self {
        Slices(if values.is_empty() { None } else { Some(Box::new(values)) })
    }
}

impl std::ops::Deref for Slices {
    type Target = [Box<[Box<str>]>];

    fn deref(&self) -> &Self::Target {
        self.0.as_ref().map_or(&[], |values| values)
    }
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

/// The same while they are put together, in memory that is used again from case to case. What a list holds is added
/// before anything of the next one: the id, citations, phrases, constraints, forbidden texts, the question.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    text: String,
    /// Where the case begins in it.
    start: usize,
    ends: Vec<u32>,
    counts: [u32; LISTS],
}

impl Parts {
    /// Room for so many bytes of texts at once.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.text.reserve(bytes);
    }

    /// Begins a case.
    pub(crate) fn begin(&mut self, id: &str) {
        self.start = self.text.len();
        self.ends.clear();
        self.counts = [0; LISTS];
        self.text.push_str(id);
        self.close();
    }

    pub(crate) fn citation(&mut self, id: &str) {
        self.text.push_str(id);
        self.listed(0);
    }

    /// A phrase, lower-cased; false if it is too short to be one: then it is left out.
    pub(crate) fn phrase(&mut self, phrase: &str) -> bool {
        let start = self.text.len();
        text::push_lower(phrase, &mut self.text);
        let long = self.text[start..].chars().nth(4).is_some();
        if long {
            self.listed(1)
        } else {
            self.text.truncate(start)
        }
        long
    }

    pub(crate) fn constraint(&mut self, lock: &str) {
        self.text.push_str(lock);
        self.listed(2);
    }

    pub(crate) fn forbidden(&mut self, text: &str) {
        text::push_lower(text, &mut self.text);
        self.listed(3);
    }

    /// Ends a case, with the question as its last text. It has its texts once they are shared.
    pub(crate) fn fill(&mut self, question: &str, case: &mut Case) {
        self.text.push_str(question);
        let [a, b, c, d] = self.counts;
        (case.text.from, case.text.to) = (self.start as u32, self.text.len() as u32);
        case.ends = match u16::try_from(case.text.len()) {
            Ok(end) if self.ends.len() <= 5 => {
                Ends::Few { counts: Counts(a | b << 8 | c << 16 | d << 24), ends: [end; 5] }
            }
            _ => Ends::Many(Box::new(Many { counts: self.counts, ends: self.ends.as_slice().into() })),
        };
        if let Ends::Few { ends, .. } = &mut case.ends {
            ends.iter_mut().zip(&self.ends).for_each(|(end, &at)| *end = at as u16);
        }
    }

    /// Gives the cases that were filled since the last time their texts.
    pub(crate) fn share(&mut self, cases: &mut [Case]) {
        let all: Arc<str> = self.text.as_str().into();
        cases.iter_mut().for_each(|case| case.text.all = all.clone());
        self.text.clear();
    }

    fn listed(&mut self, list: usize) {
        self.counts[list] += 1;
        self.close();
    }

    fn close(&mut self) {
        self.ends.push((self.text.len() - self.start) as u32);
    }
}

impl Case {
    /// A case with these texts.
    #[must_use]
    pub fn new(texts: &Texts<'_>) -> Self {
        let mut parts = Parts::default();
        parts.begin(&texts.id);
        let lists = [&texts.citations, &texts.phrases, &texts.constraints, &texts.forbidden];
        for (list, texts) in lists.into_iter().enumerate() {
            for text in texts {
                parts.text.push_str(text);
                parts.listed(list);
            }
        }
        let mut case = Case::default();
        parts.fill(&texts.question, &mut case);
        parts.share(std::slice::from_mut(&mut case));
        case
    }

    /// Something of each cache line that judging reads of its texts.
    #[inline(always)]
    pub(crate) fn touch(&self) -> u8 {
        let (bytes, from) = (self.text.all.as_bytes(), self.text.from as usize);
        let at = |at: usize| bytes.get(at).copied().unwrap_or(0);
        at(from) ^ at(from + 64)
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
        self.part(1 + (0..LISTS).map(|list| self.count(list)).sum::<usize>())
    }

    /// The chunks that support the answer: distinct, in gold's order.
    #[inline]
    pub fn citations(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.list::<0>()
    }

    /// The lower-cased phrases that the claim must contain.
    #[inline]
    pub fn phrases(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.list::<1>()
    }

    /// The locked constraints: trimmed, sorted, repetitions kept.
    #[inline]
    pub fn constraints(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.list::<2>()
    }

    /// The lower-cased texts that no claim may contain.
    #[inline]
    pub fn forbidden(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.list::<3>()
    }

    #[inline(always)]
    fn list<const LIST: usize>(&self) -> List<'_> {
        let first = 1 + (0..LIST).map(|before| self.count(before)).sum::<usize>();
        List { case: self, next: first, end: first + self.count(LIST), start: self.end_of(first - 1) }
    }

    #[inline]
    fn count(&self, list: usize) -> usize {
        match &self.ends {
            Ends::Few { counts, .. } => usize::from((counts.0 >> (8 * list)) as u8),
            Ends::Many(many) => many.counts[list] as usize,
        }
    }

    #[inline(always)]
    fn part(&self, part: usize) -> &str {
        let start = part.checked_sub(1).map_or(0, |before| self.end_of(before));
        self.text.part(start, self.end_of(part))
    }

    #[inline]
    fn end_of(&self, part: usize) -> usize {
        match &self.ends {
            Ends::Few { ends, .. } => ends.get(part).map_or(self.text.len(), |&end| usize::from(end)),
            Ends::Many(many) => many.ends.get(part).map_or(self.text.len(), |&end| end as usize),
        }
    }
}

/// The texts of a list, one behind the other.
#[derive(Clone)]
struct List<'c> {
    case: &'c Case,
    /// The text that comes next, and the one behind the last.
    next: usize,
    end: usize,
    /// Where the next one starts.
    start: usize,
}

impl<'c> Iterator for List<'c> {
    type Item = &'c str;

    #[inline(always)]
    fn next(&mut self) -> Option<&'c str> {
        if self.next == self.end {
            return None;
        }
        let start = self.start;
        self.start = self.case.end_of(self.next);
        self.next += 1;
        Some(self.case.text.part(start, self.start))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.end - self.next, Some(self.end - self.next))
    }
}

impl ExactSizeIterator for List<'_> {}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_small() {
        assert!(size_of::<Case>() <= 64, "{} bytes", size_of::<Case>());
    }

    #[test]
    fn a_case_gives_back_its_texts() {
        let list = |name: &str, count: usize| -> Vec<Cow<'static, str>> {
            (0..count).map(|i| format!("{name} {i}").into()).collect()
        };
        let long = "é".repeat(40_000);
        for counts in [[0, 0, 0, 0], [1, 1, 0, 0], [2, 1, 0, 1], [0, 0, 3, 1], [2, 1, 1, 1], [0, 0, 0, 300]] {
            for question in ["", "why?", &long] {
                let texts = Texts {
                    id: "Q1".into(),
                    citations: list("c", counts[0]),
                    phrases: list("p", counts[1]),
                    constraints: list("l", counts[2]),
                    forbidden: list("f", counts[3]),
                    question: question.into(),
                };
                let case = Case::new(&texts);
                assert_eq!((case.id(), case.question()), ("Q1", question));
                assert!(case.citations().eq(texts.citations.iter().map(|text| &**text)));
                assert!(case.phrases().eq(texts.phrases.iter().map(|text| &**text)));
                assert!(case.constraints().eq(texts.constraints.iter().map(|text| &**text)));
                assert!(case.forbidden().eq(texts.forbidden.iter().map(|text| &**text)));
            }
        }
        assert_eq!((Case::default().id(), Case::default().question()), ("", ""));
    }
}
