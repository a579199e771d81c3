//! The suite `agreement`: do the people or models that judge answers agree?

use super::{Profile, Term, named};
use crate::judge::agreement::{Final, Why};
use crate::metrics;

impl Profile {
    /// The suite `agreement`: do the people or models that judge answers agree?
    #[must_use]
    pub fn agreement() -> Self {
        Profile {
            suite: "agreement",
            summary: "raters of answers: agreement, kappa, abstentions, arbitration, calibration of a judge",
            metrics: named(METRICS, &[metrics::agreement::ALL, metrics::input::ALL]),
            flat: FLAT,
            sparse: false,
            slices: &[],
            sets: "n answers that every rater judged; labels VALID, NOT_IN_CONTEXT, REJECT, ABSTAIN",
            checks: &[],
            labels,
            stages,
        }
    }
}

const METRICS: &[&str] = &[
    "percent_agreement",
    "kappa",
    "abstain_rate",
    "ac1",
    "judge_precision",
    "judge_recall",
    "judge_f1",
    "judge_kappa",
    "n",
    "unpaired",
    "disagreements",
    "malformed",
];

const FLAT: &[&str] = &[
    "n",
    "unpaired",
    "percent_agreement",
    "kappa",
    "ac1",
    "abstain_rate",
    "disagreements",
    "final",
    "truth",
    "malformed",
    "gates",
    "pass",
    "verdict",
];

fn labels() -> Vec<Term> {
    let term = |outcome: Final| Term {
        name: outcome.name(),
        meaning: outcome.meaning(),
        steps: match outcome {
            Final::Review => {
                vec![("", "have a person decide, and clarify the rule that the two read differently")]
            }
            _ => Vec::new(),
        },
        good: outcome != Final::Review,
    };
    Final::ALL.into_iter().map(term).collect()
}

fn stages() -> Vec<Term> {
    let term = |why: Why| Term {
        name: why.name(),
        meaning: why.meaning(),
        steps: Vec::new(),
        good: why == Why::AuditorOk,
    };
    Why::ALL.into_iter().map(term).collect()
}
