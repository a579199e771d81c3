//! Do two rows ask the same question in almost the same words?
//!
//! Such twins count one question twice, and one of them is often the older version of the other. Similarity of whole
//! sentences would not do: sets made from a template ("What is the price of X?") differ in one name only, and that name is
//! the question. So questions are twins when nothing that carries meaning differs: compared are their words without case,
//! punctuation, order and function words; one long word may differ by one letter, and one of seven words or more may be
//! missing. Each row is looked up by hashes of its words: the time grows with the text, not with the pairs.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

use foldhash::quality::FixedState;

use super::Lint;
use crate::lint::{Contract, Set};
use crate::problem::GOLD_NEAR_DUPLICATE;
use crate::text;

/// The declaration.
pub const LINT: Lint = Lint {
    name: "near_duplicate",
    kind: &GOLD_NEAR_DUPLICATE,
    method: "Two rows ask with the same words, once case, punctuation, order and function words (the, of, do, …) are ignored; a word of five letters or more may differ by one letter, and one word of seven or more may be missing unless it is a number or a negation. Exact, in time that grows with the text.",
    look: |set, found| {
        let mut index = Index::new();
        for (number, row) in set.rows.iter().enumerate() {
            // Paraphrases of one row ask the same on purpose: the row is entered once all of them are looked up.
            let words: Vec<Vec<String>> = row.questions.iter().map(|(question, _)| words(question)).collect();
            let twin = row.questions.iter().zip(&words).find_map(|(placed, words)| {
                let twin = index.find(words)?;
                (!exact(set, twin, &placed.0)).then_some((twin, &placed.1))
            });
            if let Some((twin, at)) = twin {
                let (line, name) = (set.rows[twin.row].line, set.rows[twin.row].name());
                let message =
                    format!("line {line} (\"{}\") asks almost the same question", text::shorten(&name, 40));
                let expected = "expected a question that no other row asks";
                found.at(at, "", message, expected);
            }
            for (i, words) in words.into_iter().enumerate() {
                index.enter(Question { row: number, number: i }, words);
            }
        }
    },
};

/// A question's row, and which of its questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Question {
    row: usize,
    number: usize,
}

/// The contract of `answers` tells of questions that are the same to the letter.
fn exact(set: &Set<'_>, twin: Question, question: &str) -> bool {
    let other = set.rows[twin.row].questions.get(twin.number);
    set.contract == Contract::Answers && other.is_some_and(|(other, _)| *other == question)
}

/// Words that ask nothing. Negations and question words are none of them.
const EMPTY: &[&str] = &[
    "a", "an", "and", "any", "are", "at", "be", "been", "by", "can", "could", "d", "did", "do", "does",
    "for", "from", "have", "has", "i", "in", "is", "it", "its", "ll", "m", "may", "me", "my", "of", "on",
    "one", "or", "our", "please", "re", "s", "should", "tell", "that", "the", "their", "there", "these",
    "this", "those", "to", "us", "ve", "was", "we", "were", "will", "with", "would", "you", "your",
];
const NEGATIONS: &[&str] =
    &["not", "no", "never", "without", "non", "nor", "neither", "cannot", "t", "except", "un"];

/// The words that a question is made of, sorted.
fn words(question: &str) -> Vec<String> {
    let lower = question.to_lowercase();
    let all = || lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut words: Vec<String> = all().filter(|word| !EMPTY.contains(word)).map(str::to_owned).collect();
    if words.len() < 2 {
        words = all().map(str::to_owned).collect(); // what is left would say too little
    }
    words.sort_unstable();
    words
}

/// Whether a slip of one letter leaves it the same word: long, and of letters that have two cases.
fn slips(word: &str) -> bool {
    word.chars().nth(4).is_some() && word.chars().all(char::is_lowercase)
}

/// Questions by hashes of their words.
struct Index {
    hasher: FixedState,
    questions: Vec<(Question, Vec<String>)>,
    /// The first question with a hash; what it says is compared again.
    first: HashMap<u64, u32, FixedState>,
}

impl Index {
    fn new() -> Self {
        let hasher = FixedState::with_seed(0);
        Index { hasher: hasher.clone(), questions: Vec::new(), first: HashMap::with_hasher(hasher) }
    }

    fn hash(&self, what: impl Hash) -> u64 {
        self.hasher.hash_one(what)
    }

