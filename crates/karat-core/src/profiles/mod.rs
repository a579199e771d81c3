//! Profiles: the metrics, labels, stages and default gates of each suite.
//!
//! A profile is data. Presets are commented TOML inside the binary, so `karat explain ship` prints exactly the text that is
//! applied.

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

/// A preset: gates under a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name of the preset.
    pub name: &'static str,
    /// The suite of the preset.
    pub suite: &'static str,
    /// The TOML text of the preset.
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
    /// The gates that also apply if there is a baseline.
    #[serde(default)]
    baseline: Vec<String>,
}

impl Preset {
    fn file(&self) -> Result<PresetFile, Problem> {
        let bad =
            |e: toml::de::Error| Problem::of_file(&problem::GATE_INVALID, self.name, e.message().to_owned());
        toml::from_str(self.toml).map_err(bad)
    }

    /// The purpose of the preset, in one sentence.
    #[must_use]
    pub fn summary(&self) -> String {
        self.file().map(|file| file.summary).unwrap_or_default()
    }

    /// The gates of the preset, as written.
    #[must_use]
    pub fn gate_list(&self) -> String {
        self.file().map(|file| file.gates.join(" ")).unwrap_or_default()
    }

    /// The gates of the preset.
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

/// A label or a stage of a suite, and what it means.
#[derive(Clone, Debug)]
pub struct Term {
    /// The name of the label or stage.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// What to do about it: pairs of a condition, which may be empty, and a step.
    pub steps: Vec<(&'static str, &'static str)>,
    /// Whether nothing is wrong.
    pub good: bool,
}

/// A suite: what it reports.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The suite's name.
    pub suite: &'static str,
    /// What the suite is about, in one sentence.
    pub summary: &'static str,
    /// The metrics, in the order of a report. You may add one of your own.
    pub metrics: Vec<&'static Metric>,
    /// The keys of `flat`, in order.
    pub flat: &'static [&'static str],
    /// Whether `flat` leaves out what a report was not asked for, instead of writing null.
    pub sparse: bool,
    /// The figures that tables of slices show, with short column titles.
    pub slices: &'static [(&'static str, &'static str)],
    /// The sets and checks that the definitions use.
    pub sets: &'static str,
    /// The named checks, and what each of them asks.
    pub checks: &'static [(&'static str, &'static str)],
    /// The labels, worst first.
    pub labels: fn() -> Vec<Term>,
    /// The stages, in the order of the pipeline.
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

    /// The earlier suite with the same labels and stages, if there is one.
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
