//! The result of a comparison, which every format writes and nothing else feeds.
//!
//! Its serialised form is `karat.comparison/1`; `karat schema comparison` prints the JSON Schema, which comes from these types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::{Decision, Input, Outcome};

/// The version of the serialised form.
pub const SCHEMA: &str = "karat.comparison/1";

/// What a change did, and whether it may ship.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// The version of this form.
    pub schema: String,
    /// The version of karat.
    pub karat: String,
    /// The suite.
    pub suite: String,
    /// Its name in karat.toml, where it is one of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether the change may ship.
    pub pass: bool,
    /// Ship or not.
    pub verdict: Decision,
    /// Why, a sentence each, what stands in the way first.
    pub reasons: Vec<String>,
    /// How it was compared.
    pub settings: Settings,
    /// What it is compared with.
    pub base: Side,
    /// What is new.
    pub new: Side,
    /// The two were scored against different gold.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gold_changed: bool,
    /// How many cases did what.
    pub cases: Counts,
    /// The figures: those that are judged first.
    pub metrics: Vec<Change>,
    /// The cases whose label changed: broken ones first, in gold's order.
    pub flips: Vec<Flip>,
    /// Cases of the base alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_base: Vec<String>,
    /// Cases of the new side alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only_new: Vec<String>,
}

impl Comparison {
    /// What the suite is called.
    #[must_use]
    pub fn called(&self) -> String {
        match &self.name {
            Some(name) if *name != self.suite => format!("{name} ({})", self.suite),
            _ => self.suite.clone(),
        }
    }
}

/// How it was compared.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// A difference is significant up to this p-value, Holm-corrected.
    pub alpha: f64,
    /// A fall must also be significant to fail.
    pub require_significant: bool,
    /// The new report's own gates count.
    pub gates: bool,
    /// How many draws a permutation takes.
    pub draws: u64,
    /// How many resamples a bootstrap takes.
    pub resamples: u64,
    /// The seed of both.
    pub seed: u64,
}

/// One of the two.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Side {
    /// The report, or the traces.
    pub path: String,
    /// What its own gates say.
    pub verdict: Decision,
    /// How many of its gates fail.
    pub failed: u64,
    /// How many of its gates were judged.
    pub judged: u64,
    /// What it was made from.
    pub inputs: Vec<Input>,
}

/// How many cases did what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counts {
    /// On both sides.
    pub paired: u64,
    /// Good before, not now.
    pub broken: u64,
    /// Good now, not before.
    pub fixed: u64,
    /// Bad on both sides, in another way; or good in another way.
    pub relabelled: u64,
    /// Cases whose label did not change.
    pub unchanged: u64,
    /// In the base alone.
    pub only_base: u64,
    /// In the new one alone.
    pub only_new: u64,
}

/// A figure on both sides.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The figure.
    pub metric: String,
    /// Which way is better: higher or lower; null where that is not known.
    pub better: Option<String>,
    /// A gate of either report is on it.
    pub gated: bool,
    /// It is a plain count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub count: bool,
    /// Before.
    pub base: Option<f64>,
    /// Now.
    pub new: Option<f64>,
    /// New minus base.
    pub delta: Option<f64>,
    /// The 95 % interval of the paired difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci95: Option<[f64; 2]>,
    /// How the interval was made: newcombe, bca or percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<String>,
    /// How many cases it is paired over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// The p-value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// How it was made: mcnemar, permutation, or permutation-all where every way to swap was taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<String>,
    /// The p-value, Holm-corrected over the figures that are judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p_holm: Option<f64>,
    /// How far it may fall: `0.02`, or `15%` of the base; null where it is not judged.
    pub allowed: Option<String>,
    /// What it says.
    pub outcome: Outcome,
    /// Why, where the figures alone do not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The cases that it fell most on: the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worse: Vec<String>,
    /// How many cases it fell on.
    pub worse_total: u64,
    /// How many cases it rose on.
    pub better_total: u64,
}

/// What became of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Good before, not now.
    Broken,
    /// Good now, not before.
    Fixed,
    /// Another label of the same worth.
    Relabelled,
}

impl What {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            What::Broken => "broken",
            What::Fixed => "fixed",
            What::Relabelled => "relabelled",
        }
    }
}

/// A case whose label changed.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Flip {
    /// The case.
    pub id: String,
    /// What became of it.
    pub what: What,
    /// Its label before.
    pub base: String,
    /// Its label now.
    pub new: String,
    /// The stage that broke first, before.
    pub base_stage: String,
    /// The stage that broke first, now.
    pub new_stage: String,
    /// Its row in the gold file.
    pub line: u64,
}
