//! READ: one line becomes the model, whichever dialects its fields belong to.
//!
//! A row offers each of its fields to every dialect in turn. The readers of single values are those of
//! [`karat_input::rows`].

mod gold;
mod owner;
mod trace;

pub use gold::GoldRow;
pub(crate) use gold::gold_list;
pub use karat_input::listed::{element, elements, said_list};
pub use karat_input::rows::{
    Placed, Wrong, boolean, id, integer, is_list, list, list_or_refuse, object, object_text, question,
    refuse, repeated, string, timestamp, unreadable, whole,
};
pub use trace::TraceRow;
