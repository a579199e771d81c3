//! One case from question to verdict: what was said, what was checked, what broke first.

use super::Offender;

/// A case's path. It holds words of the inputs, so that the serialised report leaves it out.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// What was asked, retrieved, cited and said, and what to do.
    pub told: Offender,
    /// What was checked, in the pipeline's order.
    pub steps: Vec<Step>,
}

impl Path {
    /// About how many bytes its words take.
    pub(crate) fn size(&self) -> usize {
        let Offender { question, claim, retrieved, cited, gold_citations, gold_phrases, notes, .. } =
            &self.told;
        let lists = [retrieved, cited, gold_citations, gold_phrases, notes];
        let words: usize = lists.iter().flat_map(|list| list.iter()).map(String::len).sum();
        words + question.len() + claim.as_ref().map_or(0, String::len)
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
}

impl Step {
    /// A step.
    pub(crate) fn new(name: &str, pass: Option<bool>, says: impl Into<String>) -> Self {
        Step { name: name.into(), pass, says: says.into() }
    }
}
