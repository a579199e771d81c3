//! The engine of karat: what a metric is, exact sums that merge in any order, scores with their intervals, gates, and the
//! report that they end in.
//!
//! It knows no suite. A suite is declared as a [`Suite`], gets a [`Request`], judges its cases into facts of its own
//! ([`metrics::Facts`]) and hands them to [`group`] and [`pipeline`]; what comes out is a [`Report`].

pub mod columns;
pub mod detail;
pub mod dialect;
pub mod gate;
pub mod group;
pub mod interval;
pub mod metrics;
pub mod pipeline;
pub mod profile;
pub mod quantile;
pub mod report;
pub mod request;
pub mod score;
pub mod suite;
pub mod tally;
pub mod wrap;

pub use karat_input::{number, problem, text, timestamp};

/// Bytes become rows: see [`karat_input`].
pub mod input {
    pub use karat_input::{Block, LINE_LIMIT, Source, block, json, keys, lines, scan, source, table};
}

pub use input::Source;
pub use problem::Failure;
pub use profile::Profile;
pub use report::Report;
pub use request::Request;
pub use suite::Suite;
