//! Fields of a contract, declared as data: schemas, reference pages and messages come from them.

use crate::rows::Wrong;

/// One field of a contract, declared.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The key.
    pub name: &'static str,
    /// What its value is.
    pub shape: Shape,
    /// What is expected in a row without it, which is an error; `None` where a row need not have it.
    pub required: Option<&'static str>,
    /// Whether a blank value counts as absent; of an id, blanks round it are dropped.
    pub not_blank: bool,
    /// What it means.
    pub doc: &'static str,
}

impl Field {
    /// A field that a row need not have.
    #[must_use]
    pub const fn new(name: &'static str, shape: Shape, doc: &'static str) -> Self {
        Field { name, shape, required: None, not_blank: false, doc }
    }

    /// A field that every row must have: `expected` is what is said of a row without it.
    #[must_use]
    pub const fn required(self, expected: &'static str) -> Self {
        Field { required: Some(expected), ..self }
    }

    /// A field whose blank values count as absent.
    #[must_use]
    pub const fn not_blank(self) -> Self {
        Field { not_blank: true, ..self }
    }
}

/// What a field's value is.
#[derive(Clone, Copy, Debug)]
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

/// Every key of these fields, those of objects within them included, sorted.
#[must_use]
pub fn keys(lists: impl IntoIterator<Item = &'static [Field]>) -> Vec<&'static str> {
    let mut keys = Vec::new();
    let mut open: Vec<&'static Field> = lists.into_iter().flatten().collect();
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

/// What a trace must keep to, for programs that write traces.
#[derive(Clone, Copy, Debug)]
pub struct TraceContract {
    /// The names of the fields that some suite reads at the top level of a trace.
    pub fields: fn() -> Vec<&'static str>,
    /// The names of all fields, those within objects included.
    pub keys: fn() -> Vec<&'static str>,
    /// What the strictest readers refuse in a line.
    pub refused: fn(&str) -> Vec<Wrong>,
}
