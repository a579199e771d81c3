//! A retriever's run: what was asked, what came back in which order, how far it is in meaning, and what the answer cites.
//!
//! Source: WFGY Global Fix Map: chunking evaluation.

pub(super) mod blocks;
pub(super) mod gold;
pub(super) mod log;
pub mod trace;
pub(super) mod trec;
mod values;

use crate::dialects::{Dialect, Field, Shape};

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "ranked",
    summary: "A ranking for one wording of a question, and what the answer cites of it; blocks in a table of their own.",
    source: "WFGY Global Fix Map: chunking evaluation",
    gold: &[
        Field::new("qid", Shape::Id, "The question's id; unique.").required("`qid`: a string or a whole number, not empty"),
        Field::new("paraphrases", Shape::Texts, "The wordings that the question is asked in."),
        Field::new("relevant", Shape::Graded, "The blocks that answer it, at least one: a list, or an object of ids and grades. Grade 0 means judged and not relevant.").required("`relevant`: a list of ids, or an object of ids and grades"),
        Field::new("anchor_section", Shape::Text, "The section that contains the answer."),
        Field::new("negatives", Shape::Ids, "Blocks near the right ones that must not rank above them."),
        Field::new("offsets", Shape::OffsetsByName, "Where relevant blocks lie, by id; the block table takes precedence."),
    ],
    trace: &[
        Field::new("qid", Shape::Id, "The question.").required("`qid`: a string or a whole number, not empty"),
        Field::new("query", Shape::Text, "The wording that was asked."),
        Field::new("paraphrase", Shape::Whole, "Which of gold's wordings it is, counted from 0; if absent, `query` is looked up among them. Any other wording is a further paraphrase."),
        Field::new("seed", Shape::Whole, "The seed of the run; 0 by default."),
        Field::new("topk", Shape::Objects(RETRIEVED), "What was retrieved, best first, each id once."),
        Field::new("ΔS", Shape::Numbers, "How far each of them is from the question, 0 to 1, in the order of `topk` (`delta_s` and `ds` are read too)."),
        Field::new("query_vec", Shape::Numbers, "The question's vector; an absent ΔS is computed as 1 − cosine."),
        Field::new("λ_state", Shape::Text, "`→` `->`, `←` `<-`, `<>`, `×` `x`, or convergent, divergent, recursive, chaotic (`lambda_state` is read too). Without it, karat derives the state from what the runs cite."),
        Field::new("answer_citations", Shape::Objects(CITED), "What the answer cites, in its order. Whatever it contains is scored, never refused, except for offsets."),
        Field::new("index_hash", Shape::Id, "The index that was asked; all traces of one side must name the same."),
        Field::new("anchor", Shape::Any, "Not scored: gold's anchor counts."),
        Field::new("ts", Shape::Any, "When; not scored."),
    ],
    others: &[("blocks", BLOCK)],
    ..Dialect::PLAIN
};

const RETRIEVED: &[Field] = &[
    Field::new("id", Shape::Id, "The block.").required("`id`: a string or a whole number, not empty"),
    Field::new("score", Shape::Number, "Its score; the order of the list counts."),
    Field::new("offsets", Shape::Offsets, "Where it lies; not scored."),
    Field::new("type", Shape::Text, "Its type of content; beats the block table and the id's tag."),
    Field::new("vec", Shape::Numbers, "Its vector."),
];

const CITED: &[Field] = &[
    Field::new("id", Shape::Any, "The block."),
    Field::new(
        "offsets",
        Shape::Offsets,
        "The part of the text that is cited; without it a citation is not accurate.",
    ),
];

/// The fields of a block table's rows.
const BLOCK: &[Field] = &[
    Field::new("id", Shape::Id, "The block's id; unique.")
        .not_blank()
        .required("`id`: a string or a whole number, not empty"),
    Field::new("offsets", Shape::Offsets, "Where it lies in the frozen text."),
    Field::new(
        "type",
        Shape::Text,
        "Its type of content: prose (or paragraph), code, table, figure; any other word is `other`. Without it, the id's tag decides.",
    ),
    Field::new(
        "section_id",
        Shape::Text,
        "Its section; without it, the id decides: S.4.2.p.Bk011a lies in S.4.2.",
    ),
];
