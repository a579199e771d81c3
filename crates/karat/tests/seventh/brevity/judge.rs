//! One case becomes a verdict.

use karat_engine::metrics::{Facts, Population};

use super::input::Case;

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Missing,
    Wordy,
    Brief,
}

impl Label {
    pub(super) const ALL: [Label; 3] = [Label::Missing, Label::Wordy, Label::Brief];

    pub(super) fn name(self) -> &'static str {
        match self {
            Label::Missing => "MISSING",
            Label::Wordy => "WORDY",
            Label::Brief => "BRIEF",
        }
    }

    pub(super) fn meaning(self) -> &'static str {
        match self {
            Label::Missing => "The question was not answered.",
            Label::Wordy => "The answer has more words than gold allows.",
            Label::Brief => "The answer is short enough.",
        }
    }
}

/// The words of an answer, and how many more than allowed they are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Verdict {
    pub(super) words: Option<u64>,
    pub(super) most: u64,
}

impl Verdict {
    pub(super) fn label(&self) -> Label {
        match self.words {
            None => Label::Missing,
            Some(words) if words > self.most => Label::Wordy,
            Some(_) => Label::Brief,
        }
    }
}

impl Facts for Verdict {
    type Params = ();

    fn belongs(&self, population: Population) -> bool {
        population == Population::Any
    }
}

pub(super) fn judge(case: &Case, claim: Option<&String>, slack: u64) -> Verdict {
    let words = claim.map(|claim| claim.split_whitespace().count() as u64);
    Verdict { words, most: case.most + slack }
}
