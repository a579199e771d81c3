//! The suite `answers`: grounded answers, refusals, citations, constraints.

use crate::judge::{Label, Stage, Verdict};
use crate::metrics::{self, Metric};
use crate::profile::{Preset, Profile, Term};

/// The suite `answers`: grounded answers, refusals, citations, constraints.
#[must_use]
pub(super) fn profile() -> Profile {
    Profile {
        suite: "answers",
        summary: "grounded answers: precision, refusals, citations, constraints, recall",
        metrics: metrics::abouts(&metrics()),
        flat: FLAT,
        sparse: false,
        slices: &[
            ("precision", "precision"),
            ("chr", "chr"),
            ("under_refusal", "under"),
            ("over_refusal", "over"),
        ],
        sets: "S shipped, R refused, A answerable, U unanswerable. Checks: C containment, H citation hit, F nothing forbidden, K constraints kept",
        checks: &[],
        labels,
        stages,
        presets: PRESETS,
        words: None,
    }
}

const PRESETS: &[Preset] = &[
    Preset { name: "ship", toml: include_str!("presets/ship.toml") },
    Preset { name: "quality", toml: include_str!("presets/quality.toml") },
];

/// The metrics of the suite, in the order of its tables.
pub(super) fn metrics() -> Vec<Metric<Verdict>> {
    metrics::named(METRICS, super::metrics::ALL.iter().map(|&&metric| metric))
}

/// What is gated first, then what explains it, then the counts.
const METRICS: &[&str] = &[
    "precision",
    "chr",
    "under_refusal",
    "over_refusal",
    "recall@k",
    "hit@k",
    "chr_bound",
    "mrr",
    "ndcg@k",
    "scu_integrity",
    "scu_violations",
    "echo_mismatch",
    "contradiction",
    "answer_hit_rate",
    "answerable_chr",
    "citation_precision",
    "citation_recall",
    "containment",
    "compliance",
    "answered",
    "refused",
    "answerable",
    "unanswerable",
    "missing",
    "errored",
    "unmatched",
    "malformed",
];

const FLAT: &[&str] = &[
    "answered",
    "refused",
    "answerable",
    "unanswerable",
    "missing",
    "errored",
    "unmatched",
    "malformed",
    "precision",
    "chr",
    "under_refusal",
    "over_refusal",
    "recall@k",
    "hit@k",
    "chr_bound",
    "mrr",
    "ndcg@k",
    "scu_violations",
    "answer_hit_rate",
    "citation_precision",
    "citation_recall",
    "answerable_chr",
    "containment",
    "compliance",
    "k",
    "gates",
    "pass",
    "verdict",
];

pub(crate) fn labels() -> Vec<Term> {
    let term = |label: Label| {
        let (plain, lost) = (label.next_step(Stage::Citation), label.next_step(Stage::Retrieval));
        let steps = if plain == lost {
            vec![("", plain)]
        } else {
            vec![("evidence retrieved", plain), ("lost at retrieval", lost)]
        };
        Term { name: label.name(), meaning: label.meaning(), steps, good: label.is_good() }
    };
    Label::ALL.into_iter().map(term).collect()
}

pub(crate) fn stages() -> Vec<Term> {
    let term = |stage: Stage| Term {
        name: stage.name(),
        meaning: stage.meaning(),
        steps: Vec::new(),
        good: stage == Stage::Pass,
    };
    Stage::ALL.into_iter().map(term).collect()
}
