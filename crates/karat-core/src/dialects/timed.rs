//! A timed request: a trace of `answers` that also tells how long it took, under which knobs and which load; or a row of a
//! CSV that tells nothing else.
//!
//! Source: seed 002.

use super::{Dialect, Field, Shape};

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "timed",
    suite: "latency",
    summary: "A trace of `answers`, its fields beside these, that tells how long it took, under which knobs and load; gold is that of `answers`. Or times alone as CSV (`--latency-csv`), under a header that may come again.",
    source: "seed 002",
    gold: &[],
    trace: &[
        Field::new("qid", Shape::Id, "The case; one that gold does not have is an error."),
        Field::new("e2e_ms", Shape::Number, "Milliseconds from question to validated answer, 0 or more."),
        Field::new(
            "stage_ms",
            Shape::Record(STAGES),
            "Milliseconds by stage; their sum stands for `e2e_ms` where that is absent.",
        ),
        KNOBS,
        LOAD,
    ],
    others: &[("latency-csv", COLUMNS)],
    by_field: None,
};

const KNOBS: Field = Field::new(
    "knobs",
    Shape::Record(&[]),
    "The settings that name a point of the curve, in any order of keys; at most 4,096 bytes.",
);

const LOAD: Field = Field::new("load_rps", Shape::Number, "Requests a second while it ran, 0 or more.");

const STAGES: &[Field] = &[
    Field::new("retrieval", Shape::Number, "Finding candidates."),
    Field::new("rerank", Shape::Number, "Sorting them."),
    Field::new("llm", Shape::Number, "Writing the answer."),
    Field::new("guard", Shape::Number, "Checking it."),
];

const COLUMNS: &[Field] = &[
    Field::new("ts", Shape::Any, "When; not looked at."),
    Field::new("qid", Shape::Id, "The case; checked where there is gold."),
    Field::new("e2e_ms", Shape::Number, "Milliseconds from question to answer."),
    Field::new("retrieval_ms", Shape::Number, "Finding candidates."),
    Field::new("rerank_ms", Shape::Number, "Sorting them."),
    Field::new("llm_ms", Shape::Number, "Writing the answer."),
    Field::new("guard_ms", Shape::Number, "Checking it."),
    Field::new("knobs", Shape::Text, "An object as JSON text, quoted, its quotes doubled."),
    LOAD,
];
