//! The suite `retrieval`: what an index or chunking change did.

use crate::metrics::{self, Metric};
use crate::profile::{Preset, Profile, Term};
use crate::suites::retrieval::judge::Sides;
use crate::suites::retrieval::labels::{Label, Stage};

/// The suite `retrieval`: what an index or chunking change did.
#[must_use]
pub(super) fn profile() -> Profile {
    Profile {
        suite: "retrieval",
        summary: "index and chunking: rankings, coverage, citations to the byte, distance in meaning, shadow against live",
        metrics: metrics::abouts(&metrics()),
        flat: FLAT,
        sparse: true,
        slices: &[("coverage", "coverage"), ("R@5", "R@5"), ("nDCG@10", "nDCG@10"), ("MRR", "MRR")],
        sets: "G the relevant ids of a question, R_k the first k that a run returned; a question's value is the mean over its runs, and one without a run counts 0",
        labels,
        stages,
        checks: &[],
        presets: PRESETS,
        words: None,
    }
}

const PRESETS: &[Preset] = &[
    Preset { name: "index", toml: include_str!("presets/index.toml") },
    Preset { name: "canary", toml: include_str!("presets/canary.toml") },
];

/// The metrics of the suite, in the order of its tables.
pub(super) fn metrics() -> Vec<Metric<Sides>> {
    metrics::named(METRICS, super::metrics::ALL.iter().map(|&&metric| metric))
}

/// What is gated first, then the ranking, then what is cited, then the counts.
const METRICS: &[&str] = &[
    "coverage",
    "citation_accuracy",
    "ds_median",
    "ds_p90",
    "lambda_convergent",
    "recall_drop@k",
    "P@k",
    "R@k",
    "hit@k",
    "MRR",
    "MAP",
    "nDCG@k",
    "Rprec",
    "bpref",
    "anchor_hit@k",
    "coverage_any",
    "anchor_proximity",
    "ds_topk_median",
    "ds_topk_p90",
    "ds_over_limit",
    "negatives_above",
    "questions",
    "runs",
    "missing",
    "baseline_missing",
    "unmatched",
    "malformed",
    "duplicate_ids",
];

const FLAT: &[&str] = &[
    "questions",
    "runs",
    "missing",
    "unmatched",
    "malformed",
    "duplicate_ids",
    "P@k",
    "R@k",
    "hit@k",
    "MRR",
    "MAP",
    "nDCG@k",
    "Rprec",
    "bpref",
    "anchor_hit@k",
    "coverage",
    "coverage_any",
    "citation_accuracy",
    "anchor_proximity",
    "ds_median",
    "ds_p90",
    "ds_topk_median",
    "ds_topk_p90",
    "ds_over_limit",
    "lambda_convergent",
    "negatives_above",
    "recall_drop@k",
    "bad_qids",
    "by_type",
    "gates",
    "pass",
    "verdict",
    "baseline",
    "delta",
];

fn labels() -> Vec<Term> {
    let term = |label: Label| {
        let (plain, lost) = (label.next_step(Stage::Citation), label.next_step(Stage::Retrieval));
        let steps = if plain == lost {
            vec![("", plain)]
        } else {
            vec![("lost at retrieval", lost), ("retrieved", plain)]
        };
        Term { name: label.name(), meaning: label.meaning(), steps, good: label.is_good() }
    };
    Label::ALL.into_iter().map(term).collect()
}

fn stages() -> Vec<Term> {
    let term = |stage: Stage| Term {
        name: stage.name(),
        meaning: stage.meaning(),
        steps: Vec::new(),
        good: stage == Stage::Pass,
    };
    Stage::ALL.into_iter().map(term).collect()
}
