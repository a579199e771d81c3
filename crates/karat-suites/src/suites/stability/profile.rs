//! The suite `stability`: does a case come out the same, and right, however often and in whichever wording it is asked?

use crate::metrics::{self, Metric};
use crate::profile::{Preset, Profile, Term};
use crate::suites::stability::judge::{Label, Stage, Verdict};

/// The suite `stability`: does a case come out the same, and right, in every run?
#[must_use]
pub(super) fn profile() -> Profile {
    Profile {
        suite: "stability",
        summary: "repeated runs over seeds and jitters: claims, citations, refusals, wording, constraints, the full grid",
        metrics: metrics::abouts(&metrics()),
        flat: FLAT,
        sparse: false,
        slices: &[("held", "held"), ("acr", "acr"), ("cghc", "cghc"), ("ned50", "ned50")],
        sets: "A answerable, U unanswerable cases; a run is a case at a seed, a jitter and a wording, N the runs of a case; canonical: \
               lower-cased, without ASCII punctuation, each run of white space one space; H citations all retrieved and one of them gold",
        checks: &[],
        labels,
        stages,
        presets: PRESETS,
        words: None,
    }
}

const PRESETS: &[Preset] = &[Preset { name: "stable", toml: include_str!("presets/stable.toml") }];

/// The metrics of the suite, in the order of its tables.
pub(super) fn metrics() -> Vec<Metric<Verdict>> {
    metrics::named(METRICS, super::metrics::ALL.iter().map(|&&metric| metric))
}

const METRICS: &[&str] = &[
    "held",
    "acr",
    "cghc",
    "css",
    "ned50",
    "scu_cons",
    "rcr",
    "refusal_rate",
    "iaa",
    "answerable",
    "unanswerable",
    "fail",
    "missing",
    "runs",
    "missing_runs",
    "errored",
    "silent",
    "malformed",
];

const FLAT: &[&str] = &["totals", "missing_runs", "gates", "pass", "verdict", "details"];

fn labels() -> Vec<Term> {
    let term = |label: Label| Term {
        name: label.name(),
        meaning: label.meaning(),
        steps: Vec::new(),
        good: label == Label::Stable,
    };
    Label::ALL.into_iter().map(term).collect()
}

fn stages() -> Vec<Term> {
    let term = |stage: Stage| Term {
        name: stage.name(),
        meaning: stage.meaning(),
        steps: if stage == Stage::Pass { Vec::new() } else { vec![("", stage.next_step())] },
        good: stage == Stage::Pass,
    };
    Stage::ALL.into_iter().map(term).collect()
}
