//! Does a row forbid what it requires?

use super::Lint;
use crate::problem::GOLD_FORBIDDEN_REQUIRED;
use crate::text;

/// The declaration.
pub const LINT: Lint = Lint {
    name: "forbidden_required",
    kind: &GOLD_FORBIDDEN_REQUIRED,
    method: "A forbidden text occurs, lower-cased, in a substring that the claim must contain: in one of them if all must occur, in every one of them if one must.",
    look: |set, found| {
        for row in &set.rows {
            let usable = || row.phrases.iter().map(|(phrase, _)| phrase.to_lowercase());
            let usable: Vec<String> = usable().filter(|phrase| phrase.chars().nth(4).is_some()).collect();
            let lower: Vec<String> = row.forbidden.iter().map(|(text, _)| text.to_lowercase()).collect();
            if usable.len().saturating_mul(lower.len()) > 1_000_000 {
                continue; // no person wrote this row, and the lint would take minutes
            }
            let barred = |phrase: &String| {
                lower.iter().position(|bar| !bar.is_empty() && phrase.contains(bar.as_str()))
            };
            let hopeless = if row.match_all {
                usable.iter().find_map(barred)
            } else {
                let all: Option<Vec<usize>> = usable.iter().map(barred).collect();
                all.and_then(|all| all.first().copied())
            };
            if let Some((i, (bar, at))) = hopeless.and_then(|i| row.forbidden.get(i).map(|bar| (i, bar))) {
                let bar = text::visible(bar);
                let message =
                    format!("\"{}\" is forbidden, but a right answer must say it", text::shorten(&bar, 60));
                let path = format!("forbidden_substr[{i}]");
                found.at(at, &path, message, "expected a text that no right answer contains");
            }
        }
    },
};
