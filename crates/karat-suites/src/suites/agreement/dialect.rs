//! Ratings: what a scholar and an auditor, or any number of raters, say of each answer.
//!
//! Source: WFGY Problem Map: cross-agent consistency.

use crate::dialects::{Dialect, Field, Shape};

/// The labels that raters give.
const LABELS: &[&str] = &["VALID", "NOT_IN_CONTEXT", "REJECT", "ABSTAIN", "INVALID"];

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "ratings",
    summary: "What a scholar and an auditor say about each answer (`--pairs`), or one file per rater (`--rater`).",
    source: "WFGY Problem Map: cross-agent consistency",
    trace: &[
        Field::new("qid", Shape::Id, "The answer that is judged.").required("a `qid`"),
        Field::new("scholar", Shape::Object(RATING), "The first rater's rating."),
        Field::new("auditor", Shape::Object(RATING), "The second rater's rating."),
        Field::new("answer_json", Shape::Any, "The answer: its `citations` must lie within `retrieved_ids`."),
        Field::new("retrieved_ids", Shape::Ids, "What was retrieved for it."),
        Field::new(
            "flags",
            Shape::Object(&[
                Field::new(
                    "provenance_violation",
                    Shape::Bool,
                    "If true, the answer is rejected, whatever raters say.",
                ),
                Field::new(
                    "constraints_mismatch",
                    Shape::Bool,
                    "If true, the answer is rejected, whatever raters say.",
                ),
            ]),
            "Hard flags.",
        ),
    ],
    trace_role: "pairs",
    others: &[("rater", RATER)],
    ..Dialect::PLAIN
};

const RATING: &[Field] = &[
    Field::new("label", Shape::OneOf(LABELS), "What the rater says.").required("a label"),
    Field::new("reason", Shape::Any, "Why; for people."),
];

const RATER: &[Field] =
    &[Field::new("qid", Shape::Id, "The answer that is judged.").required("a `qid`"), RATING[0], RATING[1]];
