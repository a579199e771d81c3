//! Does a chunk say what a claim says? All of the claim's phrases must stand in that one chunk's lower-cased text.

use aho_corasick::AhoCorasick;

/// Phrases that are looked for in one text after another; lower-cased already, as the texts must be.
pub struct Phrases<'p> {
    phrases: Vec<&'p str>,
    /// For many phrases: one pass over a text, however many there are.
    automaton: Option<AhoCorasick>,
}

impl<'p> Phrases<'p> {
    /// For fewer, an automaton costs more than it saves.
    pub const WORTH_AN_AUTOMATON: usize = 40;

    /// These phrases.
    #[must_use]
    pub fn new(phrases: Vec<&'p str>) -> Self {
        let many = phrases.len() >= Self::WORTH_AN_AUTOMATON;
        let automaton = many.then(|| AhoCorasick::new(&phrases).ok()).flatten();
        Phrases { phrases, automaton }
    }

    /// Which of them stand in a text.
    #[must_use]
    pub fn found_in(&self, text: &str) -> Vec<bool> {
        let Some(automaton) = &self.automaton else {
            return self.phrases.iter().map(|phrase| text.contains(phrase)).collect();
        };
        let mut found = vec![false; self.phrases.len()];
        let mut left = found.len();
        for hit in automaton.find_overlapping_iter(text) {
            let seen = &mut found[hit.pattern().as_usize()];
            left -= usize::from(!*seen);
            *seen = true;
            if left == 0 {
                break;
            }
        }
        found
    }
}

/// Whether a claim with these phrases is supported by a chunk that holds `found`, sorted. No phrase: nothing was shown.
#[must_use]
pub fn supports(phrases: &[u32], found: &[u32]) -> bool {
    !phrases.is_empty() && phrases.iter().all(|phrase| found.binary_search(phrase).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_and_many_phrases_are_found_alike() {
        let text = "payment-service deploys during a release freeze require approval";
        let phrases = [
            "deploys",
            "deploy",
            "release freeze",
            "rollback",
            "approval",
            "require approvals",
            "a",
            "freeze",
        ];
        let expected: Vec<bool> = phrases.iter().map(|phrase| text.contains(phrase)).collect();
        assert_eq!(Phrases::new(phrases.to_vec()).found_in(text), expected);
        let many: Vec<&str> = phrases.iter().copied().cycle().take(80).collect();
        assert!(many.len() >= Phrases::WORTH_AN_AUTOMATON);
        let expected: Vec<bool> = expected.into_iter().cycle().take(80).collect();
        assert_eq!(Phrases::new(many).found_in(text), expected);
    }

    #[test]
    fn a_claim_without_phrases_is_supported_by_nothing() {
        assert!(supports(&[3, 1], &[1, 2, 3]) && !supports(&[1, 4], &[1, 2, 3]) && !supports(&[], &[1]));
    }
}
