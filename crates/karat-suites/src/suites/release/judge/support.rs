//! Support: a chunk supports a claim if its lower-cased text contains all phrases of the claim.

use aho_corasick::AhoCorasick;

/// Phrases to search for in many texts; phrases and texts must be lower-cased.
pub struct Phrases<'p> {
    phrases: Vec<&'p str>,
    /// Searches for many phrases in one pass over a text.
    automaton: Option<AhoCorasick>,
}

impl<'p> Phrases<'p> {
    /// The fewest phrases for which an automaton pays off.
    pub const WORTH_AN_AUTOMATON: usize = 40;

    /// Prepares a search for these phrases.
    #[must_use]
    pub fn new(phrases: Vec<&'p str>) -> Self {
        let many = phrases.len() >= Self::WORTH_AN_AUTOMATON;
        let automaton = many.then(|| AhoCorasick::new(&phrases).ok()).flatten();
        Phrases { phrases, automaton }
    }

    /// The phrases that occur in a text.
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

/// Whether a chunk that contains `found`, sorted, supports a claim with these phrases. Without phrases nothing is supported.
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
        let phrases = "deploys,deploy,release freeze,rollback,approval,require approvals,a,freeze";
        let phrases: Vec<&str> = phrases.split(',').collect();
        let expected: Vec<bool> = phrases.iter().map(|phrase| text.contains(phrase)).collect();
        assert_eq!(Phrases::new(phrases.clone()).found_in(text), expected);
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
