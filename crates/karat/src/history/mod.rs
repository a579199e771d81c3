//! How did the figures move from run to run? The history: an SQLite file with one row per run of a suite.
//!
//! It is a record beside the reports, not a part of them: no score depends on it, and losing it loses nothing else.

mod commit;
mod store;
#[cfg(test)]
mod tests;

use std::path::Path;

use indexmap::IndexMap;
use karat_engine::problem::{self, Failure};
use karat_engine::report::{Input, Report, Waiver};
use rusqlite::{Connection, Row, ToSql, params};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// When something was run, and on which commit.
#[derive(Clone, Debug)]
pub(crate) struct Stamp {
    /// `2026-11-16T02:50:00Z`.
    pub(crate) time: String,
    /// The commit that is checked out, where there is one.
    pub(crate) commit: Option<String>,
}

impl Stamp {
    /// Now, and what is checked out around this folder.
    pub(crate) fn now(folder: &Path) -> Stamp {
        Stamp { time: time_of(jiff::Timestamp::now()), commit: commit::around(folder) }
    }

    /// This stamp with another time, `2026-11-16T02:50:00Z` or with another offset; `None` if the text is not a time.
    pub(crate) fn at(self, time: &str) -> Option<Stamp> {
        Some(Stamp { time: time_of(time.parse().ok()?), ..self })
    }
}

/// To the second, so that the order of texts is the order of times.
fn time_of(time: jiff::Timestamp) -> String {
    let time = jiff::Timestamp::from_second(time.as_second()).unwrap_or(time);
    time.to_string()
}

/// One run of a suite.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Run {
    /// When.
    pub(crate) time: String,
    /// On which commit.
    pub(crate) commit: Option<String>,
    /// What the suite is called in karat.toml.
    pub(crate) name: String,
    /// Its kind: `answers`.
    pub(crate) suite: String,
    /// The version that scored it.
    pub(crate) karat: String,
    /// The fingerprint of gold, where the suite has gold.
    pub(crate) gold: Option<String>,
    /// SHIP, NO-SHIP or INCONCLUSIVE.
    pub(crate) verdict: String,
    /// The settings that shaped the figures.
    pub(crate) settings: serde_json::Value,
    /// Plain counts.
    pub(crate) counts: IndexMap<String, u64>,
    /// The figures.
    pub(crate) metrics: IndexMap<String, Figure>,
    /// The gates and what they said.
    pub(crate) gates: Vec<Gate>,
}

/// A figure as it was. Other fields of a report's figure are kept in the file and not read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Figure {
    pub(crate) value: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) num: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) den: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ci95: Option<[f64; 2]>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) vacuous: bool,
}

/// A gate and what it said.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Gate {
    pub(crate) metric: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) slice: Option<String>,
    pub(crate) text: String,
    pub(crate) op: String,
    pub(crate) threshold: f64,
    pub(crate) value: Option<f64>,
    pub(crate) outcome: String,
    /// Who let it through although it did not pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) waived: Option<Waiver>,
}

impl Run {
    /// What a report comes to. `name` is what the suite is called in karat.toml.
    pub(crate) fn new(name: &str, report: &Report, stamp: &Stamp) -> Run {
        let gold = report.inputs.iter().filter(|input| input.role == "gold").map(Input::fingerprint);
        let gold: Vec<String> = gold.collect();
        Run {
            time: stamp.time.clone(),
            commit: stamp.commit.clone(),
            name: name.to_owned(),
            suite: report.suite.clone(),
            karat: report.karat.clone(),
            gold: (!gold.is_empty()).then(|| gold.join(" ")),
            verdict: report.decision().name().to_owned(),
            settings: serde_json::to_value(&report.settings).unwrap_or_default(),
            counts: report.counts.clone(),
            metrics: report.metrics.iter().map(|(name, figure)| (name.clone(), kept(figure))).collect(),
            gates: report.gates.iter().map(kept).collect(),
        }
    }
}

