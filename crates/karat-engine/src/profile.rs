//! Profiles: the metrics, labels, stages and default gates of each suite.
//!
//! A profile is data. Presets are commented TOML inside the binary, so `karat explain ship` prints exactly the text that is
//! applied.

use serde::Deserialize;

use crate::gate::{self, Gate, Origin};
use crate::metrics::{self, About};
use crate::problem::{self, Failure, Problem};
use crate::text;

/// A preset: gates under a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name of the preset.
    pub name: &'static str,
    /// The TOML text of the preset.
    pub toml: &'static str,
}

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
    pub fn gates(&self, metrics: &[&'static About], k: u32) -> Result<Vec<Gate>, Failure> {
        gate::parse(&self.file()?.gates.join(" "), self.name, metrics, k, Origin::Preset)
    }

    /// The gates that come with a baseline.
    pub fn guards(&self, metrics: &[&'static About], k: u32) -> Result<Vec<Gate>, Failure> {
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
    pub metrics: Vec<&'static About>,
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
    /// Gates by name.
    pub presets: &'static [Preset],
    /// Other words of its reports.
    pub words: Option<Words>,
}

/// Words of a suite's reports beside metrics, labels and stages.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// What they say: `why an evidence path is not admissible`.
    pub title: &'static str,
    /// In which order they stand: `the first reason first`.
    pub order: &'static str,
    /// What one of them is: `reason`.
    pub noun: &'static str,
    /// Each word with its meaning.
    pub list: fn() -> Vec<(&'static str, &'static str)>,
}

impl Default for Profile {
    /// A suite that nobody knows.
    fn default() -> Self {
        Profile {
            suite: "",
            summary: "",
            metrics: Vec::new(),
            flat: &[],
            sparse: false,
            slices: &[],
            sets: "",
            checks: &[],
            labels: Vec::new,
            stages: Vec::new,
            presets: &[],
            words: None,
        }
    }
}

impl Profile {
    /// The earlier suite with the same labels and stages, if there is one.
    #[must_use]
    pub fn judges_as(&self, all: &[Profile]) -> Option<&'static str> {
        let words = |profile: &Profile| -> Vec<&str> {
            (profile.labels)().iter().chain(&(profile.stages)()).map(|term| term.meaning).collect()
        };
        let mut before = all.iter().take_while(|profile| profile.suite != self.suite);
        before.find(|profile| words(profile) == words(self)).map(|profile| profile.suite)
    }

    /// A metric of this suite, by name.
    #[must_use]
    pub fn metric(&self, name: &str) -> Option<&'static About> {
        metrics::find(name, &self.metrics, 1).map(|(metric, _)| metric)
    }

    /// A preset by its name.
    pub fn preset(&self, name: &str) -> Result<&'static Preset, Problem> {
        self.presets.iter().find(|preset| preset.name == name).ok_or_else(|| {
            let message = format!("the suite {} has no preset called `{}`", self.suite, text::visible(name));
            let mut problem = Problem::of_file(&problem::PRESET_UNKNOWN, "--preset", message);
            let known: Vec<&str> = self.presets.iter().map(|preset| preset.name).collect();
            problem.expected = format!("its presets are: {}", known.join(", "));
            problem
        })
    }
}
