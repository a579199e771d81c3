//! Ratings: what a scholar and an auditor, or any number of raters, say of each answer.
//!
//! Source: WFGY Problem Map: cross-agent consistency.

use super::{Dialect, Field, Shape};

/// The labels that raters give.
const LABELS: &[&str] = &["VALID", "NOT_IN_CONTEXT", "REJECT", "ABSTAIN", "INVALID"];

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "ratings",
    suite: "agreement",
    summary: "What a scholar and an auditor say about each answer (`--pairs`), or one file per rater (`--rater`).",
    source: "WFGY Problem Map: cross-agent consistency",
    gold: &[],
    trace: &[
        Field { name: "qid", shape: Shape::Id, required: true, doc: "The answer that is judged." },
        Field {
            name: "scholar",
            shape: Shape::Object(RATING),
            required: false,
            doc: "The first rater's rating.",
        },
        Field {
            name: "auditor",
            shape: Shape::Object(RATING),
            required: false,
            doc: "The second rater's rating.",
        },
        Field {
            name: "answer_json",
            shape: Shape::Any,
            required: false,
            doc: "The answer: its `citations` must lie within `retrieved_ids`.",
        },
        Field {
            name: "retrieved_ids",
            shape: Shape::Ids,
            required: false,
            doc: "What was retrieved for it.",
        },
        Field {
            name: "flags",
            shape: Shape::Object(&[
                Field {
                    name: "provenance_violation",
                    shape: Shape::Bool,
                    required: false,
                    doc: "If true, the answer is rejected, whatever raters say.",
                },
                Field {
                    name: "constraints_mismatch",
                    shape: Shape::Bool,
                    required: false,
                    doc: "If true, the answer is rejected, whatever raters say.",
                },
            ]),
            required: false,
            doc: "Hard flags.",
        },
    ],
    others: &[("rater", RATER)],
    by_field: None,
};

const RATING: &[Field] = &[
    Field { name: "label", shape: Shape::OneOf(LABELS), required: true, doc: "What the rater says." },
    Field { name: "reason", shape: Shape::Any, required: false, doc: "Why; for people." },
];

const RATER: &[Field] = &[
    Field { name: "qid", shape: Shape::Id, required: true, doc: "The answer that is judged." },
    RATING[0],
    RATING[1],
];
