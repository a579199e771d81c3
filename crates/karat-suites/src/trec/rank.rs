//! At which ranks are the judged documents of a topic?
//!
//! A rank is one more than the number of documents before it, so that nothing needs sorting where few documents are
//! judged, or the run is sorted already: counting scores is enough, and only equal ones need their documents' ids.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::table::{Table, hash};
use super::twice::Repeats;
use crate::input::Source;
use crate::problem::Failure;
use crate::suites::retrieval::judge::{Found, Ranked};

/// For each topic of `judged`, whether the run has it and where its relevant documents are.
pub(super) fn rank(
    judged: &Table,
    scored: &mut Table,
    sources: &[Source],
    threads: usize,
) -> Result<Vec<(bool, Ranked)>, Failure> {
    let run = &*scored;
    let done = by_topic(judged.names.len(), threads, |topic: usize, desk: &mut Desk<'_>| {
        let repeats = desk.load(topic, run);
        (desk.rank(topic, judged), repeats)
    });
    let (ranked, twice): (Vec<_>, Vec<_>) = done.into_iter().unzip();
    scored.refuse_duplicates(&twice, sources, &judged.names);
    scored.check()?;
    Ok(ranked)
}

/// Documents that each topic has twice.
pub(super) fn duplicates(table: &Table, threads: usize) -> Vec<Repeats> {
    by_topic(table.names.len(), threads, |topic, desk: &mut Desk<'_>| desk.load(topic, table))
}

/// Does something for each topic, on several threads; the results are in the topics' order.
fn by_topic<'a, T: Send>(
    topics: usize,
    threads: usize,
    work: impl Fn(usize, &mut Desk<'a>) -> T + Sync,
) -> Vec<T> {
    const BATCH: usize = 32;
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let run = || {
        let mut desk = Desk::default();
        loop {
            let start = next.fetch_add(BATCH, Ordering::Relaxed);
            if start >= topics {
                return;
            }
            let batch: Vec<T> =
                (start..topics.min(start + BATCH)).map(|topic| work(topic, &mut desk)).collect();
            done.lock().unwrap_or_else(PoisonError::into_inner).push((start, batch));
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(topics.div_ceil(BATCH)) {
            scope.spawn(run);
        }
        run();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(start, _)| *start);
    done.into_iter().flat_map(|(_, batch)| batch).collect()
}

/// Memory that is used again from topic to topic.
#[derive(Default)]
struct Desk<'a> {
    keys: Vec<u32>,
    documents: Vec<&'a [u8]>,
    /// A hash table of rows: half of the hash, and the row's number plus one; 0 is empty.
    slots: Vec<u64>,
    judgements: Vec<u32>,
    judged: Vec<&'a [u8]>,
    /// Judged documents of the run: row, relevance, rank.
    seen: Vec<JudgedRow>,
    order: Vec<u32>,
}

#[derive(Clone, Copy)]
struct JudgedRow {
    row: u32,
    grade: u32,
    rank: u32,
}

impl<'a> Desk<'a> {
    /// Takes the rows of a topic and makes their documents findable; returns those that come twice.
    fn load(&mut self, topic: usize, table: &'a Table) -> Repeats {
        let mut repeats = Repeats::default();
        self.keys.clear();
        self.documents.clear();
        table.rows(topic, &mut self.keys, &mut self.documents);
        let size = (self.documents.len() * 2).next_power_of_two();
        self.slots.clear();
        self.slots.resize(size, 0);
        for row in 0..self.documents.len() {
            match self.find(self.documents[row]) {
                Ok(first) => {
                    repeats.total += 1;
                    if repeats.shown.len() < Failure::SHOWN {
                        repeats.shown.push((first as usize, row));
                    }
                }
                Err((slot, tag)) => self.slots[slot] = tag | (row as u64 + 1),
            }
        }
        repeats
    }

    /// The row of a document, or the slot that it would have and its hash.
    #[inline]
    fn find(&self, document: &[u8]) -> Result<u32, (usize, u64)> {
        let hash = hash(document);
        let tag = hash & !0xffff_ffff;
        let mask = self.slots.len().wrapping_sub(1);
        let mut slot = hash as usize & mask;
        loop {
            let there = self.slots.get(slot).copied().unwrap_or(0);
            if there == 0 {
                return Err((slot, tag));
            }
            let row = (there as u32).wrapping_sub(1);
            if there & !0xffff_ffff == tag && self.documents[row as usize] == document {
                return Ok(row);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Whether the rows of a topic are any, and where its relevant documents are among them.
    fn rank(&mut self, topic: usize, judged: &'a Table) -> (bool, Ranked) {
        self.judgements.clear();
        self.judged.clear();
        judged.rows(topic, &mut self.judgements, &mut self.judged);
        let mut ranked = Ranked { retrieved: self.documents.len() as u32, ..Ranked::default() };
        self.seen.clear();
        for (&relevance, &document) in self.judgements.iter().zip(&self.judged) {
            // Below 0: not judged at all.
            let Ok(grade) = u32::try_from(relevance.cast_signed()) else { continue };
            if grade > 0 {
                ranked.grades.push(grade);
            } else {
                ranked.nonrelevant += 1;
            }
            if let Ok(row) = self.find(document) {
                self.seen.push(JudgedRow { row, grade, rank: 0 });
            }
        }
        ranked.grades.sort_unstable_by(|a, b| b.cmp(a));
        self.place();
        self.seen.sort_unstable_by_key(|seen| seen.rank);
        let mut nonrelevant_above = 0;
        for &JudgedRow { grade, rank, .. } in &self.seen {
            match grade {
                0 => nonrelevant_above += 1,
                _ => ranked.found.push(Found { rank, grade, nonrelevant_above }),
            }
        }
        (!self.documents.is_empty(), ranked)
    }

    /// Finds the ranks of what was seen, in whichever way is the least work.
    fn place(&mut self) {
        /// Up to so many passes over the rows are cheaper than sorting them.
        const PASSES: usize = 48;
        let Desk { keys, documents, seen, order, .. } = self;
        let sorted = keys.is_sorted_by(|above, below| above >= below);
        let mut passes = if sorted { 0 } else { seen.len() };
        for JudgedRow { row, rank, .. } in seen.iter_mut() {
            if passes > PASSES {
                break;
            }
            let key = keys[*row as usize];
            let (above, equal) = if sorted {
                let above = keys.partition_point(|&other| other > key);
                (above, above..above + keys[above..].partition_point(|&other| other == key))
            } else {
                let above = keys.iter().map(|&other| u32::from(other > key)).sum::<u32>();
                let equal = keys.iter().map(|&other| u32::from(other == key)).sum::<u32>();
                (above as usize, if equal > 1 { 0..keys.len() } else { 0..0 })
            };
            let document = documents[*row as usize];
            passes += usize::from(equal.len() > 1);
            let before = equal.filter(|&other| keys[other] == key && documents[other] > document).count();
            *rank = (above + before) as u32 + 1;
        }
        if passes > PASSES {
            order.clear();
            order.extend(0..keys.len() as u32);
            let by = |row: u32| (keys[row as usize], documents[row as usize]);
            order.sort_unstable_by(|&a, &b| by(b).cmp(&by(a)));
            // The row at each rank becomes the rank of each row: the keys' room is free for it now.
            for (&row, rank) in order.iter().zip(1..) {
                keys[row as usize] = rank;
            }
            seen.iter_mut().for_each(|seen| seen.rank = keys[seen.row as usize]);
        }
    }
}
