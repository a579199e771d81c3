//! A staged evidence path: what was retrieved, reranked and selected, under which versions, and the claims at its end.
//!
//! Source: Permission-safe RAG evaluation.

pub(crate) mod cases;
pub(crate) mod evidence;
pub(crate) mod gold;
pub(crate) mod row;

use crate::dialects::{Dialect, Field, Shape};

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "staged",
    summary: "An evidence path stage by stage, and the claims at its end; evidence in a store of its own.",
    source: "Permission-safe RAG evaluation",
    gold: &[
        Field::new("case_id", Shape::Id, "The case's id; unique.")
            .required("a string or a whole number, not empty"),
        Field::new("question", Shape::Text, "The question."),
        Field::new("required_source_ids", Shape::Ids, "The chunks that the answer needs; at least one.")
            .required("a list of chunk ids, at least one"),
        Field::new("required_points", Shape::Texts, "The points that the answer must make; at least one.")
            .required("a list of points, at least one"),
        Field::new(
            "points",
            Shape::TextsByName,
            "For each point, the phrases that a chunk must contain, all of them, to support a claim of it.",
        ),
        Field::new(
            "workflow",
            Shape::Any,
            "What the report is sliced by, unless --slice names another field.",
        ),
    ],
    trace: TRACE,
    others: &[("evidence", EVIDENCE)],
    ..Dialect::PLAIN
};

const TRACE: &[Field] = &[
    Field::new("name", Shape::Id, "What the report calls this row; if absent, its `case_id`."),
    Field::new("case_id", Shape::Id, "The gold case.").required("a string or a whole number, not empty"),
    Field::new(
        "trace",
        Shape::Record(PATH),
        "The evidence path. Its fields, except `case_id`, may also be at the top level.",
    ),
    Field::new(
        "answer",
        Shape::Object(&[
            Field::new("answer_id", Shape::Any, "A name for it; not scored."),
            Field::new("claims", Shape::Objects(CLAIM), "What it claims, one by one."),
        ]),
        "The model's answer. Whatever it contains is scored, never refused.",
    ),
    Field::new(
        "should_release",
        Shape::Bool,
        "Makes the row a control, and says whether it should be released. A row without it is a production trace, which should be released.",
    ),
];

const PATH: &[Field] = &[
    Field::new("case_id", Shape::Id, "The case that was run; it must be the row's own."),
    Field::new("first_stage_ids", Shape::Ids, "What the first search returned, best first."),
    Field::new("rerank_input_ids", Shape::Ids, "What the reranker was given."),
    Field::new("reranked_ids", Shape::Ids, "What it returned, best first."),
    Field::new("selected_context_ids", Shape::Ids, "What was put in the prompt."),
    Field::new("selected_versions", Shape::Texts, "The version of each of them, in the same order."),
    Field::new(
        "versions",
        Shape::Pairs,
        "The version of each part of the pipeline: an object, or a list of [name, value].",
    ),
    Field::new(
        "principal",
        Shape::Record(PRINCIPAL),
        "Who asked. Without one, no chunk with an `acl` is permitted.",
    ),
    Field::new("ts", Shape::Time, "When. Without it, no chunk with a validity window is current."),
];

const PRINCIPAL: &[Field] =
    &[Field::new("user", Shape::Text, "The user."), Field::new("groups", Shape::Texts, "The user's groups.")];

const CLAIM: &[Field] = &[
    Field::new("claim_id", Shape::Any, "A name for it."),
    Field::new("text", Shape::Any, "What it says; for people."),
    Field::new("citation_id", Shape::Any, "The chunk it cites, or null."),
    Field::new(
        "support_phrases",
        Shape::Any,
        "Phrases that must support it, if gold has none for its point; read in controls, or with --trust-claim-phrases.",
    ),
    Field::new("answer_point", Shape::Any, "The point that it makes."),
];

const EVIDENCE: &[Field] = &[
    Field::new("chunk_id", Shape::Id, "The chunk's id; unique.").not_blank().required("`chunk_id`"),
    Field::new("document_id", Shape::Id, "Its document; not scored."),
    Field::new("parent_id", Shape::Id, "Its parent; not scored."),
    Field::new("version", Shape::Text, "Its version.").not_blank().required("`version`"),
    Field::new("permitted", Shape::Bool, "If false, no answer may use it.").required("`permitted`"),
    Field::new("current", Shape::Bool, "If false, it is out of date.").required("`current`"),
    Field::new("text", Shape::Text, "What it says. No report prints it.").required("`text`"),
    Field::new("acl", Shape::Texts, "Who may see it: `user:NAME`, `group:NAME`. An empty list means nobody."),
    Field::new("valid_from", Shape::Time, "Current from this time on."),
    Field::new("valid_until", Shape::Time, "Current before this time."),
];
