//! What `karat check` came to: every suite of a project, the gold lock, the waivers, one verdict.
//!
//! Its serialised form is `karat.check/1`.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Decision, Outcome, Report};
use crate::problem::{Failure, Problem};

/// The version of the serialised form.
pub(super) const SCHEMA: &str = "karat.check/1";

/// One verdict over several suites.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Checked {
    /// The version of this form.
    pub schema: String,
    /// The version of karat.
    pub karat: String,
    /// Whether everything passes, waivers counted.
    pub pass: bool,
    /// Ship or not.
    pub verdict: Decision,
    /// The configuration as it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// The day that waivers were judged by, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub today: Option<String>,
    /// The gold lock, where one is configured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lock: Option<LockFinding>,
    /// Waivers that let nothing pass, and why: expired, of another gold, on a gate that may not be waived or that nobody has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub idle_waivers: Vec<String>,
    /// The suites: those that do not pass first, in the order of the pipeline; then the others, in that of the configuration.
    pub suites: Vec<CheckedSuite>,
}

/// A suite of a project.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct CheckedSuite {
    /// Its name in the configuration.
    pub name: String,
    /// Which suite it is: answers, release, …
    pub kind: String,
    /// Whether it passes, waivers counted.
    pub pass: bool,
    /// What was found; null where nothing could be scored.
    pub report: Option<Report>,
    /// Why nothing could be scored, a message each: the first ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<String>,
    /// How its gated figures went over the last runs, where there is a history. Not a part of the serialised form: that is
    /// the same bytes for the same inputs, whatever ran before.
    #[serde(skip)]
    pub trend: Option<Trend>,
    /// How many problems there are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub problems_total: u64,
    /// The problems with their places, for formats that point at them.
    #[serde(skip)]
    pub found: Vec<Problem>,
}

/// The last runs of a suite, this one last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trend {
    /// What each came to.
    pub verdicts: Vec<String>,
    /// The values of each gated figure, a run each; `None` where a run had no value.
    pub figures: IndexMap<String, Vec<Option<f64>>>,
    /// Before which of the runs gold changed: figures of two gold sets say little about each other.
    pub gold_changed: Vec<usize>,
}

/// What the gold lock says.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct LockFinding {
    /// The lock file.
    pub path: String,
    /// Nothing changed since it was written.
    pub pass: bool,
    /// What is wrong, in a sentence; empty where nothing is.
    pub says: String,
    /// Which rows changed, by gold file.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub files: IndexMap<String, RowChanges>,
    /// The gates are no longer those of the lock.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gates_changed: bool,
    /// Who signed the lock, as `name (role)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signed: Vec<String>,
}

/// The rows of a gold file that are not those of the lock.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RowChanges {
    /// Ids that the lock does not have.
    pub added: Vec<String>,
    /// Ids that only the lock has.
    pub removed: Vec<String>,
    /// Ids whose rows differ.
    pub changed: Vec<String>,
}

/// Who lets a check pass although a gate does not, why, and until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waiver {
    /// Why.
    pub reason: String,
    /// Who answers for it.
    pub owner: String,
    /// The last day that it holds: YYYY-MM-DD.
    pub expires: String,
}

impl Checked {
    /// Puts suites and lock together, and decides. What does not pass comes first, otherwise the order is kept.
    #[must_use]
    pub fn new(
        mut suites: Vec<CheckedSuite>,
        lock: Option<LockFinding>,
        idle_waivers: Vec<String>,
        today: Option<String>,
    ) -> Self {
        // As a question goes through a pipeline: what may be used, what was found, what was said, how often, how fast.
        const STAGES: [&str; 6] = ["release", "retrieval", "answers", "stability", "latency", "agreement"];
        let stage = |kind: &str| STAGES.iter().position(|stage| *stage == kind).unwrap_or(STAGES.len());
        suites.sort_by_key(|suite| (suite.pass, if suite.pass { 0 } else { stage(&suite.kind) }));
        let broken = |suite: &CheckedSuite| {
            let Some(report) = &suite.report else { return true };
            // What a suite refuses for reasons of its own, such as nothing run at all, no gate needs to say.
            report.gates.iter().any(|gate| gate.waived.is_none() && gate.outcome == Outcome::Fail)
                || (report.verdict == Decision::NoShip
                    && !suite.pass
                    && !report.gates.iter().any(super::Gate::blocks))
        };
        let locked = lock.as_ref().is_none_or(|lock| lock.pass);
        let verdict = if !locked || suites.iter().any(|suite| !suite.pass && broken(suite)) {
            Decision::NoShip
        } else if suites.is_empty() || suites.iter().any(|suite| !suite.pass) {
            Decision::Inconclusive
        } else {
            Decision::Ship
        };
        Checked {
            schema: SCHEMA.into(),
            karat: env!("CARGO_PKG_VERSION").into(),
            pass: verdict == Decision::Ship,
            verdict,
            config: None,
            today,
            lock,
            idle_waivers,
            suites,
        }
    }

    /// Every report there is, with the name of its suite.
    pub fn reports(&self) -> impl Iterator<Item = (&str, &Report)> {
        self.suites.iter().filter_map(|suite| Some((suite.name.as_str(), suite.report.as_ref()?)))
    }
}

impl CheckedSuite {
    /// What it came to, and the word for it.
    pub fn verdict(&self) -> (Outcome, &'static str) {
        match (self.pass, self.report.as_ref().map(|report| report.verdict)) {
            (true, _) => (Outcome::Pass, "SHIP"),
            (false, None) => (Outcome::Fail, "BAD INPUT"),
            (false, Some(Decision::Inconclusive)) => (Outcome::Inconclusive, "INCONCLUSIVE"),
            (false, Some(_)) => (Outcome::Fail, "NO-SHIP"),
        }
    }

    /// A suite that was scored. Waivers must be in its report's gates already.
    #[must_use]
    pub fn scored(name: &str, report: Report) -> Self {
        let pass = report.pass || report.decision() == Decision::Ship;
        let (name, kind) = (name.into(), report.suite.clone());
        CheckedSuite { name, kind, pass, report: Some(report), ..CheckedSuite::default() }
    }

    /// A suite whose input is wrong.
    #[must_use]
    pub fn refused(name: &str, kind: &str, failure: Failure) -> Self {
        CheckedSuite {
            name: name.into(),
            kind: kind.into(),
            problems: failure.problems.iter().map(ToString::to_string).collect(),
            problems_total: failure.total,
            found: failure.problems,
            ..CheckedSuite::default()
        }
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}
