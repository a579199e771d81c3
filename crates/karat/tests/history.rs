//! Two writers at once, and writers that are killed at any moment, leave a history that can be read and holds only
//! whole runs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{karat, root, run};

/// A folder with two reports of different names, which are recorded together: a whole is two rows.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let answers = root().join("examples/answers");
    let (gold, trace) = (answers.join("gold.jsonl"), answers.join("trace.jsonl"));
    let (gold, trace) = (gold.to_str().unwrap(), trace.to_str().unwrap());
    run(folder.path(), &["answers", "--gold", gold, "--trace", trace, "--quiet", "--out", "a.json"]);
    std::fs::copy(folder.path().join("a.json"), folder.path().join("b.json")).unwrap();
    folder
}

fn adding(folder: &Path) -> Command {
    let mut command = karat(folder);
    command.args(["trend", "--history", "history.db", "--add", "a.json", "--add", "b.json", "--quiet"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// How many rows there are, by karat, which checks that every one of them is whole.
fn rows(folder: &Path) -> usize {
    let (out, err, status) = run(folder, &["trend", "--history", "history.db", "--format", "json"]);
    assert_eq!(status, 0, "{err}");
    let all: serde_json::Value = serde_json::from_str(&out).unwrap();
    let suites = all["suites"].as_array().unwrap();
    suites.iter().map(|suite| suite["runs"].as_array().unwrap().len()).sum()
}

#[test]
fn writers_at_once_lose_nothing() {
    let folder = folder();
    let rounds = 4;
    for _ in 0..rounds {
        let mut writers: Vec<Child> = (0..4).map(|_| adding(folder.path()).spawn().unwrap()).collect();
        for writer in &mut writers {
            assert!(writer.wait().unwrap().success());
        }
    }
    assert_eq!(rows(folder.path()), rounds * 4 * 2);
}

#[test]
fn a_writer_killed_at_any_moment_leaves_only_whole_runs() {
    let folder = folder();
    // How long one takes here: the moments are spread over that, and a little beyond.
    let begun = std::time::Instant::now();
    assert!(adding(folder.path()).status().unwrap().success());
    let whole = begun.elapsed().mul_f64(1.2);
    let kills = std::env::var("KARAT_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(40u32);
    let (mut before, mut killed) = (rows(folder.path()), 0);
    for i in 0..kills {
        if i % 8 == 0 {
            // Again from nothing: making the file must be as safe as adding to it.
            std::fs::remove_file(folder.path().join("history.db")).unwrap();
            std::fs::remove_file(folder.path().join("history.db-journal")).ok();
            before = 0;
        }
        let mut writer = adding(folder.path()).spawn().unwrap();
        std::thread::sleep(whole * i / kills);
        writer.kill().unwrap();
        let finished = writer.wait().unwrap().success();
        killed += u32::from(!finished);
        if !folder.path().join("history.db").exists() {
            assert!(!finished, "it says that it is recorded");
            std::fs::write(folder.path().join("history.db"), "").unwrap();
        }
        let now = rows(folder.path());
        assert!(now == before + 2 || (!finished && now == before), "{now} rows after {before}");
        before = now;
    }
    assert!(killed > 0, "every writer was faster than its end");
    // And whoever comes next can write.
    assert!(adding(folder.path()).status().unwrap().success());
    assert_eq!(rows(folder.path()), before + 2);
}

#[test]
fn a_killed_writer_does_not_keep_the_other_waiting() {
    let folder = folder();
    let mut first = adding(folder.path()).spawn().unwrap();
    let second = adding(folder.path()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(3));
    first.kill().unwrap();
    let lost = !first.wait().unwrap().success();
    assert!(second.wait_with_output().unwrap().status.success());
    let rows = rows(folder.path());
    assert!(rows == 4 || (lost && rows == 2), "{rows}");
}
