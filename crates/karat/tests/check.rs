//! `karat check` under stress: two at once, killed at any moment, many suites on one gold set.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

fn karat(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_karat"));
    command.current_dir(folder).args(args).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn project(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    assert!(karat(&folder, &["init"]).status().expect("karat").success());
    folder
}

/// Every run that the history has, as `karat trend` tells it.
fn runs(folder: &Path) -> usize {
    let out =
        karat(folder, &["trend", "--history", "eval/history.db", "--suite", "answers", "--format", "json"])
            .stdout(Stdio::piped())
            .output()
            .expect("karat");
    assert!(out.status.success(), "the history cannot be read");
    let told: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    told["suites"][0]["runs"].as_array().map_or(0, Vec::len)
}

/// What was written is whole, or not there.
fn reports_are_whole(folder: &Path) {
    if let Ok(text) = fs::read_to_string(folder.join("eval/last_report.json")) {
        let report: Value = serde_json::from_str(&text).expect("a whole report");
        assert_eq!(report["schema"], "karat.check/1");
        assert_eq!(report["suites"].as_array().map(Vec::len), Some(6));
    }
    if let Ok(text) = fs::read_to_string(folder.join("eval/report.md")) {
        assert!(text.starts_with("# ") && text.ends_with('\n') && text.contains("## raters"));
    }
}

#[test]
fn two_checks_at_once_both_stand_in_the_history() {
    let folder = project("check-two");
    const EACH: usize = 4;
    for _ in 0..EACH {
        let mut both: Vec<Child> =
            (0..2).map(|_| karat(&folder, &["check"]).spawn().expect("karat")).collect();
        for child in &mut both {
            assert!(child.wait().expect("its end").success());
        }
        reports_are_whole(&folder);
    }
    assert_eq!(runs(&folder), 2 * EACH);
}

#[test]
fn a_check_that_is_killed_leaves_only_whole_runs_and_reports() {
    let folder = project("check-killed");
    let (mut ended, mut killed) = (0, 0);
    // From the first instruction to beyond the end, in steps.
    for step in 0..60 {
        let mut child = karat(&folder, &["check"]).spawn().expect("karat");
        sleep(Duration::from_millis(step * 4));
        let _ = child.kill();
        if child.wait().expect("its end").success() {
            ended += 1;
        } else {
            killed += 1;
        }
        reports_are_whole(&folder);
    }
    assert!(killed > 0, "every check ended before it was killed");
    // A run is written before a check ends; one that was killed may have come so far.
    assert!(karat(&folder, &["check"]).status().expect("karat").success());
    let there = runs(&folder);
    assert!(
        (ended + 1..=ended + 1 + killed).contains(&there),
        "{there} runs, {ended} ended, {killed} killed"
    );
    let left: Vec<_> = fs::read_dir(folder.join("eval"))
        .expect("a folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    assert!(left.iter().any(|name| name == "history.db"), "{left:?}");
}

#[test]
fn many_suites_share_one_gold_set() {
    let folder = project("check-many");
    let mut config = String::from("[gold]\npath = \"eval/gold.jsonl\"\n");
    for i in 0..50 {
        config.push_str(&format!("[suites.s{i:02}]\nkind = \"answers\"\ntraces = \"runs/trace.jsonl\"\n"));
    }
    fs::write(folder.join("many.toml"), config).expect("a file");
    let out = karat(&folder, &["check", "--config", "many.toml", "--format", "json"])
        .stdout(Stdio::piped())
        .output()
        .expect("karat");
    assert!(out.status.success());
    let report: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    let suites = report["suites"].as_array().expect("suites");
    assert_eq!(suites.len(), 50);
    // Suites that pass keep the order of the configuration.
    assert!(suites.iter().enumerate().all(|(i, suite)| suite["name"] == format!("s{i:02}").as_str()));
    let first = &suites[0]["report"]["metrics"];
    assert!(suites.iter().all(|suite| suite["report"]["metrics"] == *first));
}
