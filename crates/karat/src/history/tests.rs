//! What a history keeps, and what it refuses.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::PathBuf;

use tempfile::TempDir;

use super::*;

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.db");
    (folder, path)
}

fn run(name: &str, value: f64) -> Run {
    let figure = Figure { value: Some(value), num: Some(1), den: Some(2), ci95: None, vacuous: false };
    let outcome = "pass".to_owned();
    Run {
        time: "2026-11-16T02:50:00Z".into(),
        commit: None,
        name: name.into(),
        suite: "answers".into(),
        karat: "0.1.0".into(),
        gold: Some("sha256:00".into()),
        verdict: "SHIP".into(),
        settings: serde_json::json!({ "k": 5 }),
        counts: IndexMap::from([("missing".into(), 0)]),
        metrics: IndexMap::from([("precision".into(), figure)]),
        gates: vec![Gate {
            metric: "precision".into(),
            text: "precision>=0.8".into(),
            outcome,
            ..Gate::default()
        }],
    }
}

fn slug<T>(outcome: Result<T, Failure>) -> &'static str {
    outcome.err().unwrap().problems[0].kind.slug
}

#[test]
fn what_is_recorded_is_read_again() {
    let (_folder, path) = place();
    record(&path, &[run("a", 0.5), run("b", 0.25)]).unwrap();
    record(&path, &[run("a", 0.75)]).unwrap();
    let all = read(&path).unwrap();
    assert_eq!(all.iter().map(|run| run.name.as_str()).collect::<Vec<_>>(), ["a", "b", "a"]);
    let mine: Vec<Run> = all.into_iter().filter(|run| run.name == "a").collect();
    let values: Vec<_> = mine.iter().map(|run| run.metrics["precision"].value).collect();
    assert_eq!(values, [Some(0.5), Some(0.75)]);
    assert_eq!(mine[0].gates[0].text, "precision>=0.8");
    assert_eq!((mine[0].counts["missing"], &mine[0].settings), (0, &serde_json::json!({ "k": 5 })));
}

#[test]
fn the_last_runs_of_a_suite_come_oldest_first() {
    let (_folder, path) = place();
    for value in [0.1, 0.2, 0.3, 0.4] {
        record(&path, &[run("a", value), run("b", 0.9)]).unwrap();
    }
    let values: Vec<_> =
        recent(&path, "a", 3).unwrap().iter().map(|run| run.metrics["precision"].value).collect();
    assert_eq!(values, [Some(0.2), Some(0.3), Some(0.4)]);
    assert!(recent(&path, "c", 3).unwrap().is_empty());
}

#[test]
fn what_is_no_history_is_refused_and_left_alone() {
    let (folder, path) = place();
    assert_eq!(slug(read(&path)), "history/unavailable", "nothing is made by reading");
    assert!(!path.exists());
    for (text, name) in [("hello", "short"), (&*"{\"a\": 1}\n".repeat(500), "long")] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        assert_eq!(slug(read(&path)), "history/foreign", "{name}");
        assert_eq!(slug(record(&path, &[run("a", 1.0)])), "history/foreign", "{name}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    let other = Connection::open(&path).unwrap();
    other.execute_batch("CREATE TABLE runs (a); INSERT INTO runs VALUES (1);").unwrap();
    assert_eq!(slug(record(&path, &[run("a", 1.0)])), "history/foreign");
    let left: i64 = other.query_row("SELECT count(*) FROM runs", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 1);
    let nowhere = folder.path().join("nowhere/history.db");
    assert_eq!(slug(record(&nowhere, &[run("a", 1.0)])), "history/unavailable");
    assert_eq!(slug(read(folder.path())), "history/unavailable");
}

#[test]
fn a_newer_one_is_refused_by_name() {
    let (_folder, path) = place();
    record(&path, &[run("a", 1.0)]).unwrap();
    Connection::open(&path).unwrap().pragma_update(None, "user_version", store::VERSION + 1).unwrap();
    assert_eq!(slug(read(&path)), "history/newer");
    assert_eq!(slug(record(&path, &[run("a", 1.0)])), "history/newer");
}

#[test]
fn a_damaged_one_is_named_and_kept() {
    let (_folder, path) = place();
    for _ in 0..50 {
        record(&path, &[run("a", 1.0)]).unwrap();
    }
    let mut bytes = std::fs::read(&path).unwrap();
    let end = bytes.len();
    bytes[4096..end].fill(0x55);
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(slug(read(&path)), "history/damaged");
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_file_that_was_made_and_never_written_is_an_empty_history() {
    let (_folder, path) = place();
    std::fs::write(&path, "").unwrap();
    assert!(read(&path).unwrap().is_empty());
    record(&path, &[run("a", 1.0)]).unwrap();
    assert_eq!(read(&path).unwrap().len(), 1);
}

#[test]
fn all_of_a_transaction_or_nothing() {
    let (_folder, path) = place();
    record(&path, &[run("a", 1.0)]).unwrap();
    let broken = store::write(&path, |connection| {
        insert(connection, &run("b", 1.0))?;
        connection.execute("INSERT INTO runs (time) VALUES (NULL)", []).map(drop)
    });
    assert_eq!(broken.unwrap_err().kind.slug, "history/damaged");
    assert_eq!(read(&path).unwrap().len(), 1);
}

#[test]
fn the_view_answers_questions() {
    let (_folder, path) = place();
    record(&path, &[run("a", 0.5)]).unwrap();
    let connection = Connection::open(&path).unwrap();
    let value: f64 = connection
        .query_row("SELECT value FROM figures WHERE name = 'a' AND metric = 'precision'", [], |row| {
            row.get(0)
        })
        .unwrap();
    assert_eq!(value, 0.5);
}

#[test]
fn times_are_told_to_the_second_in_one_zone() {
    let stamp = Stamp { time: String::new(), commit: None };
    let time = |text: &str| stamp.clone().at(text).map(|stamp| stamp.time);
    assert_eq!(time("2026-11-16T02:50:00.75+02:00").as_deref(), Some("2026-11-16T00:50:00Z"));
    assert_eq!(time("2026-11-16"), None);
}
