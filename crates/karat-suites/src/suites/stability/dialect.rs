//! One question asked again and again: a trace of `answers` with the seed and the jitter of its run.
//!
//! Source: WFGY Problem Map: semantic stability. The answer itself is read as `answers` reads it, in either dialect.

use crate::dialects::{Dialect, Field, Shape, TRACE_ENVELOPE};
use crate::suites::answers::{self, dialects::answer_json};

/// The declaration.
pub const DIALECT: Dialect = Dialect {
    name: "repeated",
    summary: "A trace of `answers`, in either of its dialects, with the `seed`, the `jitter` and the `paraphrase` of its run; gold is that of `answers`.",
    source: "WFGY Problem Map: semantic stability",
    trace: &[
        TRACE_ENVELOPE[0],
        TRACE_ENVELOPE[1],
        Field::new("seed", Shape::Whole, "The seed of the run; 0 if absent."),
        Field::new("jitter", Shape::Text, "How the question was reworded; `none` where absent."),
        Field::new(
            "paraphrase",
            Shape::Whole,
            "Which of gold's `paraphrases` was asked, counted from 0; if absent, the question itself.",
        ),
        Field::new(
            "knobs",
            Shape::Record(&[]),
            "The settings of the pipeline; all runs of a log must have the same.",
        ),
        answer_json::DIALECT.trace[2],
        answer_json::DIALECT.trace[3],
        TRACE_ENVELOPE[2],
        TRACE_ENVELOPE[3],
        TRACE_ENVELOPE[4],
        TRACE_ENVELOPE[5],
    ],
    base: answers::dialects::ALL,
    ..Dialect::PLAIN
};
