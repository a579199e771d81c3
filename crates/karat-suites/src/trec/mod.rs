//! READ: where does a TREC run rank the documents that qrels judged?
//!
//! Qrels say which documents are relevant to a topic, a run scores documents by topic. Both are read here in parallel,
//! every topic is ranked by trec_eval's rule, and what is left of it is one [`Ranked`]. The rule: by score, highest
//! first, read as C's `(float) atof` does; equal scores by document, last in byte order first; the rank column is not
//! looked at. A judgement above 0 is relevant, 0 is judged and not relevant, below 0 is as good as no judgement. A line
//! that starts with `#` is a comment.
//!
//! | file | question |
//! |---|---|
//! | `columns` | where are the columns of a line? |
//! | `lines` | how do the lines of a block become rows? |
//! | `table` | how are the lines of many topics kept small, and found by topic? |
//! | `qrels`, `run` | what does a line mean, and what is wrong with it? |
//! | `rank` | at which ranks are the judged documents? |
//! | `twice` | which lines list a document again? |
//! | `measures`, `layout` | what does trec_eval call the figures, and how does it print them? |

mod columns;
pub mod layout;
mod lines;
pub mod measures;
mod qrels;
mod rank;
mod run;
mod table;
mod twice;

use std::collections::BTreeSet;

pub(crate) use qrels::{Judged, judgements};

use crate::input::Source;
use crate::problem::Failure;
use crate::report::Input;
use crate::suites::retrieval::judge::Ranked;

/// What qrels and a run say together.
#[derive(Debug)]
pub struct Rankings {
    /// The topics of qrels, in byte order.
    pub topics: Vec<Topic>,
    /// Topics of the run that qrels do not know: they are not scored.
    pub unknown: BTreeSet<Box<str>>,
    /// The files that were read.
    pub inputs: Vec<Input>,
}

/// A topic of qrels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its id.
    pub name: Box<str>,
    /// Whether the run has it.
    pub in_run: bool,
    /// Where its relevant documents are ranked.
    pub ranked: Ranked,
}

/// Reads qrels and a run, either of which may come in several files, and ranks every topic. The result does not depend
/// on `threads`; `progress` hears of the bytes as they are read.
pub fn read(
    qrels: &[Source],
    run: &[Source],
    threads: usize,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Rankings, Failure> {
    let mut judged = qrels::read(qrels, threads, progress)?;
    let mut scored = run::read(run, &judged, threads, progress)?;
    let ranked = rank::rank(&judged, &mut scored, run, threads)?;
    let topics = judged.take_names().into_iter().zip(ranked);
    let topics = topics.map(|(name, (in_run, ranked))| Topic { name, in_run, ranked }).collect();
    let mut inputs = judged.inputs;
    inputs.extend(scored.inputs);
    Ok(Rankings { topics, unknown: scored.unknown, inputs })
}

#[cfg(test)]
mod tests;
