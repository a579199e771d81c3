//! Stages of `answers`: which part of the pipeline broke first.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::judge::{Constraint, Containment, Presence, Scu, Verdict};

/// A stage of the pipeline, in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// No answer came out at all.
    Pipeline,
    /// The pipeline answered where it should have refused, or the other way round.
    Refusal,
    /// None of gold's evidence was retrieved.
    Retrieval,
    /// A locked constraint was not kept.
    Constraints,
    /// The wrong evidence was cited.
    Citation,
    /// The claim is not what gold asks for.
    Claim,
    /// Nothing broke.
    Pass,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Stage; 7] = [
        Stage::Pipeline,
        Stage::Refusal,
        Stage::Retrieval,
        Stage::Constraints,
        Stage::Citation,
        Stage::Claim,
        Stage::Pass,
    ];

    /// The stage's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stage::Pipeline => "pipeline",
            Stage::Refusal => "refusal",
            Stage::Retrieval => "retrieval",
            Stage::Constraints => "constraints",
            Stage::Citation => "citation",
            Stage::Claim => "claim",
            Stage::Pass => "pass",
        }
    }

    /// What it means that a case failed here.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Stage::Pipeline => "no trace, or an error instead of an answer",
            Stage::Refusal => {
                "answered what it should have refused, or refused although the evidence was retrieved"
            }
            Stage::Retrieval => "none of gold's chunks was retrieved",
            Stage::Constraints => "a locked constraint was dropped or contradicted",
            Stage::Citation => "the evidence was retrieved, but the answer cites something else",
            Stage::Claim => "properly cited, but the claim is not what gold asks for",
            Stage::Pass => "nothing failed",
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_wire_names() {
        for stage in Stage::ALL {
            assert_eq!(serde_json::to_value(stage).unwrap(), stage.name());
        }
    }
}
