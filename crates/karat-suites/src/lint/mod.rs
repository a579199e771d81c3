//! Is a gold set one that can be trusted to tell good from bad? Its contract first, then the lints of [`crate::lints`].
//!
//! A gold set may keep its contract and still decide nothing: without unanswerable rows refusal is not measured, a phrase
//! that every answer holds proves no answer right. Each finding has its place and says what to do.

mod set;

use crate::gold::Gold;
use crate::input::Source;
use crate::input::table::{contents, place};
use crate::lints;
use crate::lock;
use crate::problem::{self, Failure, Kind, Problem, Severity};
use crate::rows::Wrong;
use crate::suites;

pub use set::{Contract, Place, Placed, Row, Set};

/// What was found in one gold file.
#[derive(Debug)]
pub struct Linted {
    /// Whose contract it was held against.
    pub contract: Contract,
    /// How many rows it has.
    pub rows: u64,
    /// The findings, by line; of each kind the first [`Failure::SHOWN`].
    pub found: Vec<Problem>,
    /// How many there are of each kind, errors first, then in the order of [`problem::KINDS`].
    pub totals: Vec<(&'static Kind, u64)>,
    /// How many more problems the contract has that are in neither list.
    pub unlisted: Option<(Severity, u64)>,
}

impl Linted {
    /// How many errors there are, and how many warnings.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        let all = || self.totals.iter().map(|(kind, n)| (kind.severity, *n)).chain(self.unlisted);
        let of = |wanted| all().filter(|(severity, _)| *severity == wanted).map(|(_, n)| n).sum();
        (of(Severity::Error), of(Severity::Warning))
    }
}

/// Lints a gold file against the contract of a suite, or of the one that its fields belong to. `slices` are the fields whose
/// values should have rows enough; those that a row lacks are no finding.
pub fn lint(source: &Source, contract: Option<Contract>, slices: &[String]) -> Result<Linted, Failure> {
    let (text, _) = contents(source)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let bytes = Source::bytes(source.name(), text.as_bytes().to_vec());
    let set = Set::read(text, contract, slices);
    let mut found = Findings {
        set: &set,
        kind: &problem::GOLD_WRONG_TYPE,
        name: source.name(),
        kinds: Vec::new(),
        unlisted: None,
    };
    let warnings = match set.contract {
        Contract::Answers => Gold::load(&bytes, &[], 1).map(|gold| (gold.warnings, gold.warnings_total)),
        Contract::Release => suites::release::lint(&bytes),
        Contract::Retrieval => suites::retrieval::lint(&bytes),
    };
    // What breaks the contract comes first: a lint of a broken set would find what is not there. What cannot be frozen is
    // broken too.
    match warnings.and_then(|warnings| lock::rows(&bytes).map(|_| warnings)) {
        Err(failure) => found.problems(failure.problems, failure.total),
        Ok((warnings, total)) => {
            found.problems(warnings, total);
            for lint in lints::ALL {
                found.kind = lint.kind;
                (lint.look)(&set, &mut found);
            }
        }
    }
    let Findings { kinds, unlisted, .. } = found;
    let rank = |kind: &Kind| (kind.severity, problem::KINDS.iter().position(|known| known.slug == kind.slug));
    let mut totals: Vec<(&'static Kind, u64)> =
        kinds.iter().map(|(kind, total, _)| (*kind, *total)).collect();
    totals.sort_by_key(|(kind, _)| rank(kind));
    let mut found: Vec<Problem> = kinds.into_iter().flat_map(|(_, _, problems)| problems).collect();
    found.sort_by_key(|problem| (problem.line, problem.column, rank(problem.kind)));
    Ok(Linted { contract: set.contract, rows: set.rows.len() as u64, found, totals, unlisted })
}

/// Findings while they are collected: of each kind the first ones, and how many there are.
pub struct Findings<'s> {
    set: &'s Set<'s>,
    /// The kind of the lint that looks.
    kind: &'static Kind,
    name: &'s std::sync::Arc<str>,
    kinds: Vec<(&'static Kind, u64, Vec<Problem>)>,
    unlisted: Option<(Severity, u64)>,
}

impl Findings<'_> {
    /// Notes a finding at a place of the file.
    pub fn at(&mut self, at: &Place, path: &str, message: String, expected: &str) {
        let (text, name, kind) = (self.set.text, self.name, self.kind);
        let first = self.first_of(kind);
        if first.len() < Failure::SHOWN {
            let wrong = Wrong::new(kind, at.clone(), path, message, expected);
            first.push(place(name, text, wrong, 0));
        }
    }

    /// Notes a finding about the whole file.
    pub fn of_file(&mut self, message: String, expected: &str) {
        let mut problem = Problem::of_file(self.kind, self.name, message);
        problem.expected = expected.to_owned();
        self.first_of(self.kind).push(problem);
    }

    /// Counts a finding of a kind, and returns the first ones of it.
    fn first_of(&mut self, kind: &'static Kind) -> &mut Vec<Problem> {
        let at = match self.kinds.iter().position(|(known, ..)| *known == kind) {
            Some(at) => at,
            None => {
                self.kinds.push((kind, 0, Vec::new()));
                self.kinds.len() - 1
            }
        };
        self.kinds[at].1 += 1;
        &mut self.kinds[at].2
    }

    /// What the contract's own check found: the first problems of `total`.
    fn problems(&mut self, problems: Vec<Problem>, total: u64) {
        let unlisted = total.saturating_sub(problems.len() as u64);
        if let Some(last) = problems.last().filter(|_| unlisted > 0) {
            self.unlisted = Some((last.kind.severity, unlisted));
        }
        for problem in problems {
            self.first_of(problem.kind).push(problem);
        }
    }
}
