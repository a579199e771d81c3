//! Does a text contain an invisible character?

use super::Lint;
use crate::problem::GOLD_HIDDEN_CHARACTER;
use crate::text;

/// The declaration.
pub const LINT: Lint = Lint {
    name: "hidden_character",
    kind: &GOLD_HIDDEN_CHARACTER,
    method: "An id, a chunk's id or a substring contains a control character, a directional mark, a zero-width space or a tag.",
    look: |set, found| {
        for row in &set.rows {
            let id = row.id.iter().map(|placed| ("its id", placed));
            let ids = row.citations.iter().map(|placed| ("a chunk's id", placed));
            let phrases = row.phrases.iter().chain(&row.forbidden).map(|placed| ("a substring", placed));
            for (what, (held, at)) in id.chain(ids).chain(phrases) {
                if let shown @ std::borrow::Cow::Owned(_) = text::visible(held) {
                    let message =
                        format!("{what} contains an invisible character: \"{}\"", text::shorten(&shown, 60));
                    found.at(at, "", message, "expected visible characters");
                }
            }
        }
    },
};
