//! Which metrics does a suite report, in which words, and which gates does it default to?
//!
//! A profile is data: a suite's name, its metrics, its labels and stages, its presets. Presets are commented TOML inside
//! the binary, so that `karat explain ship` can print the very text that was applied.

mod agreement;
mod answers;
mod latency;
mod release;
mod retrieval;
mod stability;

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
    Preset { name: "consistency", suite: "agreement", toml: include_str!("agreement/consistency.toml") },
    Preset { name: "slo", suite: "latency", toml: include_str!("latency/slo.toml") },
    Preset { name: "release", suite: "release", toml: include_str!("release/release.toml") },
    Preset { name: "index", suite: "retrieval", toml: include_str!("retrieval/index.toml") },
    Preset { name: "canary", suite: "retrieval", toml: include_str!("retrieval/canary.toml") },
    Preset { name: "stable", suite: "stability", toml: include_str!("stability/stable.toml") },
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PresetFile {
    summary: String,
    gates: Vec<String>,
    /// What also applies where there is a baseline.
    #[serde(default)]
    baseline: Vec<String>,
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

    /// Its gates as they are written.
    #[must_use]
    pub fn gate_list(&self) -> String {
        self.file().map(|file| file.gates.join(" ")).unwrap_or_default()
    }

    /// Its gates.
    pub fn gates(&self, metrics: &[&'static Metric], k: u32) -> Result<Vec<Gate>, Failure> {
        gate::parse(&self.file()?.gates.join(" "), self.name, metrics, k, Origin::Preset)
    }

    /// The gates that come with a baseline.
    pub fn guards(&self, metrics: &[&'static Metric], k: u32) -> Result<Vec<Gate>, Failure> {
        let guards = self.file()?.baseline;
        if guards.is_empty() {
            return Ok(Vec::new());
        }
        gate::parse(&guards.join(" "), self.name, metrics, k, Origin::Preset)
    }
}

/// A word of a suite, and what it means: a label or a stage.
#[derive(Clone, Debug)]
pub struct Term {
    /// The word.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What to do about it, each under its condition, which may be empty.
    pub steps: Vec<(&'static str, &'static str)>,
    /// Nothing is wrong.
    pub good: bool,
}

/// A suite: what it reports.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The suite's name.
    pub suite: &'static str,
    /// What it is about, in one sentence.
    pub summary: &'static str,
    /// Its metrics, in the order of a report. One of your own may be added.
    pub metrics: Vec<&'static Metric>,
    /// What `flat` holds, in its order.
    pub flat: &'static [&'static str],
    /// `flat` leaves out what a report was not asked for, instead of writing null.
    pub sparse: bool,
    /// The figures of a slice that people see, and their short heads.
    pub slices: &'static [(&'static str, &'static str)],
    /// The sets and checks that its definitions use.
    pub sets: &'static str,
    /// Its named checks, and what each asks.
    pub checks: &'static [(&'static str, &'static str)],
    /// Its labels, worst first.
    pub labels: fn() -> Vec<Term>,
    /// Its stages, in the pipeline's order.
    pub stages: fn() -> Vec<Term>,
}

impl Profile {
    /// Every suite.
    #[must_use]
    pub fn all() -> Vec<Profile> {
        vec![
            Profile::answers(),
            Profile::latency(),
            Profile::agreement(),
            Profile::release(),
            Profile::retrieval(),
            Profile::stability(),
        ]
    }

    /// The suite of this name.
    #[must_use]
    pub fn named(suite: &str) -> Option<Profile> {
        Profile::all().into_iter().find(|profile| profile.suite == suite)
    }

    /// The suite before this one that judges cases by the same labels and stages, where there is one.
    #[must_use]
    pub fn judges_as(&self) -> Option<&'static str> {
        let words = |profile: &Profile| -> Vec<&str> {
            (profile.labels)().iter().chain(&(profile.stages)()).map(|term| term.meaning).collect()
        };
        let before = Profile::all().into_iter().take_while(|profile| profile.suite != self.suite);
        before.into_iter().find(|profile| words(profile) == words(self)).map(|profile| profile.suite)
    }

    /// A metric of this suite, by name.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<&'static Metric> {
        metrics::find(name, &self.metrics, 1).map(|(metric, _)| metric)
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

/// Metrics by their names, from these lists.
fn named(names: &[&str], lists: &[&[&'static Metric]]) -> Vec<&'static Metric> {
    let find = |name: &&str| lists.iter().copied().flatten().copied().find(|metric| metric.name == *name);
    names.iter().filter_map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_is_in_a_profile_once_under_a_name_of_its_own() {
        for (suite, list) in metrics::SUITES {
            for metric in *list {
                let mine = Profile::all().into_iter().filter(|p| p.suite == *suite || *suite == "input");
                let times: Vec<usize> =
                    mine.map(|p| p.metrics.iter().filter(|m| m.name == metric.name).count()).collect();
                assert!(times.contains(&1) && times.iter().all(|&n| n < 2), "{suite} {}", metric.name);
            }
        }
        for profile in Profile::all() {
            let mut seen = std::collections::BTreeSet::new();
            for name in profile.metrics.iter().flat_map(|m| std::iter::once(&m.name).chain(m.aliases)) {
                assert!(seen.insert(*name), "{}: {name} is taken", profile.suite);
            }
            for (name, _) in profile.slices {
                assert!(profile.metric(name).is_some(), "{name}");
            }
        }
    }

    #[test]
    fn presets_parse_and_hold_the_metrics_own_defaults() {
        for preset in PRESETS {
            let profile = Profile::named(preset.suite).unwrap();
            assert!(!preset.summary().is_empty());
            assert!(!preset.gates(&profile.metrics, 5).unwrap().is_empty());
        }
        for (suite, preset) in
            [("answers", "ship"), ("release", "release"), ("retrieval", "index"), ("latency", "slo")]
        {
            let profile = Profile::named(suite).unwrap();
            let gates = profile.preset(preset).unwrap().gates(&profile.metrics, 5).unwrap();
            let gates: Vec<String> = gates.iter().map(Gate::to_string).collect();
            let defaults: Vec<String> =
                profile.metrics.iter().filter_map(|m| m.default_gate.map(str::to_owned)).collect();
            assert!(!defaults.is_empty() && gates.starts_with(&defaults), "{suite}: {gates:?} {defaults:?}");
        }
    }
}
