//! Scores the traces of a retrieval-augmented (RAG) pipeline against a gold set, exactly and without a model call, and
//! decides by gates whether it may ship.
//!
//! Fill a [`Request`] and evaluate it:
//!
//! ```no_run
//! use karat_suites::{Request, Source, suites};
//!
//! let report = Request::new(&suites::answers::SUITE)
//!     .set("gold", "eval/gold.jsonl")
//!     .set("traces", "runs/*.jsonl")
//!     .set("gates", "precision>=0.80 chr>=0.75")
//!     .evaluate()?;
//! println!("{}: {:?}", report.verdict.name(), report.metrics["precision"].value);
//! # Ok::<(), karat_suites::Failure>(())
//! ```
//!
//! Inputs may also be bytes:
//!
//! ```
//! use karat_suites::{Request, Source, suites};
//!
//! let gold = r#"{"qid":"A1","question":"Does X take null keys?","answerable":true,
//!     "gold_claim_substr":["rejects null keys"],"gold_citations":["p1#2"]}"#.replace('\n', "");
//! let trace = r#"{"qid":"A1","retrieved_ids":["p1#1","p1#2"],
//!     "answer_json":{"claim":"X rejects null keys.","citations":["p1#2"]}}"#.replace('\n', "");
//! let report = Request::new(&suites::answers::SUITE)
//!     .sources("gold", vec![Source::bytes("gold.jsonl", gold.into_bytes())])
//!     .sources("traces", vec![Source::bytes("trace.jsonl", trace.into_bytes())])
//!     .set("k", 3)
//!     .evaluate()?;
//! assert!(report.pass);
//! # Ok::<(), karat_suites::Failure>(())
//! ```
//!
//! # The map
//!
//! Each folder of [`suites`] is the whole flow of one suite, top to bottom. Data goes through these modules in this order;
//! a plural name is a registry (one file a thing, and you may add one), a singular one is a step:
//!
//! | step | module | what it does |
//! |---|---|---|
//! | READ | [`dialects`], [`rows`] | an input shape becomes the [`model`] |
//! | | [`gold`], [`traces`] | the gold set, checked; the traces, streamed |
//! | | [`trec`] | TREC qrels and runs: judgements and rankings, by trec_eval's rules |
//! | JOIN | [`ledger`] | one slot a case; the last trace counts; an empty slot is a missing case |
//! | JUDGE | [`judge`] | one case becomes a [`judge::Verdict`]: facts without text |
//! | DECIDE | [`karat_engine`] | metrics, sums, scores, gates, the report |
//! | | [`check`], [`config`], [`waive`] | every suite of a project, by karat.toml |
//! | | [`lint`], [`lints`] | whether a gold set can tell good from bad |
//! | | [`lock`] | gold as it was agreed on: hashes of its rows, and what changed |
//! | | [`partial`] | part of a run, to be merged with others |
//!
//! # What it does not do
//!
//! It prints nothing, reads no clock, draws no random numbers but from a fixed seed, opens no connection and calls no
//! model. The same bytes in give the same bytes out, on any number of threads.

pub mod check;
pub mod config;
pub mod dialects;
pub mod excerpt;
pub mod gold;
pub mod ledger;
pub mod lint;
pub mod lints;
pub mod lock;
pub mod model;
pub mod partial;
pub mod rows;
pub mod suites;
pub mod traces;
pub mod trec;
pub mod waive;

pub use karat_engine::metrics;
use karat_engine::{
    columns, detail, dialect, gate, group, input, interval, number, pipeline, problem, profile, quantile,
    report, request, score, suite, tally, text, timestamp,
};

pub use karat_engine::{Failure, Profile, Report, Request, Source, Suite};
pub use suites::answers::judge;
