//! Aggregates the runs of each case, in parallel, because comparing wordings takes most of the time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::grid::Axes;
use super::runs::{Runs, Says};
use crate::input::scan::on_threads;
use crate::model::Case;
use crate::suites::stability::judge::drift::{self, drift, pairs};
use crate::suites::stability::judge::{State, Verdict};

/// How many cases a worker takes at a time.
const BATCH: usize = 64;

/// The verdict of every case, in gold's order, whatever the number of threads.
pub(super) fn verdicts(cases: &[Case], runs: &[Runs], axes: &Axes, threads: usize) -> Vec<Verdict> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            let Some(cases) = cases.get(start..(start + BATCH).min(cases.len())).filter(|c| !c.is_empty())
            else {
                return done;
            };
            let verdicts = cases.iter().zip(&runs[start..]).map(|(case, runs)| verdict(case, runs, axes));
            done.push((start, verdicts.collect::<Vec<_>>()));
        }
    };
    // A few cases start no thread.
    let helpers = (threads - 1).min(cases.len() / BATCH);
    let mut batches: Vec<_> = on_threads(helpers + 1, work).into_iter().flatten().collect();
    batches.sort_unstable_by_key(|(start, _)| *start);
    batches.into_iter().flat_map(|(_, verdicts)| verdicts).collect()
}

/// What the runs of one case came to.
fn verdict(case: &Case, runs: &Runs, axes: &Axes) -> Verdict {
    let wordings = axes.wordings(case, runs.runs.iter().map(|run| run.cell));
    let there = runs.runs.iter().filter(|run| axes.asks_for(axes.cell(run.cell), &wordings)).count() as u64;
    let mut verdict = Verdict::missing(case, axes.asked(&wordings) - there);
    let says: Vec<&Says> = runs.says.iter().filter(|says| says.times > 0).collect();
    for one in &says {
        let times = u64::from(one.times);
        let counts = |holds: bool| if holds { times } else { 0 };
        verdict.runs += times;
        verdict.refusals += counts(one.facts.refused);
        verdict.errored += counts(one.facts.errored);
        verdict.silent += counts(!one.facts.errored && !one.facts.refused && one.claim().is_empty());
        verdict.contained += counts(one.facts.contained);
        verdict.hits += counts(one.facts.hit);
        verdict.held += counts(State::of(case.answerable, one.facts) == State::Held);
        verdict.echoed &= one.facts.echoed || one.facts.refused;
    }
    verdict.equal_pairs = counted(says.iter().copied()).iter().map(|(_, times)| pairs(*times)).sum();
    let mut worded = counted(says.iter().copied().filter(|s| !s.facts.refused && !s.claim().is_empty()));
    let drift = drift(&mut worded, drift::BUDGET);
    (verdict.ned50, verdict.uncompared) = (drift.median, drift.uncompared);
    (verdict.cited_always, verdict.cited_ever) = cited(&says);
    verdict
}

/// Each canonical claim and how many runs make it.
fn counted<'s>(says: impl Iterator<Item = &'s Says>) -> Vec<(&'s str, u64)> {
    let mut claims: Vec<(&str, u64)> = says.map(|one| (one.claim(), u64::from(one.times))).collect();
    claims.sort_unstable();
    claims.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    claims
}

/// How many ids all runs cite, and how many some run does.
fn cited(says: &[&Says]) -> (u64, u64) {
    if let [one] = says {
        let ids = one.cited().count() as u64;
        return (ids, ids);
    }
    let mut ids: BTreeMap<&str, usize> = BTreeMap::new();
    for id in says.iter().flat_map(|one| one.cited()) {
        *ids.entry(id).or_default() += 1;
    }
    (ids.values().filter(|times| **times == says.len()).count() as u64, ids.len() as u64)
}
