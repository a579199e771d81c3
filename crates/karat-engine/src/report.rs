//! REPORT: the one result, which every format writes and nothing else feeds.
//!
//! Its serialised form is `karat.report/1`; `karat schema report` prints the JSON Schema, which comes from these types.

mod build;
mod case;
mod cases;
mod checked;
mod column;
mod doubt;
mod fault;
mod read;
mod section;
mod why;

use std::sync::Arc;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::input::Source;
use crate::input::scan::Map;
use crate::input::source::Fingerprint;
use crate::profile::Profile;
use crate::text;
pub use build::{counts_and_metrics, figure_of, gate_of, histogram};
pub use case::{CaseFact, CaseView, ChunkPath, ClaimView, EvidencePath, RunCount, Step, Sums, tell};
pub use cases::{Case, Offender};
pub use checked::{Checked, CheckedSuite, LockFinding, RowChanges, Trend, Waiver};
pub use column::{Column, Facts, FaultRule, Kind, Layout, Place, Shown};
pub use column::{cell, listed, number};
pub use fault::{Fault, Faults, fingerprint};
pub use read::Written;
pub use read::not_json;
pub use section::{Axis, Bin, Body, Curve, Grid, Lines, Matrix, Point, Section, Series, State, Table};
pub use why::{gates_say, why};

/// The version of the serialised form.
pub const SCHEMA: &str = "karat.report/1";

/// Ship or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Decision {
    /// Every gate passes.
    #[serde(rename = "SHIP")]
    Ship,
    /// A gate fails.
    #[serde(rename = "NO-SHIP")]
    NoShip,
    /// No gate fails, but one cannot be decided.
    #[serde(rename = "INCONCLUSIVE")]
    Inconclusive,
}

impl Decision {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Decision::Ship => "SHIP",
            Decision::NoShip => "NO-SHIP",
            Decision::Inconclusive => "INCONCLUSIVE",
        }
    }

    /// The outcome of a gate that decides so.
    pub fn outcome(self) -> Outcome {
        match self {
            Decision::Ship => Outcome::Pass,
            Decision::NoShip => Outcome::Fail,
            Decision::Inconclusive => Outcome::Inconclusive,
        }
    }
}

/// A doubt about a verdict, shown wherever the verdict is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Amber {
    /// Its name, which stays the same from run to run: `unmatched`.
    pub code: String,
    /// How many cases, traces or files it is about.
    pub count: u64,
    /// What it says, in a sentence.
    pub text: String,
}

impl Amber {
    /// A doubt.
    #[must_use]
    pub fn new(code: &str, count: u64, text: impl Into<String>) -> Self {
        Amber { code: code.into(), count, text: text.into() }
    }
}

/// What was decided, and everything behind it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The version of this form.
    pub schema: String,
    /// The version of karat.
    pub karat: String,
    /// The suite.
    pub suite: String,
    /// What karat knows of the suite. It is not written: who reads a report says which suites there are.
    #[serde(skip)]
    pub profile: Arc<Profile>,
    /// Whether every gate passes.
    pub pass: bool,
    /// Ship or not.
    pub verdict: Decision,
    /// What the verdict means in the suite's own words, where it has some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headline: Option<String>,
    /// What was asked for, as a table of karat.toml would say it; what is as it is by default is left out. `karat explain
    /// --report` and `karat compare` ask for the same.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub request: IndexMap<String, serde_json::Value>,
    /// How much was looked at, in the suite's own words: `12 cases, 12 traces`.
    #[serde(default)]
    pub scope: String,
    /// The settings that shaped the figures.
    pub settings: Settings,
    /// What was read.
    pub inputs: Vec<Input>,
    /// Plain counts.
    pub counts: IndexMap<String, u64>,
    /// The figures.
    pub metrics: IndexMap<String, Figure>,
    /// The gates and what they say.
    pub gates: Vec<Gate>,
    /// Named checks, where the suite has them: what each says and the cases that stand in its way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<Check>,
    /// The figures and gates of each slice.
    pub slices: Vec<Slice>,
    /// How many cases have each label; those with none are left out.
    pub labels: IndexMap<String, u64>,
    /// How many cases each stage lost, in the pipeline's order; `pass` is the rest.
    pub stages: IndexMap<String, u64>,
    /// What the pattern of figures suggests, when a gate does not pass.
    pub diagnosis: Vec<String>,
    /// What the verdict must not be read without. It changes neither the verdict nor the exit status, unless `--deny-amber`
    /// is given.
    #[serde(default)]
    pub amber: Vec<Amber>,
    /// Remarks that change no figure: near refusals, warnings about gold.
    pub hints: Vec<String>,
    /// The first warnings about gold, each with its place.
    pub warnings: Vec<String>,
    /// How many warnings there are in all.
    pub warnings_total: u64,
    /// How many cases went wrong, where the labels do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offenders_total: Option<u64>,
    /// The ten worst cases, with what was said.
    pub offenders: Vec<Offender>,
    /// What only this suite reports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    /// What the figures are compared with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// How much larger each figure is than the baseline's.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub delta: IndexMap<String, Delta>,
    /// How formats speak of the cases, and what each column of them means.
    #[serde(default)]
    pub layout: Layout,
    /// The cases, in gold's order.
    pub cases: Vec<Case>,
    /// What each case adds to each figure, where all cases are listed: a text a figure, in the order of `cases`. One character
    /// a case (`1` it holds, `0` it does not, `-` it is not counted), or a word a case: `-`, a number, `n/d`, or the values
    /// that a quantile is taken of, `0.3,0.41`. `karat compare` pairs reports by it.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub observed: IndexMap<String, String>,
}

