//! What did all the cases come to? One pass over the slots in gold's order.

use crate::gold::Gold;
use crate::group::{Enters, Groups};
use crate::judge::blame;
use crate::judge::outcome;
use crate::judge::{Label, Scu, Stage, Verdict};
use crate::ledger::Entry;

/// What becomes of a case without a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// It counts as a shipped empty answer.
    #[default]
    Score,
    /// It is left out of every set, and the gate on it is dropped.
    Skip,
}

/// A case once it is settled.
#[derive(Clone, Copy, Debug)]
pub struct Settled {
    /// The case's number in gold.
    pub case: u32,
    /// What became of it.
    pub label: Label,
    /// What broke first.
    pub stage: Stage,
    /// It has no trace and was left out.
    pub skipped: bool,
}

/// Everything that the cases came to.
#[derive(Debug)]
pub struct Settlement {
    /// The cases, in gold's order.
    pub cases: Vec<Settled>,
    /// What the traces of each case came to, in gold's order.
    pub entries: Vec<Option<Entry>>,
    /// Shipped claims that all but refuse, and the first such case.
    pub near_refusals: (u64, Option<u32>),
    /// All of them together, and the slices.
    pub groups: Groups<Verdict>,
}

/// What the pass over the slots needs to know.
#[derive(Clone, Copy, Debug)]
pub struct Settling {
    /// What becomes of a case without a trace.
    pub missing: Missing,
    /// What is done about constraints.
    pub scu: Scu,
    /// Slices want bootstrap intervals too.
    pub resample_slices: bool,
    /// How many threads there are.
    pub threads: usize,
}

impl Settling {
    /// Settles every case.
    #[must_use]
    pub fn settle(&self, gold: &Gold, entries: Vec<Option<Entry>>) -> Settlement {
        let mut groups = Groups::new(gold.slice_fields.len(), self.resample_slices);
        let mut cases = Vec::with_capacity(entries.len());
        let mut near_refusals = (0, None);
        for (number, (case, entry)) in (0..).zip(gold.cases.iter().zip(&entries)) {
            let verdict = match entry {
                Some(entry) => &entry.verdict(),
                None => &Verdict::missing(case, self.scu),
            };
            let skipped = entry.is_none() && self.missing == Missing::Skip;
            let (label, stage) = (outcome::label(verdict, self.scu), blame::stage(verdict, self.scu));
            cases.push(Settled { case: number, label, stage, skipped });
            if verdict.near_refusal {
                near_refusals = (near_refusals.0 + 1, near_refusals.1.or(Some(number)));
            }
            let enters = match entry.as_ref().and_then(|entry| Some((entry.tally()?, entry.runs.into()))) {
                _ if skipped => Enters::Skipped,
                Some((tally, runs)) => Enters::Runs(tally, runs),
                None => Enters::Verdict,
            };
            groups.each(&case.slices, |group| {
                group.missing += u64::from(entry.is_none());
                group.add(verdict, enters);
            });
        }
        groups.sort();
        groups.all.threads = self.threads;
        Settlement { cases, entries, near_refusals, groups }
    }
}
