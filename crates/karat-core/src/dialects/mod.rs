//! Which input shapes does karat read, and how does a line of one become the model?
//!
//! A dialect is one file: its fields declared as data, from which schemas and docs come, and how they are read. Those of
//! `answers` are recognised by their fields, row by row: a row is offered to each of them, and what nobody takes is
//! skipped unread.

use crate::input::json::{Reader, Syntax};
use crate::rows::{GoldRow, TraceRow};

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod answer_json;
pub mod cited_text;
pub mod ranked;
pub mod ratings;
pub mod repeated;
pub mod staged;
pub mod timed;

/// Every dialect, in alphabetical order.
pub const ALL: &[&Dialect] = &[
    &answer_json::DIALECT,
    &cited_text::DIALECT,
    &ranked::DIALECT,
    &ratings::DIALECT,
    &repeated::DIALECT,
    &staged::DIALECT,
    &timed::DIALECT,
];
// codegen: end

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
        let mut keys = Vec::new();
        let mut open: Vec<&'static Field> = files.flatten().collect();
        while let Some(field) = open.pop() {
            keys.push(field.name);
            if let Shape::Object(fields) | Shape::Record(fields) | Shape::Objects(fields) = field.shape {
                open.extend(fields);
            }
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

/// One field of a contract, declared.
#[derive(Clone, Copy)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// What its value is.
    pub shape: Shape,
    /// Whether a row without it is an error.
    pub required: bool,
    /// What it means.
    pub doc: &'static str,
}

/// What a field's value is.
#[derive(Clone, Copy)]
pub enum Shape {
    /// A string or a whole number.
    Id,
    /// A string.
    Text,
    /// A boolean.
    Bool,
    /// A point in time: RFC 3339 text, or seconds since 1970.
    Time,
    /// A number.
    Number,
    /// A whole number.
    Whole,
    /// A list of numbers, null where there is none.
    Numbers,
    /// Two whole numbers of bytes: [start, end).
    Offsets,
    /// An object of such pairs under names of its own.
    OffsetsByName,
    /// A list of ids, or an object of ids and grades.
    Graded,
    /// A list of strings.
    Texts,
    /// A list of ids.
    Ids,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// What the model said, which is an object with these fields, or anything else.
    Object(&'static [Field]),
    /// An object with these fields, and no other thing.
    Record(&'static [Field]),
    /// A list of objects with these fields.
    Objects(&'static [Field]),
    /// An object of lists of strings under names of its own.
    TextsByName,
    /// An object of names and values, or a list of such pairs.
    Pairs,
    /// Anything: what the model said, which is scored and never refused.
    Any,
}

/// Fields that every dialect shares, read here.
pub const TRACE_ENVELOPE: &[Field] = &[
    Field {
        name: "qid",
        shape: Shape::Id,
        required: false,
        doc: "The case this trace belongs to (`q_id` is read too). Without it, the question decides.",
    },
    Field {
        name: "q",
        shape: Shape::Text,
        required: false,
        doc: "The question (`question` is read too); joins by exact text if `qid` is absent.",
    },
    Field {
        name: "ok",
        shape: Shape::Bool,
        required: false,
        doc: "If false and there is no claim, the pipeline failed; counted as `errored`.",
    },
    Field {
        name: "reason",
        shape: Shape::Any,
        required: false,
        doc: "Why the pipeline stopped; not scored.",
    },
    Field { name: "ts", shape: Shape::Any, required: false, doc: "When; not scored." },
    Field {
        name: "stage_ms",
        shape: Shape::Any,
        required: false,
        doc: "Time by stage; not scored by this suite.",
    },
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
