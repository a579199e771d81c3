//! Verdicts of `release`: what can be observed about one evidence path and its claims, and which stage broke first.

pub mod admissible;
pub(crate) mod row;
pub mod support;

pub use super::labels::{Label, Reason, Stage};
use crate::metrics::{Facts, Population};

/// The expected decision of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expected {
    /// A production trace, which has no label and should be released.
    Production,
    /// A control that should be released.
    Release,
    /// A control that should be blocked.
    Block,
}

/// Everything observable about one case, without its texts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Verdict {
    /// The expected decision.
    pub expected: Expected,
    /// The first reason why the path is not admissible.
    pub reason: Option<Reason>,
    /// The number of sources that gold requires.
    pub required: u32,
    /// Required sources that the first stage found.
    pub candidates: u32,
    /// Required sources in the selected context.
    pub context: u32,
    /// The number of selected chunks, including repetitions.
    pub selected: u32,
    /// The number of claims of the answer.
    pub claims: u32,
    /// Claims that some selected chunk supports.
    pub supported: u32,
    /// Claims with a citation.
    pub cited: u32,
    /// Claims whose cited chunk is selected and itself supports them.
    pub well_cited: u32,
    /// The number of points that gold requires.
    pub points: u32,
    /// Required points that a supported claim covers.
    pub covered: u32,
}

impl Verdict {
    /// The first stage that failed.
    #[must_use]
    pub fn stage(&self) -> Stage {
        if self.reason.is_some() {
            Stage::Admissibility
        } else if self.candidates < self.required {
            Stage::CandidateRetrieval
        } else if self.context < self.required {
            Stage::ContextSelection
        } else if self.claims == 0 {
            Stage::AnswerCompleteness
        } else if self.supported < self.claims {
            Stage::AnswerFaithfulness
        } else if self.well_cited < self.claims {
            Stage::CitationSupport
        } else if self.covered < self.points {
            Stage::AnswerCompleteness
        } else {
            Stage::Pass
        }
    }

    /// Whether the case passes every stage.
    #[must_use]
    pub fn releases(&self) -> bool {
        self.stage() == Stage::Pass
    }

    /// Whether the case should be released.
    #[must_use]
    pub fn should_release(&self) -> bool {
        self.expected != Expected::Block
    }

    /// Whether the case was decided correctly.
    #[must_use]
    pub fn correct(&self) -> bool {
        self.releases() == self.should_release()
    }

    /// The label of the case.
    #[must_use]
    pub fn label(&self) -> Label {
        match (self.releases(), self.should_release()) {
            (true, false) => Label::Leaked,
            (false, true) => Label::Held,
            (false, false) => Label::Blocked,
            (true, true) => Label::Released,
        }
    }
}

impl Facts for Verdict {
    type Params = ();

    fn belongs(&self, population: Population) -> bool {
        match population {
            Population::Any => true,
            Population::GoodControl => self.expected == Expected::Release,
            Population::BadControl => self.expected == Expected::Block,
            _ => false,
        }
    }
}
