//! What happened to each figure from run to run? Runs become suites and their figures; each format has a file.

mod csv;
mod html;
mod json;
mod text;

use indexmap::{IndexMap, IndexSet};
use karat_engine::Profile;
use karat_engine::metrics::{self, Direction};
use karat_engine::report::{self, Report};

use crate::commands::Suites;
use crate::history::{Gate, Run, Stamp};

/// How many runs a terminal shows where nobody asks for another number.
pub(crate) const SHOWN: u32 = 30;

/// Writes a trend: the names of the figures to show, where some were asked for, and whether colours are wanted.
type Render = fn(&Trend, Option<&[String]>, bool) -> String;

/// The formats, by name.
pub(crate) const FORMATS: &[(&str, Render)] =
    &[("text", text::render), ("csv", csv::render), ("json", json::render), ("html", html::render)];

/// What the history tells.
pub(crate) struct Trend {
    /// In the order of their first runs.
    pub(crate) suites: Vec<Suite>,
}

/// The runs of one suite.
pub(crate) struct Suite {
    pub(crate) name: String,
    /// Those that are shown, the oldest first.
    pub(crate) runs: Vec<Run>,
    /// How many came before.
    pub(crate) earlier: usize,
    /// What is known of the suite.
    profile: Profile,
}

impl Trend {
    /// Groups runs by suite, and keeps the last ones of each.
    pub(crate) fn new(runs: Vec<Run>, last: Option<usize>, known: Suites) -> Trend {
        let mut suites: IndexMap<String, Vec<Run>> = IndexMap::new();
        for run in runs {
            suites.entry(run.name.clone()).or_default().push(run);
        }
        let suite = |(name, mut runs): (String, Vec<Run>)| {
            let earlier = runs.len().saturating_sub(last.unwrap_or(usize::MAX));
            let runs = runs.split_off(earlier);
            let kind = runs.last().map(|run| run.suite.clone()).unwrap_or_default();
            let suite = known.iter().find(|suite| suite.name == kind);
            let profile = suite.map(|suite| (suite.profile)()).unwrap_or_default();
            Suite { name, runs, earlier, profile }
        };
        Trend { suites: suites.into_iter().map(suite).collect() }
    }

    /// The names, as the history spells them, of figures that users name; else the name at fault and those like it.
    pub(crate) fn find(&self, asked: &[String]) -> Result<Option<Vec<String>>, (String, Vec<String>)> {
        let mut found: Vec<String> = Vec::new();
        for name in asked {
            let mut known: Vec<String> =
                self.suites.iter().filter_map(|suite| suite.spelling(name)).collect();
            known.retain(|name| !found.contains(name));
            known.dedup();
            if known.is_empty() && !found.contains(name) {
                let all = self.suites.iter().flat_map(Suite::names);
                let near = karat_engine::text::nearest(name, all).into_iter().map(str::to_owned).collect();
                return Err((name.clone(), near));
            }
            found.append(&mut known);
        }
        Ok((!asked.is_empty()).then_some(found))
    }
}

impl Suite {
    /// The last run. A suite is in the history because it has one.
    pub(crate) fn last(&self) -> Option<&Run> {
        self.runs.last()
    }

    /// Every figure and count that some run has, the newest run's first.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let mut names: IndexSet<&str> = IndexSet::new();
        for run in self.runs.iter().rev() {
            names.extend(run.metrics.keys().chain(run.counts.keys()).map(String::as_str));
        }
        names.into_iter()
    }

    /// How the history spells a figure: users may write another case, an alias, or `@k`.
    fn spelling(&self, name: &str) -> Option<String> {
        if self.names().any(|known| known == name) {
            return Some(name.to_owned());
        }
        let run = self.last()?;
        let k = run.settings["k"].as_u64().and_then(|k| u32::try_from(k).ok()).unwrap_or(5);
        let (metric, k) = metrics::find(name, &self.profile.metrics, k)?;
        let spelt = metric.at(k);
        self.names().any(|known| known == spelt).then_some(spelt)
    }

    /// The figures that the last run gates, in the order of its gates.
    pub(crate) fn gated(&self) -> Vec<&str> {
        self.last().map(gated).unwrap_or_default()
    }

    /// Whether gold is another one in this run than in the run before.
    pub(crate) fn gold_changed(&self, at: usize) -> bool {
        at > 0 && self.runs[at - 1].gold != self.runs[at].gold
    }

    /// Whether a name is not a figure of the last run, but a count.
    pub(crate) fn is_count(&self, name: &str) -> bool {
        self.last().is_some_and(|run| !run.metrics.contains_key(name))
    }

    /// A value as it is shown: counts as they are, figures with four decimals.
    pub(crate) fn shown(&self, name: &str, value: f64) -> String {
        if self.is_count(name) { value.to_string() } else { format!("{value:.4}") }
    }

    /// Which way a figure is better, where that is known.
    pub(crate) fn direction(&self, name: &str) -> Option<Direction> {
        self.profile.metric(name).map(|metric| metric.direction)
    }
}

/// The value of a figure or of a count.
pub(crate) fn value(run: &Run, name: &str) -> Option<f64> {
    match run.metrics.get(name) {
        Some(figure) => figure.value,
        None => run.counts.get(name).map(|n| *n as f64),
    }
}

fn gated(run: &Run) -> Vec<&str> {
    let gates = run.gates.iter().filter(|gate| gate.slice.is_none());
    gates.map(|gate| gate.metric.as_str()).collect::<IndexSet<&str>>().into_iter().collect()
}

/// What the page of a check tells of the runs before it, and of its own report, which comes last; nothing of a first run.
pub(crate) fn of_check(before: &[Run], report: &Report) -> Option<report::Trend> {
    if before.is_empty() {
        return None;
    }
    let stamp = Stamp { time: String::new(), commit: None };
    let now = Run::new("", report, &stamp);
    let runs = || before.iter().chain([&now]);
    let figures = gated(&now).into_iter();
    let figures = figures.map(|name| (name.to_owned(), runs().map(|run| value(run, name)).collect()));
    let golds: Vec<&Option<String>> = runs().map(|run| &run.gold).collect();
    let changed = (1..golds.len()).filter(|&at| golds[at] != golds[at - 1]);
    Some(report::Trend {
        verdicts: runs().map(|run| run.verdict.clone()).collect(),
        figures: figures.collect(),
        gold_changed: changed.collect(),
    })
}

/// The time of a run, to the minute.
pub(crate) fn minute(run: &Run) -> String {
    run.time.replace('T', " ").chars().take(16).collect()
}

/// The gates of a run that failed.
pub(crate) fn failed(run: &Run) -> Vec<&str> {
    run.gates.iter().filter(|gate| gate.outcome == "fail").map(|gate| gate.text.as_str()).collect()
}

/// What a gate demands, without the name of its figure: `>=0.8`.
pub(crate) fn condition(gate: &Gate) -> &str {
    gate.text.find(['<', '>', '=']).map_or("", |at| &gate.text[at..])
}

/// The least and the greatest of some values.
pub(crate) fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), v| (least.min(v), most.max(v)))
}

/// The gate of a run on a figure of all cases.
pub(crate) fn gate<'r>(run: &'r Run, name: &str) -> Option<&'r Gate> {
    run.gates.iter().find(|gate| gate.slice.is_none() && gate.metric == name)
}
