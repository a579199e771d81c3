//! A large gold set, read in pieces, one a thread.

use std::sync::Arc;
use std::thread;

use super::load::Loader;
use super::table::is_array;
use super::{Gold, Index};
use crate::input::source::Fingerprint;
use crate::model::Case;

/// Reads a large set of JSON lines in pieces, one a thread. Where anything is to be said about it, an error or a warning,
/// this gives up: the other way says it in order.
pub(super) fn in_parallel(
    name: &Arc<str>,
    text: &str,
    slices: &[String],
    threads: usize,
    fingerprint: &Fingerprint,
) -> Option<Gold> {
    const WORTH_A_THREAD: usize = 4 << 20;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let pieces = threads.min(text.len() / WORTH_A_THREAD);
    if pieces < 2 || is_array(text) {
        return None;
    }
    let mut rest = text;
    let mut cut = Vec::with_capacity(pieces);
    for left in (1..=pieces).rev() {
        let middle = rest.len() / left;
        let end = memchr::memchr(b'\n', &rest.as_bytes()[middle..]).map_or(rest.len(), |at| middle + at + 1);
        let (piece, after) = rest.split_at(end);
        cut.push(piece);
        rest = after;
    }
    let read = |piece| {
        let mut loader = Loader::new(name, piece, slices);
        loader.alone = false;
        loader.lines();
        loader
    };
    let parts: Vec<Loader<'_>> = thread::scope(|scope| {
        let workers: Vec<_> = cut[1..].iter().map(|piece| scope.spawn(|| read(piece))).collect();
        let mut parts = vec![read(cut[0])];
        for worker in workers {
            match worker.join() {
                Ok(part) => parts.push(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        parts
    });
    let mut whole = Loader::new(name, text, slices);
    let mut lines = 0;
    for (mut part, piece) in parts.into_iter().zip(cut) {
        if part.table.errors.total + part.table.warnings.total > 0 {
            return None;
        }
        part.cases.iter_mut().for_each(|case| case.line += lines);
        lines += memchr::memchr_iter(b'\n', piece.as_bytes()).count() as u64;
        whole.cases.append(&mut part.cases);
        whole.other_contract |= part.other_contract;
        whole.table.keys.append(&mut part.table.keys);
        whole.table.sliced.iter_mut().zip(part.table.sliced).for_each(|(seen, here)| *seen |= here);
    }
    let (cases, ids, questions) = (&whole.cases, &mut whole.ids, &mut whole.questions);
    let enter = |index: &mut Index, of: fn(&Case) -> &str| {
        let text = |case: u32| of(&cases[case as usize]);
        (0..cases.len() as u32)
            .all(|case| text(case).is_empty() || index.insert(text(case), case, text).is_none())
    };
    let distinct = thread::scope(|scope| {
        let asked = scope.spawn(|| enter(questions, Case::question));
        enter(ids, Case::id) & asked.join().unwrap_or(false)
    });
    if !distinct || whole.table.sliced.contains(&false) {
        return None;
    }
    whole.shared_question = vec![false; whole.cases.len()];
    whole.finish(fingerprint.clone()).ok()
}
