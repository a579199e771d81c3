//! How does text become words, letters and sentences?
//!
//! The same functions read the handbook and the question: two ways to cut words would miss each other.

use frostem::{Algorithm, Stemmer};

/// Words that say how something is asked and not what about. `describe` and `enumerate` are not among them, which a
/// run with the jitter `syn` brings to light.
#[rustfmt::skip]
const COMMON: &[&str] = &[
    "a", "about", "after", "all", "am", "an", "and", "another", "any", "anybody", "are", "as", "at", "be",
    "been", "before", "but", "by", "can", "citations", "compare", "could", "did", "do", "does", "each",
    "explain", "for", "from", "get", "happens", "has", "have", "how", "i", "if", "in", "into", "is", "it",
    "its", "list", "many", "may", "me", "much", "must", "my", "no", "not", "of", "off", "on", "one", "or",
    "our", "out", "own", "sentence", "shall", "should", "show", "so", "some", "somebody", "than", "that",
    "the", "their", "them", "then", "there", "they", "this", "to", "too", "up", "us", "was", "we", "were",
    "what", "when", "where", "which", "while", "who", "whose", "why", "will", "with", "would", "you", "your",
];

/// The words of a text that carry meaning, in order, lower-cased.
pub(crate) fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .filter(|word| COMMON.binary_search(&word.as_str()).is_err())
        .collect()
}

/// Whether a word names an amount, a time or a place in a row.
pub(crate) fn is_number(word: &str) -> bool {
    #[rustfmt::skip]
    const NAMED: &[&str] = &[
        "eight", "eighteen", "eleven", "fifth", "five", "forty", "four", "fourteen", "fourth", "half",
        "million", "nine", "quarters", "second", "seven", "seventh", "six", "sixteen", "ten", "third",
        "three", "twelve", "twenty", "two",
    ];
    word.starts_with(|c: char| c.is_ascii_digit()) || NAMED.binary_search(&word).is_ok()
}

/// A word without its ending: `returned` and `returns` are one.
pub(crate) fn stem(word: &str) -> String {
    Stemmer::new(Algorithm::English).stem(word).into_owned()
}

/// The index's view of a text: stems.
#[derive(Debug, Default)]
pub(crate) struct Stems;

impl bm25::Tokenizer for Stems {
    fn tokenize(&self, text: &str) -> Vec<String> {
        words(text).iter().map(|word| stem(word)).collect()
    }
}

/// A second view: three letters at a time, each word with its edges marked, so that `rechargeable` meets `charge`.
#[derive(Debug, Default)]
pub(crate) struct Letters;

impl bm25::Tokenizer for Letters {
    fn tokenize(&self, text: &str) -> Vec<String> {
        words(text)
            .iter()
            .flat_map(|word| {
                let letters: Vec<char> = format!("_{word}_").chars().collect();
                letters.windows(3).map(|three| three.iter().collect()).collect::<Vec<String>>()
            })
            .collect()
    }
}

/// The sentences of a paragraph: cut where a full stop, `!` or `?` is followed by a space and a capital or a digit.
pub(crate) fn sentences(paragraph: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = paragraph.trim();
    let mut from = 0;
    while let Some(at) = rest[from..].find(['.', '!', '?']).map(|at| from + at + 1) {
        let after = &rest[at..];
        let next = after.trim_start();
        let ends =
            after.len() > next.len() && next.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        if ends || next.is_empty() {
            found.push(rest[..at].trim());
            rest = next;
            from = 0;
        } else {
            from = at;
        }
    }
    if !rest.is_empty() {
        found.push(rest);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_words_are_sorted_for_the_search() {
        assert!(COMMON.is_sorted());
    }

    #[test]
    fn numbers_are_digits_or_names() {
        for word in ["45", "15th", "eight", "half", "twenty", "two"] {
            assert!(is_number(word), "{word}");
        }
        assert!(!is_number("euros"));
    }

    #[test]
    fn words_lose_case_marks_and_what_is_common() {
        assert_eq!(words("Where do I return the tile-saw?"), ["return", "tile", "saw"]);
        assert_eq!(words("  Größe,\u{a0}naïve \u{202e}x "), ["größe", "naïve", "x"]);
        assert!(words("??? --- …").is_empty());
    }

    #[test]
    fn stems_meet() {
        assert_eq!(stem("returned"), stem("returns"));
        assert_ne!(stem("deposit"), stem("delivery"));
    }

    #[test]
    fn letters_of_a_word_know_its_edges() {
        use bm25::Tokenizer as _;
        assert_eq!(Letters.tokenize("saw"), ["_sa", "saw", "aw_"]);
        assert_eq!(Letters.tokenize("ß"), ["_ß_"]);
    }

    #[test]
    fn sentences_end_where_a_new_one_starts() {
        assert_eq!(
            sentences("A ladder of 1.2 metres fits. It is grey! Is it? yes, 2.5 kg"),
            ["A ladder of 1.2 metres fits.", "It is grey!", "Is it? yes, 2.5 kg"]
        );
        assert_eq!(sentences(" One.  "), ["One."]);
        assert!(sentences("  ").is_empty());
        assert_eq!(sentences("Ends. 7 follows."), ["Ends.", "7 follows."]);
    }
}
