//! The suite `release`: a permission-safe evidence path, claim by claim.

use crate::metrics::{self, Metric};
use crate::profile::{Preset, Profile, Term, Words};
use crate::suites::release::judge::{Label, Reason, Stage, Verdict};

/// The suite `release`: a permission-safe evidence path, claim by claim.
#[must_use]
pub(super) fn profile() -> Profile {
    Profile {
        suite: "release",
        summary: "evidence paths: permissions, versions, claims, citations, the first stage that broke",
        metrics: metrics::abouts(&metrics()),
        flat: FLAT,
        sparse: false,
        slices: &[("release_correct", "correct"), ("faithfulness", "faithful"), ("point_coverage", "points")],
        sets: "required: the sources and points that gold asks of a case; a chunk that contains all phrases of a claim supports it",
        checks: CHECKS,
        labels,
        stages,
        presets: PRESETS,
        words: Some(WORDS),
    }
}

const PRESETS: &[Preset] = &[Preset { name: "release", toml: include_str!("presets/release.toml") }];

const WORDS: Words = Words {
    title: "why an evidence path is not admissible",
    order: "the first reason first",
    noun: "reason",
    list: || Reason::ALL.map(|reason| (reason.name(), reason.meaning())).to_vec(),
};

/// The metrics of the suite, in the order of its tables.
pub(super) fn metrics() -> Vec<Metric<Verdict>> {
    metrics::named(METRICS, super::metrics::ALL.iter().map(|&&metric| metric))
}

/// What is gated first, then the path in its order, then the counts.
const METRICS: &[&str] = &[
    "admissible_evidence_path",
    "supported_answer_released",
    "known_bad_answers_blocked",
    "release_correct",
    "candidate_recall",
    "context_recall",
    "context_precision",
    "faithfulness",
    "citation_coverage",
    "citation_support",
    "point_coverage",
    "cases",
    "released",
    "blocked",
    "missing",
    "malformed",
];

/// The first three are metrics too; their gates, and the one on slices, are the preset `release`.
const CHECKS: &[(&str, &str)] = &[(
    "slice_regression_clear",
    "in every slice (`workflow`, or each --slice FIELD) at least 95 % of the cases are decided correctly: the gate release_correct[*]>=0.95",
)];

const FLAT: &[&str] = &[
    "cases",
    "released",
    "blocked",
    "missing",
    "malformed",
    "release_correct",
    "candidate_recall",
    "context_recall",
    "context_precision",
    "faithfulness",
    "citation_coverage",
    "citation_support",
    "point_coverage",
    "first_failed_stage",
    "checks",
    "slices",
    "gates",
    "pass",
    "verdict",
];

fn labels() -> Vec<Term> {
    let term = |label: Label| Term {
        name: label.name(),
        meaning: label.meaning(),
        steps: vec![("", label.next_step())],
        good: label.is_good(),
    };
    Label::ALL.into_iter().map(term).collect()
}

fn stages() -> Vec<Term> {
    let term = |stage: Stage| Term {
        name: stage.name(),
        meaning: stage.meaning(),
        steps: if stage == Stage::Pass { Vec::new() } else { vec![("", stage.first_fix())] },
        good: stage == Stage::Pass,
    };
    Stage::ALL.into_iter().map(term).collect()
}
