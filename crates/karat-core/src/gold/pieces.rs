//! A large gold set, read in pieces: a block at a time on every thread, its text gone once its cases are made.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::load::{Found, Loader};
use super::table::{Kept, is_array};
use super::{Gold, Names};
use crate::input::scan::{Lines, scan};
use crate::input::{Block, Source};
use crate::model::Case;
use crate::problem::Failure;

/// Reads a set of JSON lines in pieces. Where something has to be said that only the whole text can tell, this gives up,
/// and the other way says it: an error, or a question that is asked twice.
pub(super) fn in_pieces(source: &Source, slices: &[String], threads: usize) -> Option<Gold> {
    let size = source.size()?;
    let whole = Mutex::new(Some(Whole { size, ..Whole::default() }));
    let lock = || whole.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |spare: &mut Found, block: &Block| {
        // Once somebody gave up, the remaining blocks are for nothing.
        if lock().is_some() {
            let found = std::mem::take(spare);
            let read = text_of(block).and_then(|text| Loader::piece(source.name(), text, slices, found));
            let mut whole = lock();
            match whole.as_mut().zip(read).and_then(|(all, found)| all.add(block, found)) {
                Some(found) => *spare = found,
                None => *whole = None,
            }
        }
        Lines::default()
    };
    let threads = threads.min(usize::try_from(size >> 20).unwrap_or(usize::MAX));
    let (_, map) = scan(std::slice::from_ref(source), threads, &|_| {}, Found::default, work).ok()?;
    let whole = whole.into_inner().unwrap_or_else(PoisonError::into_inner)?;
    if whole.cases.is_empty() || whole.sliced.contains(&false) {
        return None;
    }
    Some(Gold {
        cases: whole.cases,
        array_contract: !whole.other_contract,
        slice_fields: slices.to_vec(),
        warnings: whole.warnings.first,
        warnings_total: whole.warnings.total,
        name: source.name().clone(),
        fingerprint: map.sources.first()?.fingerprint.clone(),
        names: whole.names,
    })
}

/// The lines of a block; `None` if they are no lines of a set.
fn text_of(block: &Block) -> Option<&str> {
    let text = std::str::from_utf8(block.bytes()).ok().filter(|_| !block.oversized)?;
    let begins = |text: &str| text.starts_with('\u{feff}');
    if block.sequence > 0 {
        return Some(text).filter(|text| !begins(text));
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    Some(text).filter(|text| !begins(text) && !is_array(text))
}

/// The set so far.
#[derive(Default)]
struct Whole {
    cases: Vec<Case>,
    names: Names,
    other_contract: bool,
    lines: u64,
    warnings: Kept,
    sliced: Vec<bool>,
    /// How many bytes are stored in all.
    size: u64,
    /// The block that is next, and those behind it that were read already.
    next: u32,
    early: BTreeMap<u32, Found>,
}

impl Whole {
    /// Adds what was found in a block, as soon as everything before it is there. Memory to use again comes back; `None`
    /// if something is there twice.
    fn add(&mut self, block: &Block, found: Found) -> Option<Found> {
        if self.next == 0 && block.sequence == 0 {
            self.reserve(found.cases.len(), block.bytes().len());
        }
        self.early.insert(block.sequence, found);
        let mut spare = Found::default();
        while let Some(mut found) = self.early.remove(&self.next) {
            self.append(&mut found)?;
            self.next += 1;
            found.clear();
            spare = found;
        }
        Some(spare)
    }

    /// Room for all cases, from how many there are in the first block: what is not used of it is never touched.
    fn reserve(&mut self, cases: usize, bytes: usize) {
        let blocks = usize::try_from(self.size).unwrap_or(0) / bytes.max(1) + 1;
        let all = (cases + cases / 64).saturating_mul(blocks).min(1 << 22);
        self.cases.reserve(all);
        self.names.ids.reserve(all);
        self.names.questions.reserve(all);
    }

    fn append(&mut self, found: &mut Found) -> Option<()> {
        let first = self.cases.len() as u32;
        let before = self.lines;
        self.lines += found.lines;
        self.cases.extend(found.cases.drain(..).map(|mut case| {
            case.line += before;
            case
        }));
        let (cases, names) = (&self.cases, &mut self.names);
        for (case, &hash) in (first..).zip(&found.ids) {
            let id = |case: u32| cases[case as usize].id();
            if names.ids.insert(hash, case, |other| id(other) == id(case)).is_some() {
                return None;
            }
        }
        for &(hash, number) in &found.questions {
            let question = |case: u32| cases[case as usize].question();
            let case = first + number;
            if names.questions.insert(hash, case, |other| question(other) == question(case)).is_some() {
                return None;
            }
        }
        self.other_contract |= found.other_contract;
        self.warnings.total += found.warnings.total;
        let room = Failure::SHOWN - self.warnings.first.len().min(Failure::SHOWN);
        self.warnings.first.extend(found.warnings.first.drain(..).take(room).map(|mut problem| {
            problem.line += before;
            problem
        }));
        self.sliced.resize(found.sliced.len(), false);
        self.sliced.iter_mut().zip(&found.sliced).for_each(|(seen, here)| *seen |= here);
        Some(())
    }
}
