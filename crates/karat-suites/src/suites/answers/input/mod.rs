//! The two input shapes of `answers`; a row may mix them.
//!
//! A row is offered to each of them, field by field; what neither takes is skipped unread.

pub mod answer_json;
pub mod cited_text;

use crate::dialects::Dialect;
use crate::input::json::{Reader, Syntax};
use crate::rows::{GoldRow, TraceRow};

/// Both.
pub const ALL: &[&Dialect] = &[&answer_json::DIALECT, &cited_text::DIALECT];

/// Both, with how they take the fields of a row.
pub(crate) const BY_FIELD: [(&Dialect, ByField); 2] =
    [(&answer_json::DIALECT, answer_json::BY_FIELD), (&cited_text::DIALECT, cited_text::BY_FIELD)];

/// How a dialect takes the fields of a row.
#[derive(Clone, Copy)]
pub(crate) struct ByField {
    /// Takes one field of a gold row; false if the field is not this dialect's.
    pub(crate) gold: for<'a> fn(&str, &mut Reader<'a>, &mut GoldRow<'a>) -> Result<bool, Syntax>,
    /// Takes one field of a trace; false if the field is not this dialect's.
    pub(crate) trace: TakeTrace,
}

/// Takes one field of a trace; false if the field is not this dialect's.
pub(crate) type TakeTrace = for<'a> fn(&str, &mut Reader<'a>, &mut TraceRow<'a>) -> Result<bool, Syntax>;
