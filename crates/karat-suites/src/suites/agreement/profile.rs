//! The suite `agreement`: do the people or models that judge answers agree?

use crate::metrics::{self, Metric};
use crate::profile::{Preset, Profile, Term};
use crate::suites::agreement::judge::{Final, Verdict, Why};

/// The suite `agreement`: do the people or models that judge answers agree?
#[must_use]
pub(super) fn profile() -> Profile {
    Profile {
        suite: "agreement",
        summary: "raters of answers: agreement, kappa, abstentions, arbitration, calibration of a judge",
        metrics: metrics::abouts(&metrics()),
        flat: FLAT,
        sparse: false,
        slices: &[],
        sets: "n answers that every rater judged; labels VALID, NOT_IN_CONTEXT, REJECT, ABSTAIN",
        checks: &[],
        labels,
        stages,
        presets: PRESETS,
        words: None,
    }
}

const PRESETS: &[Preset] = &[Preset { name: "consistency", toml: include_str!("presets/consistency.toml") }];

/// The metrics of the suite, in the order of its tables.
pub(super) fn metrics() -> Vec<Metric<Verdict>> {
    metrics::named(METRICS, super::metrics::ALL.iter().map(|&&metric| metric))
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
