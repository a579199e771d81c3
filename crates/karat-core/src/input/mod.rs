//! How do bytes become lines? Files, standard input and compression on one side; blocks of whole lines on the other.
//!
//! [`source`] opens what the user named, [`block`] cuts it at line ends, [`scan`] hands the blocks to threads, `rows`
//! the rows of a file to a function, and [`json`] reads one line.

pub mod block;
pub mod json;
pub(crate) mod rows;
pub mod scan;
pub mod source;
mod string;

pub use block::{Block, LINE_LIMIT};
pub use source::Source;
