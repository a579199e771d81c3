//! Does a chunk say what a claim says? All of the claim's phrases must stand in that one chunk's lower-cased text.

use aho_corasick::AhoCorasick;

/// Which of these phrases stand in a text. One pass, however many there are; both sides are lower-cased already.
#[must_use]
pub fn phrases_in<'p>(text: &str, phrases: impl Iterator<Item = &'p str> + Clone) -> Vec<bool> {
    /// For fewer, an automaton costs more than it saves.
    const WORTH_AN_AUTOMATON: usize = 6;
    let count = phrases.clone().count();
    if count < WORTH_AN_AUTOMATON {
        return phrases.map(|phrase| text.contains(phrase)).collect();
    }
    let Ok(automaton) = AhoCorasick::new(phrases.clone()) else {
        return phrases.map(|phrase| text.contains(phrase)).collect();
    };
    let mut found = vec![false; count];
    let mut left = count;
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
        assert_eq!(phrases_in(text, phrases.iter().copied()), expected);
        assert_eq!(phrases_in(text, phrases[..3].iter().copied()), expected[..3]);
    }

    #[test]
    fn a_claim_without_phrases_is_supported_by_nothing() {
        assert!(supports(&[3, 1], &[1, 2, 3]) && !supports(&[1, 4], &[1, 2, 3]) && !supports(&[], &[1]));
    }
}
