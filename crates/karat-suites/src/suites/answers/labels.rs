//! Labels and stages of `answers`: one word for the result of a case, and the part of the pipeline that broke first.

use super::judge::{Constraint, Containment, Presence, Scu, Verdict};
use crate::model::Listed;
use crate::suites::terms::terms;

terms! {
    /// The result of a case, worst first, which is the order of the worst cases.
    pub enum Label {
        Hallucination: "HALLUCINATION",
            "The question cannot be answered from the corpus, but an answer was shipped.",
            "strengthen the refusal rule, or raise the bar for what counts as evidence";
        ScuViolation: "SCU_VIOLATION",
            "The answer drops or contradicts a locked constraint (only under --scu enforce).",
            "repeat the locked constraints in the last prompt and require a verbatim echo";
        Forbidden: "FORBIDDEN", "The claim contains a text that gold forbids.",
            "read the claim: the prompt or the evidence lets the forbidden text through";
        OutOfScope: "OUT_OF_SCOPE", "The answer cites an id that was not retrieved.",
            "restrict citations to the ids in the prompt: the model invents or remembers ids";
        AnsNoHit: "ANS_NO_HIT", "The answer cites none of gold's chunks, or its citations are not a list.",
            "the evidence was retrieved but not cited: let the prompt require a citation for each claim";
        NoClaimMatch: "NO_CLAIM_MATCH", "The citations are right, but the claim contains none of gold's phrases.",
            "compare the claim with gold's phrases: is the answer wrong, or a phrase too narrow?";
        OverRefusal: "OVER_REFUSAL", "The question can be answered, but it was refused.",
            "the evidence was retrieved but the question was refused: loosen the refusal rule";
        Error: "ERROR", "The trace says ok: false and has no claim: the pipeline failed.",
            "look at the trace's `reason`, fix the pipeline and run the case again";
        Missing: "MISSING", "No trace belongs to this case; it counts as a shipped empty answer.",
            "run the pipeline for this case, or find out why its trace was not logged";
        RefusalOk: "REFUSAL_OK", "The question cannot be answered, and was refused.", "nothing";
        Ok: "OK", "The answer contains what gold asks for and cites gold's evidence.", "nothing";
    }
}

impl Label {
    /// Whether the case went well.
    #[must_use]
    pub fn is_good(self) -> bool {
        matches!(self, Label::Ok | Label::RefusalOk)
    }

    /// What to do about a case with this label, given the stage that broke first.
    #[must_use]
    pub fn next_step(self, stage: Stage) -> &'static str {
        match (self, stage) {
            (Label::AnsNoHit | Label::OverRefusal, Stage::Retrieval) => {
                "none of gold's chunks was retrieved: fix the index, the chunking or the query"
            }
            _ => self.advice(),
        }
    }
}

terms! {
    /// A stage of the pipeline, in its order.
    pub enum Stage {
        Pipeline: "pipeline", "no trace, or an error instead of an answer";
        Refusal: "refusal",
            "answered what it should have refused, or refused although the evidence was retrieved";
        Retrieval: "retrieval", "none of gold's chunks was retrieved";
        Constraints: "constraints", "a locked constraint was dropped or contradicted";
        Citation: "citation", "the evidence was retrieved, but the answer cites something else";
        Claim: "claim", "properly cited, but the claim is not what gold asks for";
        Pass: "pass", "nothing failed";
    }
}

/// The label of a verdict: the first that applies.
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

/// The first stage that a verdict failed.
#[must_use]
pub fn stage(v: &Verdict, scu: Scu) -> Stage {
    let unfound = v.gold > 0 && v.ranks.is_empty();
    if v.presence != Presence::Traced {
        Stage::Pipeline
    } else if v.refused {
        match (v.answerable, unfound) {
            (false, _) => Stage::Pass,
            (true, false) => Stage::Refusal,
            (true, true) => Stage::Retrieval,
        }
    } else if !v.answerable {
        Stage::Refusal
    } else if unfound {
        Stage::Retrieval
    } else if scu == Scu::Enforce && v.constraint != Constraint::Kept {
        Stage::Constraints
    } else if !v.hit() {
        Stage::Citation
    } else if v.containment == Containment::No || v.forbidden {
        Stage::Claim
    } else {
        Stage::Pass
    }
}
