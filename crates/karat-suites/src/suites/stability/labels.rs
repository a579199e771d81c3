//! Labels and stages of `stability`: the result of a case over its runs, and what broke first.

use super::judge::Property;
use crate::suites::terms::terms;

terms! {
    /// The result of a case, worst first.
    pub enum Label {
        Hallucination: "HALLUCINATION",
            "An unanswerable question is answered in nearly every run: consistent, and wrong.";
        Wrong: "WRONG", "The question can be answered, but no run answers it correctly.";
        Flips: "FLIPS", "Some runs are right and others are not.";
        ScuViolation: "SCU_VIOLATION",
            "Runs are right and alike, but one of them does not echo the locked constraints.";
        Drifts: "DRIFTS", "Runs are right, but differ in wording or in what they cite.";
        Missing: "MISSING", "The case has no run.";
        Incomplete: "INCOMPLETE", "The case holds in the runs that it has, but runs of the grid are missing.";
        Stable: "STABLE", "The case comes out the same, and right, in every run.";
    }
}

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

    /// Its name, when a case is lost here, and what to look at first.
    fn words(self) -> [&'static str; 3] {
        match self {
            Stage::Broken(of) => [of.name(), of.meaning(), of.advice()],
            Stage::Pass => ["pass", "nothing broke", ""],
            Stage::Runs => [
                "runs",
                "runs of the grid are missing",
                "run what is missing, or name the planned grid with --grid",
            ],
        }
    }

    /// The name of the stage.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// When a case is lost here.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.words()[1]
    }

    /// What to look at first.
    #[must_use]
    pub fn next_step(self) -> &'static str {
        self.words()[2]
    }
}
