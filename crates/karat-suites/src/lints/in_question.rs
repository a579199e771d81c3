//! Would an answer that only repeats the question pass?

use super::Lint;
use crate::problem::GOLD_IN_QUESTION;
use crate::text;

/// The declaration.
pub const LINT: Lint = Lint {
    name: "in_question",
    kind: &GOLD_IN_QUESTION,
    method: "A gold substring of five characters or more occurs, lower-cased, in the row's own question.",
    look: |set, found| {
        for row in set.rows.iter().filter(|row| row.answerable != Some(false)) {
            let asked: Vec<String> =
                row.questions.iter().map(|(question, _)| question.to_lowercase()).collect();
            let asked_bytes: usize = asked.iter().map(String::len).sum();
            if row.phrases.len().saturating_mul(asked_bytes) > 100_000_000 {
                continue; // no person wrote this row, and the lint would take minutes
            }
            for (i, (phrase, at)) in row.phrases.iter().enumerate() {
                let lower = phrase.to_lowercase();
                if lower.chars().nth(4).is_some() && asked.iter().any(|question| question.contains(&lower)) {
                    let phrase = text::visible(phrase);
                    let message = format!("\"{}\" occurs in the question itself", text::shorten(&phrase, 60));
                    let path = format!("gold_claim_substr[{i}]");
                    let expected = "expected a phrase that only a right answer says";
                    found.at(at, &path, message, expected);
                }
            }
        }
    },
};
