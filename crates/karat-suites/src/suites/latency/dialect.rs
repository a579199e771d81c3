//! A timed request: a trace of `answers` that also tells how long it took, under which knobs and which load; or a row of a
//! CSV that tells nothing else.
//!
//! Source: WFGY Problem Map: latency vs accuracy.

use crate::dialects::{Dialect, Field, Shape};
use crate::suites::answers;

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "timed",
    summary: "A trace of `answers` with the time that it took, its knobs and its load; gold is that of `answers`. Or times alone as CSV (`--latency-csv`), under a header that may come again.",
    source: "WFGY Problem Map: latency vs accuracy",
    trace: &[
        Field::new("qid", Shape::Id, "The case; an error if gold does not have it."),
        Field::new("e2e_ms", Shape::Number, "Milliseconds from question to validated answer, 0 or more."),
        Field::new(
            "stage_ms",
            Shape::Record(STAGES),
            "Milliseconds by stage; their sum replaces an absent `e2e_ms`.",
        ),
        KNOBS,
        LOAD,
    ],
    columns: &[("latency-csv", COLUMNS)],
    base: answers::dialects::ALL,
    ..Dialect::PLAIN
};

const KNOBS: Field = Field::new(
    "knobs",
    Shape::Record(&[]),
    "The settings that identify a point of the curve, with keys in any order; at most 4,096 bytes.",
);

const LOAD: Field = Field::new("load_rps", Shape::Number, "Requests per second during the run, 0 or more.");

const STAGES: &[Field] = &[
    Field::new("retrieval", Shape::Number, "Finding candidates."),
    Field::new("rerank", Shape::Number, "Sorting them."),
    Field::new("llm", Shape::Number, "Writing the answer."),
    Field::new("guard", Shape::Number, "Checking it."),
];

const COLUMNS: &[Field] = &[
    Field::new("ts", Shape::Any, "When; not used."),
    Field::new("qid", Shape::Id, "The case; checked if there is gold."),
    Field::new("e2e_ms", Shape::Number, "Milliseconds from question to answer."),
    Field::new("retrieval_ms", Shape::Number, "Finding candidates."),
    Field::new("rerank_ms", Shape::Number, "Sorting them."),
    Field::new("llm_ms", Shape::Number, "Writing the answer."),
    Field::new("guard_ms", Shape::Number, "Checking it."),
    Field::new("knobs", Shape::Text, "An object as JSON text, quoted, its quotes doubled."),
    LOAD,
];
