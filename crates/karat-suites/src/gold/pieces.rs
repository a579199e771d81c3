//! A large gold set, read in pieces: a block at a time on every thread, its text gone once its cases are made.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::load::{Found, Loader};
use super::{Gold, Names};
use crate::input::scan::{Lines, scan};
use crate::input::table::{ProblemList, is_array};
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

/// The lines of a block; `None` if they are not lines of a set.
fn text_of(block: &Block) -> Option<&str> {
    let text = simdutf8::basic::from_utf8(block.bytes()).ok().filter(|_| !block.oversized)?;
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
    warnings: ProblemList,
    sliced: Vec<bool>,
    /// How many bytes are stored in all.
    size: u64,
    /// The block that is next, and those behind it that were read already.
    next: u32,
    early: BTreeMap<u32, Found>,
    /// Memory to use again.
    spare: Vec<Found>,
}

impl Whole {
    /// Adds what was found in a block, as soon as everything before it is there. Memory to use again comes back; `None`
    /// if something is there twice.
    fn add(&mut self, block: &Block, found: Found) -> Option<Found> {
        if self.next == 0 && block.sequence == 0 {
            self.reserve(found.cases.len(), block.bytes().len());
        }
        self.early.insert(block.sequence, found);
        while let Some(mut found) = self.early.remove(&self.next) {
            self.append(&mut found)?;
            self.next += 1;
            found.clear();
            self.spare.push(found);
        }
        Some(self.spare.pop().unwrap_or_default())
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
        found.cases.iter_mut().for_each(|case| case.line += before);
        self.cases.append(&mut found.cases);
        let (cases, names) = (&self.cases, &mut self.names);
        names.ids.insert_all(&found.ids, first, |case| cases[case as usize].id())?;
        names.questions.insert_all(&found.questions, first, |case| cases[case as usize].question())?;
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

#[cfg(test)]
mod tests {
    use super::super::load::as_a_whole;
    use super::*;

    /// A set of three blocks, in which some things are worth a warning.
    fn rows() -> Vec<String> {
        let row = |i: usize| {
            let (answerable, phrase) =
                (!i.is_multiple_of(7), if i % 4000 == 3 { "tiny" } else { "Rejects NULL keys" });
            let cited = if answerable { r#"["d\u00e9 1", "d 2", "d 2"]"# } else { "[]" };
            format!(
                r#"{{"qid":"Q{i}","question":"What is é {i}?","answerable":{answerable},"gold_claim_substr":["{phrase}"],"gold_citations":{cited},"constraints":["b ","a"],"forbidden_substr":["NO"],"lang":"l{}"}}"#,
                i % 3
            )
        };
        (0..13_000).map(row).collect()
    }

    fn source(rows: &[String]) -> Source {
        Source::bytes("gold.jsonl", rows.join("\n").into_bytes())
    }

    #[test]
    fn pieces_make_the_whole() {
        let slices = ["lang".to_owned()];
        let mut rows = rows();
        rows.insert(9000, " \r".into());
        rows[0].insert(0, '\u{feff}');
        let source = source(&rows);
        assert!(source.size().is_some_and(|size| size > 2 << 20), "it has three blocks");
        let whole = as_a_whole(&source, &slices).unwrap();
        assert_eq!((whole.cases.len(), whole.warnings.len(), whole.warnings_total), (13_000, 4, 4));
        for threads in [1, 3] {
            let pieces = in_pieces(&source, &slices, threads).unwrap();
            for ((number, a), b) in (0..).zip(&pieces.cases).zip(&whole.cases) {
                assert_eq!(format!("{a:?}"), format!("{b:?}"));
                assert_eq!(pieces.by_id(a.id()), Some(number));
                assert_eq!(pieces.by_question(a.question()), super::super::ByQuestion::Case(number));
            }
            assert_eq!(pieces.cases.len(), whole.cases.len());
            assert_eq!(format!("{:?}", pieces.warnings), format!("{:?}", whole.warnings));
            assert_eq!(pieces.warnings_total, whole.warnings_total);
            assert_eq!(pieces.fingerprint, whole.fingerprint);
            assert_eq!(pieces.slice_fields, whole.slice_fields);
            assert_eq!(pieces.array_contract, whole.array_contract);
        }
    }

    #[test]
    fn what_the_whole_must_say_is_left_to_it() {
        let rows = rows();
        let gives_up = |change: &dyn Fn(&mut Vec<String>)| {
            let mut rows = rows.clone();
            change(&mut rows);
            in_pieces(&source(&rows), &[], 2).is_none()
        };
        assert!(!gives_up(&|_| {}));
        assert!(gives_up(&|rows| rows[12_999] = rows[12_999].replace("Q12999", "Q5")), "an id twice");
        assert!(gives_up(&|rows| rows[12_999] = rows[12_999].replace("é 12999", "é 5")), "a question twice");
        assert!(gives_up(&|rows| rows[12_999] = rows[12_999].replace("false", "1")), "a wrong type");
        assert!(gives_up(&|rows| rows[12_999].push('}')), "no JSON");
        assert!(gives_up(&|rows| rows[12_999] = "7".into()), "no object");
        assert!(gives_up(&|rows| *rows = vec![format!("[{}]", rows.join(","))]), "an array");
        assert!(gives_up(&|rows| rows[0].insert_str(0, "\u{feff}\u{feff}")), "two marks");
        let mut at = 0;
        let second = rows.iter().position(|row| {
            at += row.len() + 1;
            at > 1 << 20
        });
        assert!(gives_up(&|rows| rows[second.unwrap()].insert(0, '\u{feff}')), "a mark where a block begins");
        assert!(in_pieces(&source(&rows), &["area".to_owned()], 2).is_none(), "no field to slice by");
        let mut bytes = rows.join("\n").into_bytes();
        let last = bytes.len() - 3;
        bytes[last] = 0xff;
        assert!(in_pieces(&Source::bytes("gold.jsonl", bytes), &[], 2).is_none(), "no text");
    }
}