/// The fields that the history keeps of a part of a report.
fn kept<T: DeserializeOwned + Default>(part: &impl Serialize) -> T {
    serde_json::to_value(part).and_then(serde_json::from_value).unwrap_or_default()
}

/// Adds runs to a history, all of them or none, and makes the file where there is none.
pub(crate) fn record(path: &Path, runs: &[Run]) -> Result<(), Failure> {
    Ok(store::write(path, |connection| runs.iter().try_for_each(|run| insert(connection, run)))?)
}

fn insert(connection: &Connection, run: &Run) -> rusqlite::Result<()> {
    let json = |part: serde_json::Result<String>| {
        part.map_err(|e| rusqlite::Error::ToSqlConversionFailure(Box::new(e)))
    };
    connection.execute(
        "INSERT INTO runs (time, commit_id, name, suite, karat, gold, verdict, settings, counts, metrics, gates)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        params![
            run.time,
            run.commit,
            run.name,
            run.suite,
            run.karat,
            run.gold,
            run.verdict,
            json(serde_json::to_string(&run.settings))?,
            json(serde_json::to_string(&run.counts))?,
            json(serde_json::to_string(&run.metrics))?,
            json(serde_json::to_string(&run.gates))?,
        ],
    )?;
    Ok(())
}

/// Every run in the order of their times; at the same time, in the order in which they were recorded.
pub(crate) fn read(path: &Path) -> Result<Vec<Run>, Failure> {
    select(path, "SELECT * FROM runs ORDER BY time, id", &[])
}

/// The last runs of a suite, `most` at most, the oldest first.
pub(crate) fn recent(path: &Path, name: &str, most: u32) -> Result<Vec<Run>, Failure> {
    let last = "SELECT * FROM runs WHERE name = ?1 ORDER BY time DESC, id DESC LIMIT ?2";
    let mut runs = select(path, last, &[&name, &most])?;
    runs.reverse();
    Ok(runs)
}

fn select(path: &Path, query: &str, values: &[&dyn ToSql]) -> Result<Vec<Run>, Failure> {
    let connection = store::open(path)?;
    // One view of the file, whoever writes meanwhile.
    let bad = |e: rusqlite::Error| store::problem(path, &e);
    let transaction = connection.unchecked_transaction().map_err(bad)?;
    if store::version(path, &transaction)? == 0 {
        return Ok(Vec::new()); // made by one that was killed before its first run was whole
    }
    let read = || -> rusqlite::Result<Vec<Result<Run, String>>> {
        let mut rows = transaction.prepare(query)?;
        rows.query_map(values, run_of)?.collect()
    };
    let runs = read().map_err(bad)?.into_iter().collect::<Result<Vec<Run>, String>>();
    runs.map_err(|message| store::named(path, &problem::HISTORY_DAMAGED, message).into())
}

fn run_of(row: &Row<'_>) -> rusqlite::Result<Result<Run, String>> {
    type Part<T> = rusqlite::Result<Result<T, String>>;
    fn part<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> Part<T> {
        let (id, text): (i64, String) = (row.get("id")?, row.get(column)?);
        Ok(serde_json::from_str(&text).map_err(|e| format!("`{column}` of run {id}: {e}")))
    }
    let (settings, counts) = (part(row, "settings")?, part(row, "counts")?);
    let (metrics, gates) = (part(row, "metrics")?, part(row, "gates")?);
    let base = Run {
        time: row.get("time")?,
        commit: row.get("commit_id")?,
        name: row.get("name")?,
        suite: row.get("suite")?,
        karat: row.get("karat")?,
        gold: row.get("gold")?,
        verdict: row.get("verdict")?,
        ..Run::default()
    };
    let whole = || Ok(Run { settings: settings?, counts: counts?, metrics: metrics?, gates: gates?, ..base });
    Ok(whole())
}
