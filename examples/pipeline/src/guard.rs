//! May the draft be said? It covers enough of the question, and every sentence stands in a chunk that was retrieved.

use crate::answer::Draft;
use crate::corpus::Chunk;
use crate::knobs::Knobs;
use crate::text;

/// What is said instead: the words that karat reads as a refusal.
pub(crate) const REFUSAL: &str = "not in context";

/// Why a draft may not be said; `None` lets it pass.
pub(crate) fn objection(draft: Option<&Draft>, chunks: &[Chunk], knobs: &Knobs) -> Option<String> {
    let Some(draft) = draft else {
        return Some("nothing that was retrieved shares a word with the question".into());
    };
    if draft.covers < knobs.refuse_below {
        return Some(format!(
            "the best sentence covers {:.2} of the question, less than refuse_below = {}",
            draft.covers, knobs.refuse_below
        ));
    }
    let stands = |sentence: &str| {
        draft
            .from
            .iter()
            .filter_map(|&n| chunks.get(n))
            .any(|c| c.sentences.iter().any(|s| s.text == sentence))
    };
    text::sentences(&draft.claim)
        .into_iter()
        .find(|sentence| !stands(sentence))
        .map(|sentence| format!("{sentence:?} stands in no cited chunk"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    fn check(claim: &str, covers: f64, expected: Option<&str>) {
        let chunks = corpus::chunks();
        let from = chunks.iter().position(|chunk| chunk.id == "refunds#2").into_iter().collect();
        let draft = Draft { claim: claim.to_owned(), from, covers };
        assert_eq!(objection(Some(&draft), &chunks, &Knobs::default()).as_deref(), expected, "{claim}");
    }

    #[test]
    fn only_what_stands_in_the_section_and_covers_enough_is_said() {
        let whole = "Refunds reach a card within five working days. Vouchers are credited the same day.";
        check(whole, 0.55, None);
        check("Vouchers are credited the same day.", 1.0, None);
        check(
            whole,
            0.54,
            Some("the best sentence covers 0.54 of the question, less than refuse_below = 0.55"),
        );
        check(
            "Refunds reach a card within nine working days.",
            1.0,
            Some("\"Refunds reach a card within nine working days.\" stands in no cited chunk"),
        );
        assert_eq!(
            objection(None, &corpus::chunks(), &Knobs::default()).as_deref(),
            Some("nothing that was retrieved shares a word with the question")
        );
    }
}
