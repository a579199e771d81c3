//! A retriever's run: what was asked, what came back in which order, how far it is in meaning, and what the answer cites.
//!
//! Source: WFGY Global Fix Map: chunking evaluation.

use super::{Dialect, Field, Shape};

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "ranked",
    suite: "retrieval",
    summary: "A ranking for one wording of a question, and what the answer cites of it; blocks in a table of their own.",
    source: "WFGY Global Fix Map: chunking evaluation",
    gold: &[
        Field { name: "qid", shape: Shape::Id, required: true, doc: "The question's id; unique." },
        Field {
            name: "paraphrases",
            shape: Shape::Texts,
            required: false,
            doc: "The wordings that the question is asked in.",
        },
        Field {
            name: "relevant",
            shape: Shape::Graded,
            required: true,
            doc: "The blocks that answer it, at least one: a list, or an object of ids and grades. Grade 0 means judged and not relevant.",
        },
        Field {
            name: "anchor_section",
            shape: Shape::Text,
            required: false,
            doc: "The section that contains the answer.",
        },
        Field {
            name: "negatives",
            shape: Shape::Ids,
            required: false,
            doc: "Blocks near the right ones that must not rank above them.",
        },
        Field {
            name: "offsets",
            shape: Shape::OffsetsByName,
            required: false,
            doc: "Where relevant blocks lie, by id; the block table takes precedence.",
        },
    ],
    trace: &[
        Field { name: "qid", shape: Shape::Id, required: true, doc: "The question." },
        Field { name: "query", shape: Shape::Text, required: false, doc: "The wording that was asked." },
        Field {
            name: "paraphrase",
            shape: Shape::Whole,
            required: false,
            doc: "Which of gold's wordings it is, counted from 0; if absent, `query` is looked up among them. Any other wording is a further paraphrase.",
        },
        Field {
            name: "seed",
            shape: Shape::Whole,
            required: false,
            doc: "The seed of the run; 0 by default.",
        },
        Field {
            name: "topk",
            shape: Shape::Objects(RETRIEVED),
            required: false,
            doc: "What was retrieved, best first, each id once.",
        },
        Field {
            name: "ΔS",
            shape: Shape::Numbers,
            required: false,
            doc: "How far each of them is from the question, 0 to 1, in the order of `topk` (`delta_s` and `ds` are read too).",
        },
        Field {
            name: "query_vec",
            shape: Shape::Numbers,
            required: false,
            doc: "The question's vector; an absent ΔS is computed as 1 − cosine.",
        },
        Field {
            name: "λ_state",
            shape: Shape::Text,
            required: false,
            doc: "`→` `->`, `←` `<-`, `<>`, `×` `x`, or convergent, divergent, recursive, chaotic (`lambda_state` is read too). Without it, karat derives the state from what the runs cite.",
        },
        Field {
            name: "answer_citations",
            shape: Shape::Objects(CITED),
            required: false,
            doc: "What the answer cites, in its order. Whatever it contains is scored, never refused, except for offsets.",
        },
        Field {
            name: "index_hash",
            shape: Shape::Id,
            required: false,
            doc: "The index that was asked; all traces of one side must name the same.",
        },
        Field {
            name: "anchor",
            shape: Shape::Any,
            required: false,
            doc: "Not scored: gold's anchor counts.",
        },
        Field { name: "ts", shape: Shape::Any, required: false, doc: "When; not scored." },
    ],
    others: &[("blocks", BLOCK)],
    by_field: None,
};

const RETRIEVED: &[Field] = &[
    Field { name: "id", shape: Shape::Id, required: true, doc: "The block." },
    Field {
        name: "score",
        shape: Shape::Number,
        required: false,
        doc: "Its score; the order of the list counts.",
    },
    Field { name: "offsets", shape: Shape::Offsets, required: false, doc: "Where it lies; not scored." },
    Field {
        name: "type",
        shape: Shape::Text,
        required: false,
        doc: "Its type of content; beats the block table and the id's tag.",
    },
    Field { name: "vec", shape: Shape::Numbers, required: false, doc: "Its vector." },
];

const CITED: &[Field] = &[
    Field { name: "id", shape: Shape::Any, required: false, doc: "The block." },
    Field {
        name: "offsets",
        shape: Shape::Offsets,
        required: false,
        doc: "The part of the text that is cited; without it a citation is not accurate.",
    },
];

const BLOCK: &[Field] = &[
    Field { name: "id", shape: Shape::Id, required: true, doc: "The block's id; unique." },
    Field {
        name: "offsets",
        shape: Shape::Offsets,
        required: false,
        doc: "Where it lies in the frozen text.",
    },
    Field {
        name: "type",
        shape: Shape::Text,
        required: false,
        doc: "Its type of content: prose (or paragraph), code, table, figure; any other word is `other`. Without it, the id's tag decides.",
    },
    Field {
        name: "section_id",
        shape: Shape::Text,
        required: false,
        doc: "Its section; without it, the id decides: S.4.2.p.Bk011a lies in S.4.2.",
    },
];
