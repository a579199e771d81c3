//! A report becomes bytes: for people, for a script, for a pull request, for another tool.
//!
//! [`formats`] writes one report, [`compare`] sets two beside each other, [`explain`] tells one case; [`docs`] and
//! [`schema`] are made from the declarations of the suites.

pub mod compare;
pub mod docs;
pub mod explain;
pub mod formats;
pub mod schema;

use karat_engine::{
    dialect, gate, interval, metrics, number, pipeline, problem, profile, report, request, suite, text, wrap,
};
use karat_suites::{lints, lock};
