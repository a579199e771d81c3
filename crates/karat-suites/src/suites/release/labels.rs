//! Labels and stages of `release`, and the reasons why a path is not admissible.

use std::fmt;

use crate::suites::terms::terms;

terms! {
    /// The result of a case, worst first.
    pub enum Label {
        Leaked: "LEAKED", "A known-bad control passed every stage: an answer like it would reach a reader.",
            "make gold stricter for this case: its points and phrases do not distinguish this answer from a good one";
        Held: "HELD", "The case should be released, but a stage blocked it.",
            "look at the stage that blocked it, and try its first fix";
        Blocked: "BLOCKED", "A known-bad control was blocked, as it should be.", "nothing";
        Released: "RELEASED", "The case passed every stage, as it should.", "nothing";
    }
}

impl Label {
    /// Whether the decision was right.
    #[must_use]
    pub fn is_good(self) -> bool {
        matches!(self, Label::Blocked | Label::Released)
    }

    /// What to do about a case with this label.
    #[must_use]
    pub fn next_step(self) -> &'static str {
        self.advice()
    }
}

terms! {
    /// A stage of the path, in order. Completeness is checked twice: for an empty answer, and for missing points.
    pub enum Stage {
        Admissibility: "admissibility",
            "the evidence path may not be used: forbidden, stale, unknown or inconsistent",
            "the evidence filter: permissions, freshness and versions, before anything is ranked";
        CandidateRetrieval: "candidate_retrieval", "a required source was not among the first-stage candidates",
            "chunking, the query, or the retrieval lane that should have found it";
        ContextSelection: "context_selection",
            "a required source was retrieved but did not reach the selected context",
            "the reranker, or the rule that admits chunks to the context";
        AnswerFaithfulness: "answer_faithfulness", "a claim says something that no selected chunk supports",
            "the prompt, the rule for abstaining, or the generation policy";
        CitationSupport: "citation_support", "a claim cites nothing, or a chunk that does not support it",
            "how citations are attached to claims, or how they are validated";
        AnswerCompleteness: "answer_completeness", "the answer makes no claim, or leaves out a required point",
            "the prompt: it must ask for every required point, or for an abstention";
        Pass: "pass", "nothing failed", "nothing";
    }
}

impl Stage {
    /// Where to look first.
    #[must_use]
    pub fn first_fix(self) -> &'static str {
        self.advice()
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

terms! {
    /// Why a path is not admissible, in order of precedence.
    pub enum Reason {
        NotPermitted: "not_permitted", "a chunk that the case's principal may not see was touched";
        NotCurrent: "not_current", "a chunk that is not current was touched";
        CaseMismatch: "case_mismatch", "the trace belongs to a different case than its row says";
        EmptyContext: "empty_context", "no chunk was selected for the context";
        VersionCount: "version_count", "the numbers of selected versions and selected chunks differ";
        DuplicateVersionKey: "duplicate_version_key", "a part of the pipeline gives its version twice";
        MissingVersionKey: "missing_version_key", "a part of the pipeline gives no version";
        DuplicateId: "duplicate_id", "a stage lists a chunk twice";
        UnknownId: "unknown_id", "the evidence store has no such chunk";
        RerankInputNotRetrieved: "rerank_input_not_retrieved",
            "the reranker was given a chunk that was not retrieved";
        RerankedSetChanged: "reranked_set_changed", "the reranker did not return the chunks that it was given";
        SelectedNotReranked: "selected_not_reranked", "a selected chunk did not come from the reranker";
        VersionMismatch: "version_mismatch", "a selected chunk has a different version in the evidence store";
    }
}
