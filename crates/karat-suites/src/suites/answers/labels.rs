//! Labels of `answers`: one word for the result of a case.
//!
//! The first label that applies counts, in the order of [`label`].

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judge::{Constraint, Containment, Presence, Scu, Verdict};
use super::stages::Stage;
use crate::model::Listed;

/// The result of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Label {
    /// An unanswerable question was answered.
    Hallucination,
    /// A locked constraint was dropped or contradicted.
    ScuViolation,
    /// The claim contains a forbidden text.
    Forbidden,
    /// An id was cited that was not retrieved.
    OutOfScope,
    /// No citation is gold, or the citations are not a list.
    AnsNoHit,
    /// Properly cited, but the claim lacks gold's phrase.
    NoClaimMatch,
    /// An answerable question was refused.
    OverRefusal,
    /// The pipeline failed.
    Error,
    /// There is no trace.
    Missing,
    /// Refused correctly.
    RefusalOk,
    /// Answered correctly.
    Ok,
}

impl Label {
    /// Every label, worst first, which is the order of the worst cases.
    pub const ALL: [Label; 11] = [
        Label::Hallucination,
        Label::ScuViolation,
        Label::Forbidden,
        Label::OutOfScope,
        Label::AnsNoHit,
        Label::NoClaimMatch,
        Label::OverRefusal,
        Label::Error,
        Label::Missing,
        Label::RefusalOk,
        Label::Ok,
    ];

    /// The label's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Label::Hallucination => "HALLUCINATION",
            Label::ScuViolation => "SCU_VIOLATION",
            Label::Forbidden => "FORBIDDEN",
            Label::OutOfScope => "OUT_OF_SCOPE",
            Label::AnsNoHit => "ANS_NO_HIT",
            Label::NoClaimMatch => "NO_CLAIM_MATCH",
            Label::OverRefusal => "OVER_REFUSAL",
            Label::Error => "ERROR",
            Label::Missing => "MISSING",
            Label::RefusalOk => "REFUSAL_OK",
            Label::Ok => "OK",
        }
    }

    /// Whether the case went well.
    #[must_use]
    pub fn is_good(self) -> bool {
        matches!(self, Label::Ok | Label::RefusalOk)
    }

    /// What the label means.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Label::Hallucination => {
                "The question cannot be answered from the corpus, but an answer was shipped."
            }
            Label::ScuViolation => {
                "The answer drops or contradicts a locked constraint (only under --scu enforce)."
            }
            Label::Forbidden => "The claim contains a text that gold forbids.",
            Label::OutOfScope => "The answer cites an id that was not retrieved.",
            Label::AnsNoHit => "The answer cites none of gold's chunks, or its citations are not a list.",
            Label::NoClaimMatch => "The citations are right, but the claim contains none of gold's phrases.",
            Label::OverRefusal => "The question can be answered, but it was refused.",
            Label::Error => "The trace says ok: false and has no claim: the pipeline failed.",
            Label::Missing => "No trace belongs to this case; it counts as a shipped empty answer.",
            Label::RefusalOk => "The question cannot be answered, and was refused.",
            Label::Ok => "The answer contains what gold asks for and cites gold's evidence.",
        }
    }

    /// What to do about a case with this label, given the stage that broke first.
    #[must_use]
    pub fn next_step(self, stage: Stage) -> &'static str {
        match (self, stage) {
            (Label::Hallucination, _) => {
                "strengthen the refusal rule, or raise the bar for what counts as evidence"
            }
            (Label::ScuViolation, _) => {
                "repeat the locked constraints in the last prompt and require a verbatim echo"
            }
            (Label::Forbidden, _) => {
                "read the claim: the prompt or the evidence lets the forbidden text through"
            }
            (Label::OutOfScope, _) => {
                "restrict citations to the ids in the prompt: the model invents or remembers ids"
            }
            (Label::AnsNoHit, Stage::Retrieval) => {
                "none of gold's chunks was retrieved: fix the index, the chunking or the query"
            }
            (Label::AnsNoHit, _) => {
                "the evidence was retrieved but not cited: let the prompt require a citation for each claim"
            }
            (Label::NoClaimMatch, _) => {
                "compare the claim with gold's phrases: is the answer wrong, or a phrase too narrow?"
            }
            (Label::OverRefusal, Stage::Retrieval) => {
                "none of gold's chunks was retrieved: fix the index, the chunking or the query"
            }
            (Label::OverRefusal, _) => {
                "the evidence was retrieved but the question was refused: loosen the refusal rule"
            }
            (Label::Error, _) => "look at the trace's `reason`, fix the pipeline and run the case again",
            (Label::Missing, _) => "run the pipeline for this case, or find out why its trace was not logged",
            (Label::RefusalOk | Label::Ok, _) => "nothing",
        }
    }
}

/// The label of a verdict.
#[must_use]
pub fn label(v: &Verdict, scu: Scu) -> Label {
    match v.presence {
        Presence::Missing => return Label::Missing,
        Presence::Errored => return Label::Error,
        Presence::Traced => {}
    }
    match (v.refused, v.answerable) {
        (true, false) => return Label::RefusalOk,
        (true, true) => return Label::OverRefusal,
        (false, false) => return Label::Hallucination,
        (false, true) => {}
    }
    if scu == Scu::Enforce && v.constraint != Constraint::Kept {
        Label::ScuViolation
    } else if v.forbidden {
        Label::Forbidden
    } else if v.citations == Listed::List && !v.in_scope {
        Label::OutOfScope
    } else if !v.hit() {
        Label::AnsNoHit
    } else if v.containment == Containment::No {
        Label::NoClaimMatch
    } else {
        Label::Ok
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_wire_names() {
        for label in Label::ALL {
            assert_eq!(serde_json::to_value(label).unwrap(), label.name());
        }
    }
}
