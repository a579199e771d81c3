//! Labels and stages of `stability`: the result of a case over its runs, and what broke first.

use super::judge::Property;

/// The stage that broke first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Runs are missing.
    Runs,
    /// A measure is on the wrong side of its limit.
    Broken(Property),
    /// Nothing broke.
    Pass,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Stage; 9] = [
        Stage::Runs,
        Stage::Broken(Property::Rcr),
        Stage::Broken(Property::RefusalRate),
        Stage::Broken(Property::Acr),
        Stage::Broken(Property::Cghc),
        Stage::Broken(Property::Css),
        Stage::Broken(Property::Ned50),
        Stage::Broken(Property::ScuCons),
        Stage::Pass,
    ];

    /// The name of the stage.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stage::Runs => "runs",
            Stage::Broken(of) => of.name(),
            Stage::Pass => "pass",
        }
    }

    /// When a case is lost here.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Stage::Runs => "runs of the grid are missing",
            Stage::Broken(Property::Rcr) => {
                "an unanswerable question is refused in some runs and answered in others"
            }
            Stage::Broken(Property::RefusalRate) => {
                "an unanswerable question is answered in more than one run of fifty"
            }
            Stage::Broken(Property::Acr) => "the claim lacks gold's phrase in more than one run of twenty",
            Stage::Broken(Property::Cghc) => "citations are wrong in more than one run of twenty",
            Stage::Broken(Property::Css) => "runs cite different chunks",
            Stage::Broken(Property::Ned50) => "runs word the answer differently",
            Stage::Broken(Property::ScuCons) => "a run does not echo the locked constraints",
            Stage::Broken(Property::Iaa) => "pairs of runs say different things",
            Stage::Pass => "nothing broke",
        }
    }

    /// What to look at first.
    #[must_use]
    pub fn next_step(self) -> &'static str {
        match self {
            Stage::Runs => "run what is missing, or name the planned grid with --grid",
            Stage::Broken(Property::Rcr) => {
                "make the refusal rule strict: the same evidence must not be enough in one run and too little in the next"
            }
            Stage::Broken(Property::RefusalRate) => {
                "strengthen the refusal rule, or raise the bar for what counts as evidence"
            }
            Stage::Broken(Property::Acr) => {
                "look at the runs that differ: lower the temperature, or ask for the answer's key phrase"
            }
            Stage::Broken(Property::Cghc) => {
                "look at what those runs retrieved: either the retriever or the rule for citing is unstable"
            }
            Stage::Broken(Property::Css) => {
                "cite as few chunks as support the answer, and rank ties in a fixed order"
            }
            Stage::Broken(Property::Ned50 | Property::Iaa) => {
                "lower the temperature, or ask for a fixed form of the answer"
            }
            Stage::Broken(Property::ScuCons) => "require a verbatim echo of the constraints in every run",
            Stage::Pass => "",
        }
    }
}

/// The result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Label {
    /// An unanswerable question is answered in nearly every run.
    Hallucination,
    /// No run answers correctly.
    Wrong,
    /// Some runs are right and others are not.
    Flips,
    /// A run does not echo the constraints.
    ScuViolation,
    /// Every run is right, but they differ in wording or citations.
    Drifts,
    /// It has no run.
    Missing,
    /// It holds in the runs that it has, but others are missing.
    Incomplete,
    /// It comes out the same, and right.
    Stable,
}

impl Label {
    /// Every label, worst first.
    pub const ALL: [Label; 8] = [
        Label::Hallucination,
        Label::Wrong,
        Label::Flips,
        Label::ScuViolation,
        Label::Drifts,
        Label::Missing,
        Label::Incomplete,
        Label::Stable,
    ];

    /// The name of the label.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Label::Hallucination => "HALLUCINATION",
            Label::Wrong => "WRONG",
            Label::Flips => "FLIPS",
            Label::ScuViolation => "SCU_VIOLATION",
            Label::Drifts => "DRIFTS",
            Label::Missing => "MISSING",
            Label::Incomplete => "INCOMPLETE",
            Label::Stable => "STABLE",
        }
    }

    /// What the label means.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Label::Hallucination => {
                "An unanswerable question is answered in nearly every run: consistent, and wrong."
            }
            Label::Wrong => "The question can be answered, but no run answers it correctly.",
            Label::Flips => "Some runs are right and others are not.",
            Label::ScuViolation => {
                "Runs are right and alike, but one of them does not echo the locked constraints."
            }
            Label::Drifts => "Runs are right, but differ in wording or in what they cite.",
            Label::Missing => "The case has no run.",
            Label::Incomplete => "The case holds in the runs that it has, but runs of the grid are missing.",
            Label::Stable => "The case comes out the same, and right, in every run.",
        }
    }
}
