//! Scores the traces of a retrieval-augmented (RAG) pipeline against a gold set, exactly and without a model call, and
//! decides by gates whether it may ship.
//!
//! Fill a [`Request`] and evaluate it:
//!
//! ```no_run
//! use karat_core::{Request, Source, suites};
//!
//! let report = Request::new(&suites::answers::SUITE)
//!     .set("gold", "eval/gold.jsonl")
//!     .set("traces", "runs/*.jsonl")
//!     .set("gates", "precision>=0.80 chr>=0.75")
//!     .evaluate()?;
//! println!("{}: {:?}", report.verdict.name(), report.metrics["precision"].value);
//! # Ok::<(), karat_core::Failure>(())
//! ```
//!
//! # The map
//!
//! Each file of [`suites`] is the whole flow of one suite, top to bottom. Data goes through these modules in this order;
//! a plural name is a registry (one file a thing, and you may add one), a singular one is a step:
//!
//! | step | module | what it does |
//! |---|---|---|
//! | | [`input`] | files, standard input, compression; blocks of lines in parallel; one line as JSON |
//! | READ | [`dialects`], [`rows`] | an input shape becomes the [`model`] |
//! | | [`gold`], [`traces`] | the gold set, checked; the traces, streamed |
//! | | [`trec`] | TREC qrels and runs: judgements and rankings, by trec_eval's rules |
//! | JOIN | [`ledger`] | one slot a case; the last trace counts; an empty slot is a missing case |
//! | JUDGE | [`judge`] | one case becomes a [`judge::Verdict`]: facts without text |
//! | MEASURE | [`metrics`] | a verdict becomes "not mine" or n/d |
//! | MERGE | [`tally`], [`group`], [`aggregate`] | whole-number sums that merge in any order |
//! | | [`score`], [`interval`] | values with their 95 % intervals |
//! | GATE | [`gate`], [`pipeline`] | scores against thresholds, exactly |
//! | REPORT | [`report`], [`diagnose`] | the one result, and what it suggests |
//! | WRITE | [`formats`] | a report becomes bytes |
//! | COMPARE | [`compare`] | two reports, case by case: what a change did, and whether it may ship |
//! | | [`lint`], [`lints`] | whether a gold set can tell good from bad |
//! | | [`lock`] | gold as it was agreed on: hashes of its rows, and what changed |
//! | | [`partial`] | part of a run, to be merged with others |
//!
//! [`profiles`] says what a suite reports and which gates it defaults to; [`problem`] says what is wrong with an input,
//! where, and what to do; [`schema`] and [`docs`] are made from the declarations.
//!
//! # What it does not do
//!
//! It prints nothing, reads no clock, draws no random numbers but from a fixed seed, opens no connection and calls no
//! model. The same bytes in give the same bytes out, on any number of threads.

pub mod check;
pub mod compare;
mod compose;
pub mod config;
pub mod diagnose;
pub mod dialect;
pub mod dialects;
pub mod docs;
pub mod excerpt;
pub mod explain;
pub mod formats;
pub mod gate;
pub mod gold;
pub mod group;
pub mod interval;

pub mod aggregate;
mod columns;
pub mod detail;
pub mod ledger;
pub mod lint;
pub mod lints;
pub mod lock;
pub mod metrics;
pub mod model;
pub mod partial;
pub mod pipeline;
pub mod profiles;
pub mod quantile;
pub mod report;
pub mod request;
pub mod rows;
pub mod schema;
pub mod score;
pub mod suite;
pub mod suites;
pub mod tally;
pub mod traces;
pub mod trec;
pub mod waive;
pub mod wrap;

pub use karat_input::{number, problem, text, timestamp};

/// Bytes become rows: see [`karat_input`].
pub mod input {
    pub use karat_input::{Block, LINE_LIMIT, Source, block, json, keys, lines, scan, source, table};
}

pub use input::Source;
pub use problem::Failure;
pub use profiles::Profile;
pub use report::Report;
pub use request::Request;
pub use suite::Suite;
pub use suites::answers::judge;
