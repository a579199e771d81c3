//! Bytes become rows: files, compression, blocks of lines in parallel, JSON, and problems with their place.
//!
//! This is the first step of [karat](https://docs.rs/karat), and knows nothing of scoring. It prints nothing, reads no
//! clock and opens no connection.
//!
//! ```
//! use karat_input::Source;
//! use karat_input::lines::Rows;
//! use karat_input::problem::TRACE_NOT_AN_OBJECT;
//! use karat_input::rows::object;
//!
//! let log = Source::bytes("log.jsonl", *b"{\"qid\":\"A1\"}\n{\"qid\":\"A2\"}\n[]\n");
//! let sources = [log];
//! let rows = Rows { lenient: true, ..Rows::new(&sources, 1) };
//! let read = rows.read(Vec::new, |ids: &mut Vec<String>, row, wrong| {
//!     let read = object(row.text, &TRACE_NOT_AN_OBJECT, |reader, key| match key {
//!         "qid" => Ok(ids.push(reader.string()?.decode().into_owned())),
//!         _ => reader.skip(),
//!     });
//!     wrong.extend(read.err());
//! })?;
//! assert_eq!((read.states.concat().join(" ").as_str(), read.malformed), ("A1 A2", 1));
//! # Ok::<(), karat_input::Failure>(())
//! ```
//!
//! # The map
//!
//! | module | what it holds |
//! |---|---|
//! | [`source`] | files, patterns, standard input; decompression; fingerprints |
//! | [`block`], [`scan`] | blocks of whole lines, handed to threads |
//! | [`lines`] | the line loop: every row of every file, problems in their order |
//! | [`table`], [`questions`] | a file that is read as a whole, such as a gold set |
//! | [`json`], [`keys`] | one JSON text, value by value; keys guessed from the line before |
//! | [`field`], [`record`] | declared fields; a row that is read by them |
//! | [`rows`], [`listed`] | the values of one row; ids in lists |
//! | [`problem`] | what is wrong, where, and what to do about it |
//! | [`number`], [`timestamp`], [`text`] | exact numbers and times; trimming and lower-casing to the character |
//!
//! # Features
//!
//! `gzip` and `zstd`, both on by default, read compressed files. Without them such a file is a problem, not garbage.

pub mod block;
pub mod field;
pub mod json;
pub mod keys;
pub mod lines;
pub mod listed;
pub mod natural;
pub mod number;
pub mod problem;
pub mod questions;
pub mod record;
pub mod rows;
pub mod scan;
pub mod source;
mod string;
pub mod table;
pub mod text;
pub mod timestamp;

pub use block::{Block, LINE_LIMIT};
pub use problem::{Failure, Problem};
pub use source::Source;

/// Knobs (the settings that a trace names) may not be longer than this many bytes.
pub const KNOBS_LIMIT: usize = 4096;
