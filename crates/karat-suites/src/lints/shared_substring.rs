//! Would the right answer to another question pass for this one?
//!
//! A substring should distinguish a right answer from other answers. One that also occurs in what another row's answer must say does
//! not: "14 days" is right for many questions. Rows that rest on the same chunks may share one, because it is the same fact.

use std::collections::BTreeMap;

use aho_corasick::AhoCorasick;
use indexmap::{IndexMap, IndexSet};

use super::Lint;
use crate::gold::runs_of;
use crate::lint::{Contract, Row, Set};
use crate::problem::GOLD_SHARED_SUBSTRING;
use crate::text;

/// The declaration.
pub const LINT: Lint = Lint {
    name: "shared_substring",
    kind: &GOLD_SHARED_SUBSTRING,
    method: "A gold substring of 5 to 256 characters occurs, lower-cased, in a substring or in the claim of a row that rests on other chunks. All substrings are searched in one pass.",
    look: |set, found| {
        if set.contract != Contract::Answers {
            return;
        }
        let texts = Texts::of(set);
        let others = texts.search();
        for (number, row) in set.rows.iter().enumerate() {
            for (i, (phrase, at)) in needles(row).enumerate() {
                let Some(needle) = texts.needles.get_index_of(&phrase) else { continue };
                let Some(other) = others[needle].other_than(number, texts.keys[number]) else { continue };
                let line = set.rows[other].line;
                let (shown, name) = (text::visible(&phrase).into_owned(), set.rows[other].name());
                let message = format!(
                    "\"{}\" also occurs in what line {line} (\"{}\") must say",
                    text::shorten(&shown, 60),
                    text::shorten(&name, 40)
                );
                let path =
                    if row.claim.is_some() { "gold_claim".into() } else { format!("gold_claim_substr[{i}]") };
                let expected = "expected a phrase that only this answer says";
                found.at(at, &path, message, expected);
            }
        }
    },
};

/// The lower-cased substrings that decide about a row, each with its place.
fn needles<'r>(row: &'r Row<'_>) -> impl Iterator<Item = (String, &'r std::ops::Range<usize>)> {
    let usable = |phrase: &str| phrase.len() <= 256 && phrase.chars().nth(4).is_some();
    let phrases = row.phrases.iter().map(|(phrase, at)| (phrase.to_lowercase(), at));
    let claim = row.claim.iter().filter(|_| row.phrases.is_empty());
    let runs =
        claim.flat_map(|(claim, at)| runs_of(claim).1.into_iter().map(move |run| (run.into_owned(), at)));
    let counts = row.answerable == Some(true);
    phrases.chain(runs).filter(move |(phrase, _)| counts && usable(phrase))
}

/// The first row of something, and the first one that rests on other chunks than that.
#[derive(Clone, Copy, Default)]
struct Rows {
    first: Option<(usize, u32)>,
    second: Option<(usize, u32)>,
}

impl Rows {
    fn add(&mut self, row: (usize, u32)) {
        match self.first {
            None => self.first = Some(row),
            Some(first) if first.1 == row.1 => self.first = Some(first.min(row)),
            Some(first) if row < first => {
                // The earlier one comes first; the one it displaces may be the second.
                self.first = Some(row);
                self.second = Some(
                    self.second
                        .map_or(first, |second| if second.1 == row.1 { first } else { second.min(first) }),
                );
            }
            Some(_) => self.second = Some(self.second.map_or(row, |second| second.min(row))),
        }
    }

    /// The first row that is not this one and rests on other chunks.
    fn other_than(&self, row: usize, key: u32) -> Option<usize> {
        let other = |(number, chunks): &(usize, u32)| *number != row && *chunks != key;
        [self.first, self.second].into_iter().flatten().find(other).map(|(number, _)| number)
    }
}

/// Every text that a right answer must say, each once.
struct Texts {
    /// The texts, in order of first appearance, and the rows that have them.
    texts: IndexMap<String, Rows>,
    needles: IndexSet<String>,
    /// For each row, which chunks it rests on: the same number for the same chunks.
    keys: Vec<u32>,
}

impl Texts {
    fn of(set: &Set<'_>) -> Self {
        let mut texts = Texts { texts: IndexMap::new(), needles: IndexSet::new(), keys: Vec::new() };
        let mut chunks = BTreeMap::new();
        for (number, row) in set.rows.iter().enumerate() {
            let mut rests: Vec<&str> = row.citations.iter().map(|(id, _)| &**id).collect();
            rests.sort_unstable();
            rests.dedup();
            let next = chunks.len() as u32;
            let key = *chunks.entry(rests).or_insert(next);
            texts.keys.push(key);
            if row.answerable != Some(true) {
                continue;
            }
            for (text, _) in row.phrases.iter().chain(&row.claim) {
                texts.texts.entry(text.to_lowercase()).or_default().add((number, key));
            }
            texts.needles.extend(needles(row).map(|(needle, _)| needle));
        }
        texts
    }

    /// For each needle, the rows whose texts hold it.
    fn search(&self) -> Vec<Rows> {
        const BATCH: usize = 4 << 20; // bytes of needles: the automaton takes some forty times as much
        const MOST: u64 = 200_000_000; // matches: only texts that were made for it reach this
        let mut others = vec![Rows::default(); self.needles.len()];
        let (mut from, mut matches) = (0, 0);
        while from < self.needles.len() && matches < MOST {
            let mut bytes = 0;
            let end = self.needles[from..].iter().take_while(|needle| {
                bytes += needle.len();
                bytes <= BATCH
            });
            let batch = from..from + end.count().max(1);
            let Ok(automaton) = AhoCorasick::new(self.needles[batch.clone()].iter()) else { return others };
            for (text, rows) in &self.texts {
                for found in automaton.find_overlapping_iter(text) {
                    let needle = &mut others[batch.start + found.pattern().as_usize()];
                    [rows.first, rows.second].into_iter().flatten().for_each(|row| needle.add(row));
                    matches += 1;
                }
                if matches >= MOST {
                    break;
                }
            }
            from = batch.end;
        }
        others
    }
}
