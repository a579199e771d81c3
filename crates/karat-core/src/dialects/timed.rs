//! A timed request: a trace of `answers` that also tells how long it took, under which knobs and which load; or a row of a
//! CSV that tells nothing else.
//!
//! Source: WFGY Problem Map: latency vs accuracy.

use super::{Dialect, Field, Shape};

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "timed",
    suite: "latency",
    summary: "A trace of `answers` with the time that it took, its knobs and its load; gold is that of `answers`. Or times alone as CSV (`--latency-csv`), under a header that may come again.",
    source: "WFGY Problem Map: latency vs accuracy",
    gold: &[],
    trace: &[
        Field {
            name: "qid",
            shape: Shape::Id,
            required: false,
            doc: "The case; an error if gold does not have it.",
        },
        Field {
            name: "e2e_ms",
            shape: Shape::Number,
            required: false,
            doc: "Milliseconds from question to validated answer, 0 or more.",
        },
        Field {
            name: "stage_ms",
            shape: Shape::Record(STAGES),
            required: false,
            doc: "Milliseconds by stage; their sum replaces an absent `e2e_ms`.",
        },
        KNOBS,
        LOAD,
    ],
    others: &[("latency-csv", COLUMNS)],
    by_field: None,
};

const KNOBS: Field = Field {
    name: "knobs",
    shape: Shape::Record(&[]),
    required: false,
    doc: "The settings that identify a point of the curve, with keys in any order; at most 4,096 bytes.",
};

const LOAD: Field = Field {
    name: "load_rps",
    shape: Shape::Number,
    required: false,
    doc: "Requests per second during the run, 0 or more.",
};

const STAGES: &[Field] = &[
    Field { name: "retrieval", shape: Shape::Number, required: false, doc: "Finding candidates." },
    Field { name: "rerank", shape: Shape::Number, required: false, doc: "Sorting them." },
    Field { name: "llm", shape: Shape::Number, required: false, doc: "Writing the answer." },
    Field { name: "guard", shape: Shape::Number, required: false, doc: "Checking it." },
];

const COLUMNS: &[Field] = &[
    Field { name: "ts", shape: Shape::Any, required: false, doc: "When; not used." },
    Field { name: "qid", shape: Shape::Id, required: false, doc: "The case; checked if there is gold." },
    Field {
        name: "e2e_ms",
        shape: Shape::Number,
        required: false,
        doc: "Milliseconds from question to answer.",
    },
    Field { name: "retrieval_ms", shape: Shape::Number, required: false, doc: "Finding candidates." },
    Field { name: "rerank_ms", shape: Shape::Number, required: false, doc: "Sorting them." },
    Field { name: "llm_ms", shape: Shape::Number, required: false, doc: "Writing the answer." },
    Field { name: "guard_ms", shape: Shape::Number, required: false, doc: "Checking it." },
    Field {
        name: "knobs",
        shape: Shape::Text,
        required: false,
        doc: "An object as JSON text, quoted, its quotes doubled.",
    },
    LOAD,
];
