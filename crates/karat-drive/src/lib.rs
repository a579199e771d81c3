//! Drives a pipeline over a gold set and writes the traces that every suite of karat reads.
//!
//! Unlike the libraries that score, this one has a clock and a network; nothing of it takes part in scoring.
//!
//! | step | module | what it answers |
//! |---|---|---|
//! | WHAT | [`plan`], [`jitter`], [`knobs`] | which requests are there, in which order, and how is each known again? |
//! | WHEN | [`stop`], `pace`, `retry` | when is a request due, when is it tried again, when does a run end early? |
//! | HOW | [`drivers`] | how is the pipeline reached: over HTTP, or as a process? |
//! | THEN | `reply`, [`map`], [`secrets`] | what did it answer, and what of that may be written? |
//! | WRITE | [`journal`], [`meter`] | how is it made sure that no trace is lost or written twice? how is the run going? |
//! | | [`run`] | all of it, top to bottom |

pub mod drivers;
pub mod jitter;
pub mod journal;
mod json;
pub mod knobs;
pub mod map;
pub mod meter;
mod pace;
pub mod plan;
mod reply;
mod retry;
pub mod run;
pub mod secrets;
pub mod stop;
pub mod words;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a value; a thread that panicked while it held the lock does not matter.
fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
