//! Which metrics does a suite report, and which gates does it default to?
//!
//! A profile is data: a suite's name, its metrics, its presets. Presets are commented TOML inside the binary, so that
//! `karat explain ship` can print the very text that was applied.

use serde::Deserialize;

use crate::gate::{self, Gate, Origin};
use crate::metrics::{self, Metric};
use crate::problem::{self, Failure, Problem};
use crate::text;

/// Gates under a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// The suite it is for.
    pub suite: &'static str,
    /// Its text.
    pub toml: &'static str,
}

/// Every preset.
pub const PRESETS: &[Preset] = &[
    Preset { name: "ship", suite: "answers", toml: include_str!("answers/ship.toml") },
    Preset { name: "quality", suite: "answers", toml: include_str!("answers/quality.toml") },
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PresetFile {
    summary: String,
    gates: Vec<String>,
}

impl Preset {
    fn file(&self) -> Result<PresetFile, Problem> {
        let bad =
            |e: toml::de::Error| Problem::of_file(&problem::GATE_INVALID, self.name, e.message().to_owned());
        toml::from_str(self.toml).map_err(bad)
    }

    /// What it is for, in one sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        self.file().map(|file| file.summary).unwrap_or_default()
    }

    /// Its gates.
    pub fn gates(&self, metrics: &[&'static Metric], k: u32) -> Result<Vec<Gate>, Failure> {
        gate::parse(&self.file()?.gates.join(" "), self.name, metrics, k, Origin::Preset)
    }
}

/// A suite: what it reports.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The suite's name.
    pub suite: &'static str,
    /// Its metrics, in the order of a report. One of your own may be added.
    pub metrics: Vec<&'static Metric>,
}

/// The metrics of `answers`: what is gated first, then what explains it, then the counts.
const ANSWERS: &[&str] = &[
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

impl Profile {
    /// The suite `answers`: grounded answers, refusals, citations, constraints.
    #[must_use]
    pub fn answers() -> Self {
        let named = |name: &&str| metrics::ALL.iter().copied().find(|metric| metric.name == *name);
        Profile { suite: "answers", metrics: ANSWERS.iter().filter_map(named).collect() }
    }

    /// The presets of this suite.
    pub fn presets(&self) -> impl Iterator<Item = &'static Preset> {
        PRESETS.iter().filter(|preset| preset.suite == self.suite)
    }

    /// A preset by its name.
    pub fn preset(&self, name: &str) -> Result<&'static Preset, Problem> {
        self.presets().find(|preset| preset.name == name).ok_or_else(|| {
            let message = format!("the suite {} has no preset called `{}`", self.suite, text::visible(name));
            let mut problem = Problem::of_file(&problem::PRESET_UNKNOWN, "--preset", message);
            let known: Vec<&str> = self.presets().map(|preset| preset.name).collect();
            problem.expected = format!("its presets are: {}", known.join(", "));
            problem
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_is_in_a_profile_once() {
        let profile = Profile::answers();
        assert_eq!(profile.metrics.len(), ANSWERS.len(), "a name that no metric has");
        for metric in metrics::ALL {
            assert_eq!(ANSWERS.iter().filter(|name| **name == metric.name).count(), 1, "{}", metric.name);
        }
    }

    #[test]
    fn presets_parse_and_hold_the_metrics_own_defaults() {
        for preset in PRESETS {
            assert!(!preset.summary().is_empty());
            assert!(!preset.gates(&Profile::answers().metrics, 5).unwrap().is_empty());
        }
        let ship: Vec<String> =
            PRESETS[0].gates(&Profile::answers().metrics, 5).unwrap().iter().map(Gate::to_string).collect();
        let defaults: Vec<&str> = Profile::answers().metrics.iter().filter_map(|m| m.default_gate).collect();
        assert_eq!(ship, defaults);
    }
}
