//! A staged evidence path: what was retrieved, reranked and selected, under which versions, and the claims at its end.
//!
//! Source: Permission-safe RAG evaluation.

use super::{Dialect, Field, Shape};

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "staged",
    suite: "release",
    summary: "An evidence path stage by stage, and the claims at its end; evidence in a store of its own.",
    source: "Permission-safe RAG evaluation",
    gold: &[
        Field { name: "case_id", shape: Shape::Id, required: true, doc: "The case's id; unique." },
        Field { name: "question", shape: Shape::Text, required: false, doc: "The question." },
        Field {
            name: "required_source_ids",
            shape: Shape::Ids,
            required: true,
            doc: "The chunks that the answer needs; at least one.",
        },
        Field {
            name: "required_points",
            shape: Shape::Texts,
            required: true,
            doc: "The points that the answer must make; at least one.",
        },
        Field {
            name: "points",
            shape: Shape::TextsByName,
            required: false,
            doc: "For each point, the phrases that a chunk must contain, all of them, to support a claim of it.",
        },
        Field {
            name: "workflow",
            shape: Shape::Any,
            required: false,
            doc: "What the report is sliced by, unless --slice names another field.",
        },
    ],
    trace: &[
        Field {
            name: "name",
            shape: Shape::Id,
            required: false,
            doc: "What the report calls this row; if absent, its `case_id`.",
        },
        Field { name: "case_id", shape: Shape::Id, required: true, doc: "The gold case." },
        Field {
            name: "trace",
            shape: Shape::Record(PATH),
            required: false,
            doc: "The evidence path. Its fields, except `case_id`, may also be at the top level.",
        },
        Field {
            name: "answer",
            shape: Shape::Object(&[
                Field {
                    name: "answer_id",
                    shape: Shape::Any,
                    required: false,
                    doc: "A name for it; not scored.",
                },
                Field {
                    name: "claims",
                    shape: Shape::Objects(CLAIM),
                    required: false,
                    doc: "What it claims, one by one.",
                },
            ]),
            required: false,
            doc: "The model's answer. Whatever it contains is scored, never refused.",
        },
        Field {
            name: "should_release",
            shape: Shape::Bool,
            required: false,
            doc: "Makes the row a control, and says whether it should be released. A row without it is a production trace, which should be released.",
        },
    ],
    others: &[("evidence", EVIDENCE)],
    by_field: None,
};

const PATH: &[Field] = &[
    Field {
        name: "case_id",
        shape: Shape::Id,
        required: false,
        doc: "The case that was run; it must be the row's own.",
    },
    Field {
        name: "first_stage_ids",
        shape: Shape::Ids,
        required: false,
        doc: "What the first search returned, best first.",
    },
    Field {
        name: "rerank_input_ids",
        shape: Shape::Ids,
        required: false,
        doc: "What the reranker was given.",
    },
    Field { name: "reranked_ids", shape: Shape::Ids, required: false, doc: "What it returned, best first." },
    Field {
        name: "selected_context_ids",
        shape: Shape::Ids,
        required: false,
        doc: "What was put in the prompt.",
    },
    Field {
        name: "selected_versions",
        shape: Shape::Texts,
        required: false,
        doc: "The version of each of them, in the same order.",
    },
    Field {
        name: "versions",
        shape: Shape::Pairs,
        required: false,
        doc: "The version of each part of the pipeline: an object, or a list of [name, value].",
    },
    Field {
        name: "principal",
        shape: Shape::Record(&[
            Field { name: "user", shape: Shape::Text, required: false, doc: "The user." },
            Field { name: "groups", shape: Shape::Texts, required: false, doc: "The user's groups." },
        ]),
        required: false,
        doc: "Who asked. Without one, no chunk with an `acl` is permitted.",
    },
    Field {
        name: "ts",
        shape: Shape::Time,
        required: false,
        doc: "When. Without it, no chunk with a validity window is current.",
    },
];

const CLAIM: &[Field] = &[
    Field { name: "claim_id", shape: Shape::Any, required: false, doc: "A name for it." },
    Field { name: "text", shape: Shape::Any, required: false, doc: "What it says; for people." },
    Field { name: "citation_id", shape: Shape::Any, required: false, doc: "The chunk it cites, or null." },
    Field {
        name: "support_phrases",
        shape: Shape::Any,
        required: false,
        doc: "Phrases that must support it, if gold has none for its point; read in controls, or with --trust-claim-phrases.",
    },
    Field { name: "answer_point", shape: Shape::Any, required: false, doc: "The point that it makes." },
];

const EVIDENCE: &[Field] = &[
    Field { name: "chunk_id", shape: Shape::Id, required: true, doc: "The chunk's id; unique." },
    Field { name: "document_id", shape: Shape::Id, required: false, doc: "Its document; not scored." },
    Field { name: "parent_id", shape: Shape::Id, required: false, doc: "Its parent; not scored." },
    Field { name: "version", shape: Shape::Text, required: true, doc: "Its version." },
    Field { name: "permitted", shape: Shape::Bool, required: true, doc: "If false, no answer may use it." },
    Field { name: "current", shape: Shape::Bool, required: true, doc: "If false, it is out of date." },
    Field { name: "text", shape: Shape::Text, required: true, doc: "What it says. No report prints it." },
    Field {
        name: "acl",
        shape: Shape::Texts,
        required: false,
        doc: "Who may see it: `user:NAME`, `group:NAME`. An empty list means nobody.",
    },
    Field { name: "valid_from", shape: Shape::Time, required: false, doc: "Current from this time on." },
    Field { name: "valid_until", shape: Shape::Time, required: false, doc: "Current before this time." },
];
