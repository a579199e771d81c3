//! Labels of `agreement`: what raters say of an answer, what becomes of it, and by which rule.

use crate::suites::terms::terms;

terms! {
    /// A rater's label for an answer.
    pub enum Label {
        Valid: "VALID", "The answer is right and supported.";
        NotInContext: "NOT_IN_CONTEXT", "The evidence has no answer.";
        Reject: "REJECT", "The answer is wrong, or breaks a rule.";
        Abstain: "ABSTAIN", "The rater abstains.";
    }
}

impl Label {
    /// Reads a label, in any letter case; `INVALID` is a rejection.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match crate::text::trim(text).to_ascii_uppercase().as_str() {
            "INVALID" => Some(Label::Reject),
            name => Label::named(name),
        }
    }
}

terms! {
    /// The final decision on an answer that two raters judged, worst first.
    pub enum Final {
        Reject: "REJECT", "The answer is not shipped.";
        Review: "REVIEW", "The answer is not shipped until a person has looked at it.";
        Refuse: "REFUSE", "Both raters say that the evidence has no answer: the question is refused.";
        Valid: "VALID", "The answer is shipped.";
    }
}

terms! {
    /// The rule that decided about an answer, in order of precedence.
    pub enum Why {
        HardFlag: "hard_flag", "a flag is set: a provenance violation or a constraint that was not kept";
        CitationOutOfScope: "citation_out_of_scope",
            "the answer cites a chunk that was not retrieved, or is malformed: not an object, or its citations are not a list";
        AgreedRefusal: "agreed_refusal", "both raters say that the evidence has no answer";
        AuditorVeto: "auditor_veto", "the auditor does not call it valid";
        AuditorOk: "auditor_ok", "both raters call it valid";
        NeedsReview: "needs_review", "the auditor calls it valid, the scholar finds no answer in the evidence";
        IncoherentPair: "incoherent_pair", "the auditor calls it valid, the scholar rejects it or abstains";
    }
}

impl Why {
    /// The decision that follows.
    #[must_use]
    pub fn outcome(self) -> Final {
        match self {
            Why::HardFlag | Why::CitationOutOfScope | Why::AuditorVeto | Why::IncoherentPair => Final::Reject,
            Why::AgreedRefusal => Final::Refuse,
            Why::AuditorOk => Final::Valid,
            Why::NeedsReview => Final::Review,
        }
    }
}
