//! One case from question to verdict: what was said, what was checked, what broke first.

use super::Offender;

/// How one case went. It holds words of the inputs, so that the serialised report leaves it out.
#[derive(Clone, Debug, Default)]
pub struct CaseView {
    /// What was asked, retrieved, cited and said, and what to do.
    pub told: Offender,
    /// What was checked, in the pipeline's order.
    pub steps: Vec<Step>,
    /// What else there is to know before its verdict can be understood, by name: who asked, what gold wants.
    pub about: Vec<(String, String)>,
    /// `release`: how chunks went through the stages.
    pub staged: Option<Staged>,
    /// `release`: every claim, and what became of it.
    pub claims: Vec<Claimed>,
    /// `stability`: in how many runs each of gold's phrases and sources is found.
    pub found: Vec<Found>,
}

/// How chunks went through the stages of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Staged {
    /// The stages in their order.
    pub stages: Vec<String>,
    /// A chunk each, in the order of first appearance.
    pub chunks: Vec<StagedChunk>,
    /// How many more there are, of which nothing can be said but their ranks.
    pub more: u64,
}

/// A chunk on its way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StagedChunk {
    /// Its id.
    pub id: String,
    /// Its rank in each stage, from 1.
    pub ranks: Vec<Option<u64>>,
    /// What it is: required, cited, at fault; and whether that is as it should be.
    pub tags: Vec<(String, bool)>,
}

/// A claim of an answer, and what became of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claimed {
    /// Its id.
    pub id: String,
    /// Its words, where there are any.
    pub words: Option<String>,
    /// What was checked: whether it holds, and why.
    pub checks: Vec<(bool, String)>,
}

/// In how many runs something is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// It is a source that is cited, not a phrase that is said.
    pub source: bool,
    /// The phrase or the id.
    pub text: String,
    /// Runs that have it.
    pub runs: u64,
    /// Of so many.
    pub of: u64,
}

impl CaseView {
    /// About how many bytes its words take.
    pub fn size(&self) -> usize {
        let Offender { question, claim, retrieved, cited, gold_citations, gold_phrases, notes, .. } =
            &self.told;
        let lists = [retrieved, cited, gold_citations, gold_phrases, notes];
        let words: usize = lists.iter().flat_map(|list| list.iter()).map(String::len).sum();
        let about: usize = self.about.iter().map(|(_, text)| text.len()).sum();
        let chunks = self.staged.iter().flat_map(|staged| &staged.chunks);
        // A rank takes two or three digits and a comma.
        let chunks: usize = chunks.map(|chunk| chunk.id.len() + chunk.ranks.len() * 4).sum();
        let claims = self.claims.iter();
        let claims: usize = claims
            .map(|claim| {
                let checks: usize = claim.checks.iter().map(|(_, why)| why.len()).sum();
                claim.id.len() + claim.words.as_ref().map_or(0, String::len) + checks
            })
            .sum();
        let found: usize = self.found.iter().map(|found| found.text.len()).sum();
        words + question.len() + claim.as_ref().map_or(0, String::len) + about + chunks + claims + found
    }
}

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was asked.
    pub name: String,
    /// Whether it holds; `None` where nobody asks.
    pub pass: Option<bool>,
    /// What was found.
    pub says: String,
    /// What the name means, where it does not say so itself.
    pub meaning: &'static str,
}

impl Step {
    /// A step.
    pub fn new(name: &str, pass: Option<bool>, says: impl Into<String>) -> Self {
        Step { name: name.into(), pass, says: says.into(), meaning: "" }
    }
}
