//! Refusals: is this claim the refusal?
//!
//! Trimmed and lower-cased, it must equal the refusal text exactly, or a pattern must match the whole of it: `not in context.`
//! is a shipped answer, and so is "I don't know for sure, but the code is 4471". Such near misses are counted and shown as a
//! hint, because they usually come from a prompt that is no longer followed.

use regex::{Regex, RegexBuilder};

use crate::problem::{self, Problem};
use crate::text;

/// The texts and patterns that are refusals.
#[derive(Clone, Debug)]
pub struct Refusal {
    exact: Vec<String>,
    /// The letters and digits of each text.
    letters: Vec<String>,
    /// The patterns: each as it was written, and as it matches a whole claim.
    patterns: Vec<(Regex, Regex)>,
}

impl std::fmt::Display for Refusal {
    /// The entries, one per line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.exact.iter().try_for_each(|text| writeln!(f, "{text}"))?;
        self.patterns.iter().try_for_each(|(pattern, _)| writeln!(f, "/{pattern}/"))
    }
}

impl Default for Refusal {
    fn default() -> Self {
        Refusal::new(vec!["not in context".into()], Vec::new())
    }
}

impl Refusal {
    fn new(exact: Vec<String>, patterns: Vec<(Regex, Regex)>) -> Self {
        let letters = exact.iter().map(|text| letters(text).collect::<String>());
        let letters = letters.filter(|letters| !letters.is_empty()).collect();
        Refusal { exact, letters, patterns }
    }

    /// Reads a list of exact texts and `/patterns/`; they replace the default.
    pub fn parse(list: &[String]) -> Result<Self, Problem> {
        let (mut exact, mut patterns) = (Vec::new(), Vec::new());
        for entry in list {
            let inner = entry.strip_prefix('/').and_then(|rest| rest.strip_suffix('/'));
            let bad = |e: String| Problem::of_file(&problem::REFUSAL_INVALID, "--refusal", e);
            if text::trim(inner.filter(|_| entry.len() > 1).unwrap_or(entry)).is_empty() {
                return Err(bad(
                    "an empty refusal would make a refusal of an empty answer, or of every answer".into(),
                ));
            }
            if let Some(pattern) = inner.filter(|_| entry.len() > 1) {
                let build = |pattern: &str| RegexBuilder::new(pattern).case_insensitive(true).build();
                let bad = |e: regex::Error| {
                    let why = e.to_string();
                    bad(format!("{}: {}", text::visible(entry), why.lines().last().unwrap_or_default()))
                };
                patterns
                    .push((build(pattern).map_err(bad)?, build(&format!("^(?:{pattern})$")).map_err(bad)?));
            } else {
                exact.push(text::trim(&entry.to_lowercase()).to_owned());
            }
        }
        Ok(Refusal::new(exact, patterns))
    }

    /// Whether a claim, trimmed and lower-cased, is a refusal.
    #[inline]
    #[must_use]
    pub fn is(&self, claim: &str) -> bool {
        self.exact.iter().any(|text| text == claim)
            || self.patterns.iter().any(|(_, whole)| whole.is_match(claim))
    }

    /// Whether a claim begins with a refusal, looking only at letters and digits, or contains what a pattern describes.
    #[must_use]
    pub fn nearly(&self, claim: &str) -> bool {
        let begins = |refusal: &String| {
            let mut claim = letters(claim);
            refusal.chars().all(|c| claim.next() == Some(c))
        };
        self.letters.iter().any(begins) || self.patterns.iter().any(|(pattern, _)| pattern.is_match(claim))
    }
}

fn letters(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_to_the_character() {
        let refusal = Refusal::default();
        assert!(refusal.is("not in context"));
        for shipped in ["not in context.", "not  in context", "", "it is not in context"] {
            assert!(!refusal.is(shipped), "{shipped}");
        }
        assert!(refusal.nearly("not in context.") && refusal.nearly("\"not in-context\": sorry"));
        assert!(!refusal.nearly("the answer is not in context"));
    }

    #[test]
    fn texts_and_patterns() {
        let refusal = Refusal::parse(&["I don't know ".into(), "/no (idea|answer)|sorry.*/".into()]).unwrap();
        for refused in ["i don't know", "no idea", "sorry, that is not in the handbook"] {
            assert!(refusal.is(refused), "{refused}");
        }
        for shipped in ["not in context", "no idea at all", "sorry,\nthe code is 4471", "we have no answer"] {
            assert!(!refusal.is(shipped), "{shipped}");
        }
        assert!(refusal.nearly("we have no answer") && !refusal.nearly("we have it"));
        for bad in ["/(/", "", "//", " "] {
            assert!(Refusal::parse(&[bad.into()]).is_err(), "{bad}");
        }
    }
}
