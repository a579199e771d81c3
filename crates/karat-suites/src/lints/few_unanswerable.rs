//! Can the gold set measure refusal?

use super::Lint;
use crate::lint::Contract;
use crate::problem::GOLD_FEW_UNANSWERABLE;
use crate::text;

/// The declaration.
pub const LINT: Lint = Lint {
    name: "few_unanswerable",
    kind: &GOLD_FEW_UNANSWERABLE,
    method: "Fewer than one row in ten of a set of `answers` is unanswerable.",
    look: |set, found| {
        if set.contract != Contract::Answers {
            return;
        }
        let (rows, none) =
            (set.rows.len(), set.rows.iter().filter(|row| row.answerable == Some(false)).count());
        if none * 10 >= rows {
            return;
        }
        let message = if none == 0 {
            "every row is answerable: a pipeline that never refuses would pass".to_owned()
        } else {
            let (none, rows) = (text::group(none as u64), text::count(rows as u64, "row"));
            format!("{none} of {rows} are unanswerable: a single answer decides under_refusal")
        };
        found.of_file(message, "expected one unanswerable row in ten or more");
    },
};
