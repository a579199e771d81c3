//! What is asked, cut and weighed once for all steps.

use crate::index::Index;
use crate::text;

/// A question's words.
pub(crate) struct Question {
    pub(crate) text: String,
    pub(crate) words: Vec<Word>,
    /// The sum of all weights.
    pub(crate) weight: f64,
    /// Whether an amount or a time is asked for: an answer without a number is then hardly one.
    pub(crate) wants_number: bool,
}

/// How questions for an amount or a time begin.
const AMOUNTS: &[&str] = &[
    "how fast",
    "how long",
    "how many",
    "how much",
    "how soon",
    "until when",
    "what age",
    "what does it cost",
];

/// A word that carries meaning, and how much.
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) stem: String,
    pub(crate) weight: f64,
}

impl Question {
    pub(crate) fn new(text: &str, index: &Index) -> Self {
        let mut words: Vec<Word> = Vec::new();
        for word in text::words(text) {
            let stem = text::stem(&word);
            if words.iter().all(|known| known.stem != stem) {
                let weight = index.weight(&stem);
                words.push(Word { text: word, stem, weight });
            }
        }
        let weight = words.iter().map(|word| word.weight).sum();
        let plain = text.to_lowercase();
        let wants_number = AMOUNTS.iter().any(|amount| plain.contains(amount));
        Self { text: text.to_owned(), words, weight, wants_number }
    }
}