    /// The hashes under which a question is entered and looked up: its words; its words without one; and its words
    /// without one, and that one without a letter.
    fn hashes(&self, words: &[String]) -> Vec<u64> {
        const MOST: usize = 64; // words: longer questions are compared as they are
        // A sum does not depend on the order, so that words without one cost no second pass.
        let each: Vec<u64> = words.iter().map(|word| self.hash(word.as_str())).collect();
        let whole = each.iter().fold(words.len() as u64, |sum, hash| sum.wrapping_add(*hash));
        let mut hashes = vec![self.hash((0u8, whole))];
        if words.len() > MOST {
            return hashes;
        }
        for (word, hash) in words.iter().zip(&each) {
            let rest = whole.wrapping_sub(*hash).wrapping_sub(1);
            if spare(words, word) {
                hashes.push(self.hash((0u8, rest)));
            }
            if slips(word) {
                hashes.push(self.hash((1u8, rest, word.as_str())));
                for (at, c) in word.char_indices().take(MOST) {
                    hashes.push(self.hash((1u8, rest, word[..at].to_owned() + &word[at + c.len_utf8()..])));
                }
            }
        }
        hashes
    }

    /// The earliest question that is a twin.
    fn find(&self, words: &[String]) -> Option<Question> {
        let known = self.hashes(words).into_iter().filter_map(|hash| self.first.get(&hash).copied());
        let mut known: Vec<u32> = known.collect();
        known.sort_unstable();
        known.dedup();
        let twin =
            known.into_iter().map(|at| &self.questions[at as usize]).find(|(_, other)| twins(words, other));
        twin.map(|(question, _)| *question)
    }

    fn enter(&mut self, question: Question, words: Vec<String>) {
        if words.is_empty() {
            return;
        }
        let number = self.questions.len() as u32;
        for hash in self.hashes(&words) {
            self.first.entry(hash).or_insert(number);
        }
        self.questions.push((question, words));
    }
}

/// Whether a question still asks the same without this word.
fn spare(words: &[String], word: &str) -> bool {
    words.len() >= 7 && !NEGATIONS.contains(&word) && !word.contains(char::is_numeric)
}

/// Whether nothing that carries meaning differs. Both lists are sorted.
fn twins(a: &[String], b: &[String]) -> bool {
    // Two questions without a word have nothing in common.
    if a.is_empty() || b.is_empty() || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let (mut at, mut other, mut mine, mut theirs) = (0, 0, Vec::new(), Vec::new());
    while mine.len() + theirs.len() <= 2 {
        match (a.get(at), b.get(other)) {
            (None, None) => break,
            (Some(x), Some(y)) if x == y => (at, other) = (at + 1, other + 1),
            (Some(x), y) if y.is_none_or(|y| x < y) => {
                mine.push(x);
                at += 1;
            }
            (_, y) => {
                theirs.extend(y);
                other += 1;
            }
        }
    }
    match (&mine[..], &theirs[..]) {
        ([], []) => true,
        ([word], []) => spare(a, word),
        ([], [word]) => spare(b, word),
        ([one], [other]) => slips(one) && slips(other) && strsim::osa_distance(one, other) <= 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the second question is found by the first.
    #[track_caller]
    fn check(a: &str, b: &str, expected: bool) {
        for (a, b) in [(a, b), (b, a)] {
            let mut index = Index::new();
            index.enter(Question { row: 0, number: 0 }, words(a));
            assert_eq!(index.find(&words(b)).is_some(), expected, "{a:?} {b:?}");
            assert_eq!(twins(&words(a), &words(b)), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn twins_are_told_from_siblings() {
        check("How do I reset my password?", "How can I reset the password", true);
        check("What is the refund window for orders?", "what's the refund window for an order?", true);
        check("Which regiosn does the service run in?", "Which regions does the service run in?", true);
        check(
            "Explain X with citations in one sentence.",
            "In one sentence, explain X (with citations)",
            true,
        );
        check(
            "Which public regions does the billing service currently run in today?",
            "Which public regions does the billing service run in today?",
            true,
        );
        check("What is the price of Alpha?", "What is the price of Omega?", false);
        check("What changed in 2023?", "What changed in 2024?", false);
        check("What changed in v12345?", "What changed in v12346?", false);
        check("When is the invoice sent?", "Where is the invoice sent?", false);
        check("Are deleted objects kept?", "Are deleted objects not kept?", false);
        check(
            "Which public regions does the billing service run in during maintenance?",
            "Which public regions does the billing service not run in during maintenance?",
            false,
        );
        check("削除されたオブジェクトは?", "追加されたオブジェクトは?", false);
        check("???", "!!!", false);
        check("Is it?", "Is it!", true);
    }
}