/// The settings that shaped the figures.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// The suite's own options, by name.
    #[serde(flatten)]
    pub options: IndexMap<String, serde_json::Value>,
    /// Where the gates come from: a preset's name, or `explicit`.
    pub gates: String,
    /// How bootstrap intervals were drawn.
    pub bootstrap: Bootstrap,
}

impl Settings {
    /// Settings with these options.
    #[must_use]
    pub fn new<const N: usize>(
        options: [(&str, serde_json::Value); N],
        gates: &str,
        bootstrap: Bootstrap,
    ) -> Self {
        let options = options.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Settings { options, gates: gates.into(), bootstrap }
    }

    /// The cut-off, where the suite has one.
    #[must_use]
    pub fn k(&self) -> Option<u64> {
        self.options.get("k").and_then(serde_json::Value::as_u64)
    }
}

/// How bootstrap intervals were drawn.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Bootstrap {
    /// The method.
    pub method: String,
    /// How many resamples.
    pub resamples: u64,
    /// The seed.
    pub seed: u64,
}

/// A file that was read.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// What it is: gold or trace.
    pub role: String,
    /// The path as it was named.
    pub path: String,
    /// Its rows, blank lines left out.
    pub rows: u64,
    /// SHA-256 of the stored bytes, where there are at most 16 MiB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// BLAKE3 of the stored bytes, where there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blake3: Option<String>,
}

impl Input {
    /// A file that was read.
    #[must_use]
    pub fn new(role: &str, path: &str, rows: u64, fingerprint: Fingerprint) -> Self {
        let Fingerprint { sha256, blake3 } = fingerprint;
        Input { role: role.into(), path: path.into(), rows, sha256, blake3 }
    }

    /// The files of one role, once they were read to their end.
    pub fn list(role: &str, sources: &[Source], map: &Map) -> Vec<Self> {
        let input = |(i, source): (usize, &Source)| {
            let fingerprint = map.sources.get(i).map(|read| read.fingerprint.clone()).unwrap_or_default();
            Input::new(role, source.name(), map.rows.get(i).copied().unwrap_or(0), fingerprint)
        };
        sources.iter().enumerate().map(input).collect()
    }

    /// The fingerprint with its name: `sha256:…`.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        Fingerprint { sha256: self.sha256.clone(), blake3: self.blake3.clone() }.to_string()
    }
}

/// A figure.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Figure {
    /// The value; null where nothing could be measured.
    pub value: Option<f64>,
    /// The numerator, where it is a whole number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub num: Option<u64>,
    /// The denominator; a count has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub den: Option<u64>,
    /// What it ranges over.
    pub over: String,
    /// The 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ci95: Option<[f64; 2]>,
    /// The denominator is 0; the value is the declared one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vacuous: bool,
    /// All cases are alike, so that it is undefined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub degenerate: bool,
}

/// What a gate says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// On the safe side.
    Pass,
    /// Not.
    Fail,
    /// Cannot be said: never a pass.
    Inconclusive,
    /// Gold has no case of the kind.
    #[default]
    NotJudged,
}

impl Outcome {
    /// The outcome of something that holds, or does not, or that nobody asks about.
    pub fn of(pass: Option<bool>) -> Outcome {
        pass.map_or(Outcome::NotJudged, |pass| if pass { Outcome::Pass } else { Outcome::Fail })
    }

    /// Whether it is a pass; `None` where it was not judged.
    #[must_use]
    pub fn pass(self) -> Option<bool> {
        (self != Outcome::NotJudged).then_some(self == Outcome::Pass)
    }

    /// The sign, the word and the tone of the outcome; no format shows it by a colour alone.
    fn words(self) -> [&'static str; 3] {
        match self {
            Outcome::Pass => ["✓", "pass", "pass"],
            Outcome::Fail => ["✗", "FAIL", "fail"],
            Outcome::Inconclusive => ["?", "INCONCLUSIVE", "unsure"],
            Outcome::NotJudged => ["·", "not judged", "idle"],
        }
    }

