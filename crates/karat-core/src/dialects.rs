//! Which input shapes does karat read, and how does a line of one become the model?
//!
//! A dialect is one file: its fields declared as data, from which schemas and docs come, and how they are read. Those of
//! `answers` are recognised by their fields, row by row: a row is offered to each of them, and what nobody takes is
//! skipped unread.

use karat_input::field::{self, TraceContract};
pub use karat_input::field::{Field, Shape};

use crate::input::json::{Reader, Syntax};
use crate::rows::{GoldRow, TraceRow, Wrong};
use crate::suites::{agreement, answers, latency, release, retrieval, stability};

/// Every dialect, in alphabetical order.
pub const ALL: &[&Dialect] = &[
    &answers::input::answer_json::DIALECT,
    &answers::input::cited_text::DIALECT,
    &retrieval::input::DIALECT,
    &agreement::input::DIALECT,
    &stability::input::DIALECT,
    &release::input::DIALECT,
    &latency::input::DIALECT,
];

/// An input shape, declared.
pub struct Dialect {
    /// Its name, which is its file's.
    pub name: &'static str,
    /// The suite that reads it.
    pub suite: &'static str,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The fields of a gold row.
    pub gold: &'static [Field],
    /// The fields of a trace.
    pub trace: &'static [Field],
    /// Its other files, by their role.
    pub others: &'static [(&'static str, &'static [Field])],
    /// How it is taken field by field, where a row may mix dialects.
    pub by_field: Option<ByField>,
}

/// How a dialect of `answers` takes the fields of a row.
#[derive(Clone, Copy)]
pub struct ByField {
    /// Takes one field of a gold row; false if the field is not this dialect's.
    pub gold: for<'a> fn(&str, &mut Reader<'a>, &mut GoldRow<'a>) -> Result<bool, Syntax>,
    /// Takes one field of a trace; false if the field is not this dialect's.
    pub trace: TakeTrace,
}

/// Takes one field of a trace; false if the field is not this dialect's.
pub type TakeTrace = for<'a> fn(&str, &mut Reader<'a>, &mut TraceRow<'a>) -> Result<bool, Syntax>;

impl Dialect {
    /// Every key of every file of it, those of objects within too.
    #[must_use]
    pub fn keys(&self) -> Vec<&'static str> {
        let files = [self.gold, self.trace].into_iter().chain(self.others.iter().map(|(_, fields)| *fields));
        field::keys(files)
    }
}

/// What a trace must keep to, whichever suite reads it.
pub const TRACE_CONTRACT: TraceContract = TraceContract { fields, keys, refused };

fn fields() -> Vec<&'static str> {
    let declared = ALL.iter().flat_map(|dialect| dialect.trace).map(|field| field.name);
    declared.chain(["delta_s", "ds", "lambda_state"]).collect()
}

fn keys() -> Vec<&'static str> {
    field::keys(ALL.iter().map(|dialect| dialect.trace).chain([TRACE_ENVELOPE]))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dialects_are_named_after_their_files_and_declare_their_fields() {
        for dialect in ALL {
            assert!(dialect.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
            assert!(!dialect.trace.is_empty() && !dialect.summary.is_empty());
        }
    }
}
