//! The two input shapes of `answers`; a row may mix them.

pub mod answer_json;
pub mod cited_text;
