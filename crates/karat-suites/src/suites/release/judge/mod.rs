//! Verdicts of `release`: what can be observed about one evidence path and its claims, and which stage broke first.

pub mod admissible;
pub mod support;

use std::fmt;

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

/// Why a path is not admissible, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reason {
    /// A chunk that the case's principal may not see was touched.
    NotPermitted,
    /// A chunk that is not current was touched.
    NotCurrent,
    /// The trace belongs to a different case than the row says.
    CaseMismatch,
    /// Nothing was selected.
    EmptyContext,
    /// The numbers of versions and of selected chunks differ.
    VersionCount,
    /// A version is named twice.
    DuplicateVersionKey,
    /// A required version is not named.
    MissingVersionKey,
    /// A stage lists an id twice.
    DuplicateId,
    /// An id is not in the evidence store.
    UnknownId,
    /// The reranker was given something that was not retrieved.
    RerankInputNotRetrieved,
    /// The reranker did not return the ids that it was given.
    RerankedSetChanged,
    /// Something was selected that the reranker did not return.
    SelectedNotReranked,
    /// A selected chunk has a different version in the store.
    VersionMismatch,
}

impl Reason {
    /// Every reason, in order.
    pub const ALL: [Reason; 13] = [
        Reason::NotPermitted,
        Reason::NotCurrent,
        Reason::CaseMismatch,
        Reason::EmptyContext,
        Reason::VersionCount,
        Reason::DuplicateVersionKey,
        Reason::MissingVersionKey,
        Reason::DuplicateId,
        Reason::UnknownId,
        Reason::RerankInputNotRetrieved,
        Reason::RerankedSetChanged,
        Reason::SelectedNotReranked,
        Reason::VersionMismatch,
    ];

    /// The name of the reason.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Reason::NotPermitted => "not_permitted",
            Reason::NotCurrent => "not_current",
            Reason::CaseMismatch => "case_mismatch",
            Reason::EmptyContext => "empty_context",
            Reason::VersionCount => "version_count",
            Reason::DuplicateVersionKey => "duplicate_version_key",
            Reason::MissingVersionKey => "missing_version_key",
            Reason::DuplicateId => "duplicate_id",
            Reason::UnknownId => "unknown_id",
            Reason::RerankInputNotRetrieved => "rerank_input_not_retrieved",
            Reason::RerankedSetChanged => "reranked_set_changed",
            Reason::SelectedNotReranked => "selected_not_reranked",
            Reason::VersionMismatch => "version_mismatch",
        }
    }

    /// What the reason means, in plain words.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Reason::NotPermitted => "a chunk that the case's principal may not see was touched",
            Reason::NotCurrent => "a chunk that is not current was touched",
            Reason::CaseMismatch => "the trace belongs to a different case than its row says",
            Reason::EmptyContext => "no chunk was selected for the context",
            Reason::VersionCount => "the numbers of selected versions and selected chunks differ",
            Reason::DuplicateVersionKey => "a part of the pipeline gives its version twice",
            Reason::MissingVersionKey => "a part of the pipeline gives no version",
            Reason::DuplicateId => "a stage lists a chunk twice",
            Reason::UnknownId => "the evidence store has no such chunk",
            Reason::RerankInputNotRetrieved => "the reranker was given a chunk that was not retrieved",
            Reason::RerankedSetChanged => "the reranker did not return the chunks that it was given",
            Reason::SelectedNotReranked => "a selected chunk did not come from the reranker",
            Reason::VersionMismatch => "a selected chunk has a different version in the evidence store",
        }
    }
}

/// A stage of the path, in order. Completeness is checked twice: for an empty answer, and for missing points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The evidence may not be used.
    Admissibility,
    /// A required source was not retrieved.
    CandidateRetrieval,
    /// A required source was retrieved but not selected.
    ContextSelection,
    /// A claim says more than the selected evidence.
    AnswerFaithfulness,
    /// A claim does not cite what supports it.
    CitationSupport,
    /// The answer says nothing, or leaves out a required point.
    AnswerCompleteness,
    /// Nothing broke.
    Pass,
}

impl Stage {
    /// Every stage.
    pub const ALL: [Stage; 7] = [
        Stage::Admissibility,
        Stage::CandidateRetrieval,
        Stage::ContextSelection,
        Stage::AnswerFaithfulness,
        Stage::CitationSupport,
        Stage::AnswerCompleteness,
        Stage::Pass,
    ];

    /// The name of the stage.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stage::Admissibility => "admissibility",
            Stage::CandidateRetrieval => "candidate_retrieval",
            Stage::ContextSelection => "context_selection",
            Stage::AnswerFaithfulness => "answer_faithfulness",
            Stage::CitationSupport => "citation_support",
            Stage::AnswerCompleteness => "answer_completeness",
            Stage::Pass => "pass",
        }
    }

    /// What it means that a case failed here.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Stage::Admissibility => {
                "the evidence path may not be used: forbidden, stale, unknown or inconsistent"
            }
            Stage::CandidateRetrieval => "a required source was not among the first-stage candidates",
            Stage::ContextSelection => {
                "a required source was retrieved but did not reach the selected context"
            }
            Stage::AnswerFaithfulness => "a claim says something that no selected chunk supports",
            Stage::CitationSupport => "a claim cites nothing, or a chunk that does not support it",
            Stage::AnswerCompleteness => "the answer makes no claim, or leaves out a required point",
            Stage::Pass => "nothing failed",
        }
    }

    /// Where to look first.
    #[must_use]
    pub fn first_fix(self) -> &'static str {
        match self {
            Stage::Admissibility => {
                "the evidence filter: permissions, freshness and versions, before anything is ranked"
            }
            Stage::CandidateRetrieval => {
                "chunking, the query, or the retrieval lane that should have found it"
            }
            Stage::ContextSelection => "the reranker, or the rule that admits chunks to the context",
            Stage::AnswerFaithfulness => "the prompt, the rule for abstaining, or the generation policy",
            Stage::CitationSupport => "how citations are attached to claims, or how they are validated",
            Stage::AnswerCompleteness => {
                "the prompt: it must ask for every required point, or for an abstention"
            }
            Stage::Pass => "nothing",
        }
    }
}

/// The result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Label {
    /// A control that should be blocked was released.
    Leaked,
    /// A case that should be released was blocked.
    Held,
    /// Blocked correctly.
    Blocked,
    /// Released correctly.
    Released,
}

impl Label {
    /// Every label, worst first.
    pub const ALL: [Label; 4] = [Label::Leaked, Label::Held, Label::Blocked, Label::Released];

    /// The name of the label.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Label::Leaked => "LEAKED",
            Label::Held => "HELD",
            Label::Blocked => "BLOCKED",
            Label::Released => "RELEASED",
        }
    }

    /// Whether the decision was right.
    #[must_use]
    pub fn is_good(self) -> bool {
        matches!(self, Label::Blocked | Label::Released)
    }

    /// What the label means.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Label::Leaked => {
                "A known-bad control passed every stage: an answer like it would reach a reader."
            }
            Label::Held => "The case should be released, but a stage blocked it.",
            Label::Blocked => "A known-bad control was blocked, as it should be.",
            Label::Released => "The case passed every stage, as it should.",
        }
    }

    /// What to do about a case with this label.
    #[must_use]
    pub fn next_step(self) -> &'static str {
        match self {
            Label::Leaked => {
                "make gold stricter for this case: its points and phrases do not distinguish this answer from a good one"
            }
            Label::Held => "look at the stage that blocked it, and try its first fix",
            Label::Blocked | Label::Released => "nothing",
        }
    }
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

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
