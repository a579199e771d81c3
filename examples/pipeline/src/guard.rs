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
