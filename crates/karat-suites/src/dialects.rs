//! The dialects of every suite, and what a trace must keep to, whichever suite reads it.

use karat_input::field::{self, TraceContract};

pub use crate::dialect::{Dialect, Field, Shape};
use crate::rows::{TraceRow, Wrong};
use crate::suites::{self, latency};

/// Every dialect, in the order of the suites.
pub fn all() -> impl Iterator<Item = &'static Dialect> {
    suites::ALL.iter().flat_map(|suite| suite.dialects).copied()
}

/// What a trace must keep to, whichever suite reads it.
pub const TRACE_CONTRACT: TraceContract = TraceContract { fields, keys, refused };

fn fields() -> Vec<&'static str> {
    let declared = all().flat_map(|dialect| dialect.trace).map(|field| field.name);
    declared.chain(["delta_s", "ds", "lambda_state"]).collect()
}

fn keys() -> Vec<&'static str> {
    field::keys(all().map(|dialect| dialect.trace).chain([TRACE_ENVELOPE]))
}

fn refused(line: &str) -> Vec<Wrong> {
    let mut row = TraceRow::default();
    row.read(line, |_| Some(0));
    let mut wrong = std::mem::take(&mut row.wrong);
    wrong.extend(latency::refused(line));
    wrong
}

/// Fields that every dialect shares, read here.
pub const TRACE_ENVELOPE: &[Field] = &[
    Field::new(
        "qid",
        Shape::Id,
        "The case this trace belongs to (`q_id` is read too). Without it, the question decides.",
    ),
    Field::new(
        "q",
        Shape::Text,
        "The question (`question` is read too); joins by exact text if `qid` is absent.",
    ),
    Field::new(
        "ok",
        Shape::Bool,
        "If false and there is no claim, the pipeline failed; counted as `errored`.",
    ),
    Field::new("reason", Shape::Any, "Why the pipeline stopped; not scored."),
    Field::new("ts", Shape::Any, "When; not scored."),
    Field::new("stage_ms", Shape::Any, "Time by stage; not scored by this suite."),
];