    /// The sign of the outcome.
    pub fn mark(self) -> &'static str {
        self.words()[0]
    }

    /// The word for the outcome.
    pub fn word(self) -> &'static str {
        self.words()[1]
    }

    /// The name of the colour that the outcome has on a page.
    pub fn tone(self) -> &'static str {
        self.words()[2]
    }
}

/// A gate and what it says.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Gate {
    /// The figure.
    pub metric: String,
    /// The slice, where it is one: `workflow=hotfix`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slice: Option<String>,
    /// The operator.
    pub op: String,
    /// The threshold.
    pub threshold: f64,
    /// On the 95 % interval.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub confident: bool,
    /// The gate as it is written.
    pub text: String,
    /// The figure's value.
    pub value: Option<f64>,
    /// True or false; null where there is nothing to judge.
    pub pass: Option<bool>,
    /// What it says.
    pub outcome: Outcome,
    /// Where it comes from: explicit, preset or always.
    pub origin: String,
    /// Why, where the figures alone do not show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many more cases would decide it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more_cases: Option<u64>,
    /// Who lets a check pass although it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waived: Option<Waiver>,
}

impl Report {
    /// The verdict, waivers counted: a suite ships if nothing but waived gates stands in its way.
    #[must_use]
    pub fn decision(&self) -> Decision {
        let waived = self.gates.iter().any(|gate| gate.waived.is_some());
        if waived && !self.gates.iter().any(Gate::blocks) { Decision::Ship } else { self.verdict }
    }

    /// The curve, where the suite draws one.
    #[must_use]
    pub fn curve(&self) -> Option<&Curve> {
        self.sections.iter().find_map(Section::curve)
    }

    /// Whether a label says that nothing is wrong.
    pub fn good_label(&self) -> impl Fn(&str) -> bool + use<> {
        let labels = (self.profile.labels)();
        move |name| labels.iter().any(|label| label.good && label.name == name)
    }

    /// How many cases went wrong.
    pub fn wrong_cases(&self) -> u64 {
        let good = self.good_label();
        let by_label = || self.labels.iter().filter(|(name, _)| !good(name)).map(|(_, n)| n).sum();
        self.offenders_total.unwrap_or_else(by_label)
    }

    /// The gate on a figure of all cases.
    pub fn gate_on(&self, metric: &str) -> Option<&Gate> {
        self.gates.iter().find(|gate| gate.metric == metric && gate.slice.is_none())
    }

    /// How many rows were read of files of this role.
    #[must_use]
    pub fn rows(&self, role: &str) -> u64 {
        self.inputs.iter().filter(|input| input.role == role).map(|input| input.rows).sum()
    }

    /// A count in words, 0 where there is none: `2 runs`.
    pub fn counted(&self, name: &str, noun: &str) -> String {
        text::count(self.counts.get(name).copied().unwrap_or(0), noun)
    }

    /// The traces that were read, in words, malformed ones left out.
    pub fn traces(&self) -> String {
        let torn = self.counts.get("malformed").copied().unwrap_or(0);
        text::count(self.rows("trace").saturating_sub(torn), "trace")
    }
}

impl Gate {
    /// It does not pass, and nobody waives it.
    #[must_use]
    pub fn blocks(&self) -> bool {
        self.waived.is_none() && matches!(self.outcome, Outcome::Fail | Outcome::Inconclusive)
    }
}

/// A named check of a suite: a gate, or several, under the name that people use.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// The name.
    pub name: String,
    /// Whether it holds; null where there is nothing to judge.
    pub pass: Option<bool>,
    /// What it says, in a sentence.
    pub says: String,
    /// The cases that stand in its way: the first ones.
    pub cases: Vec<String>,
    /// How many there are in all.
    pub cases_total: u64,
}

/// The cases that share a value of a field.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Slice {
    /// The field.
    pub field: String,
    /// The value; null for the cases that have none.
    pub value: Option<String>,
    /// How many gold cases it holds.
    pub cases: u64,
    /// Its figures.
    pub metrics: IndexMap<String, Figure>,
    /// The gates on it.
    pub gates: Vec<Gate>,
    /// Whether they all pass.
    pub pass: bool,
    /// The cases of it that went wrong, where a gate on it does not pass: the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offenders: Vec<String>,
}

/// How much larger a figure is than the baseline's.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Delta {
    /// New minus baseline; null where one of them has no value.
    pub value: Option<f64>,
    /// The paired 95 % interval over cases.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci95: Option<[f64; 2]>,
}

/// What a report is compared with.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Baseline {
    /// Its counts.
    pub counts: IndexMap<String, u64>,
    /// Its figures.
    pub metrics: IndexMap<String, Figure>,
    /// What else the suite reports of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
}
