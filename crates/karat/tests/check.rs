//! `karat check` under stress: two at once, killed at any moment, many suites on one gold set.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

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
    let out = karat(folder, &["trend", "--history", "eval/history.db", "--format", "json"])
        .stdout(Stdio::piped())
        .output()
        .expect("karat");
    assert!(out.status.success(), "the history cannot be read");
    let told: Value = serde_json::from_slice(&out.stdout).expect("JSON");
    let suites = told["suites"].as_array().expect("suites");
    // A check is one transaction: its suites are there together, or not at all.
    let counts: Vec<usize> =
        suites.iter().map(|suite| suite["runs"].as_array().map_or(0, Vec::len)).collect();
    assert!(counts.is_empty() || (counts.len() == 6 && counts.iter().all(|n| *n == counts[0])), "{counts:?}");
    counts.first().copied().unwrap_or(0)
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

/// The library that ends a process at a write; the C compiler that built the history's database builds it too.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn points() -> PathBuf {
    let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("points.so");
    let source = common::root().join("crates/karat/tests/kill/points.c");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let mut built = Command::new(compiler);
    built.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
    assert!(built.status().expect("a C compiler").success());
    library
}

#[test]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn a_check_that_is_killed_at_any_write_leaves_only_whole_runs_and_reports() {
    let library = points();
    // Once where no history and no report is yet, once over those of a run before.
    for (name, earlier) in [("check-killed-first", 0), ("check-killed-again", 1)] {
        let (mut point, mut seen) = (0, std::collections::BTreeSet::new());
        loop {
            let folder = project(name);
            for _ in 0..earlier {
                assert!(karat(&folder, &["check"]).status().expect("karat").success());
            }
            let mut check = karat(&folder, &["check"]);
            let status = check.env("LD_PRELOAD", &library).env("KARAT_KILL_AT", point.to_string()).status();
            let whole = status.expect("karat").success();
            reports_are_whole(&folder);
            // The history is there with all of the killed run or with nothing of it, and takes the next one.
            let found = if folder.join("eval/history.db").exists() { runs(&folder) } else { 0 };
            assert!(found == earlier || found == earlier + 1, "point {point}: {found} runs");
            seen.insert(found);
            assert!(karat(&folder, &["check"]).status().expect("karat").success(), "point {point}");
            assert_eq!(runs(&folder), found + 1, "point {point}");
            if whole {
                assert_eq!(found, earlier + 1);
                break;
            }
            point += 1;
        }
        assert!(point > 20, "only {point} writes: is the library loaded?");
        assert_eq!(seen.len(), 2, "{name}: every kill came before, or after, the run was kept");
    }
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

/// The exit status of a call, and what it printed.
fn said(folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let out =
        Command::new(env!("CARGO_BIN_EXE_karat")).current_dir(folder).args(args).output().expect("karat");
    let text = [out.stdout, out.stderr].concat();
    (out.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn nothing_measured_never_ships_whatever_the_gates_are() {
    let folder = project("check-nothing");
    fs::write(folder.join("none.jsonl"), "").expect("a file");
    for args in [
        &["agreement", "--pairs", "none.jsonl", "--gates", "disagreements<=0,unpaired<=9"][..],
        &["latency", "--gold", "eval/gold.jsonl", "--trace", "none.jsonl", "--gates", "malformed<=0"],
        &["latency", "--gold", "eval/gold.jsonl", "--trace", "none.jsonl", "--gates", "untimed>=0"],
        &["stability", "--gold", "eval/gold.jsonl", "--trace", "none.jsonl", "--gates", "malformed<=0"],
    ] {
        let (status, text) = said(&folder, args);
        assert_eq!(status, Some(1), "{args:?}\n{text}");
    }
}

#[test]
fn no_output_takes_the_place_of_what_a_project_keeps() {
    let folder = project("check-places");
    let config = fs::read_to_string(folder.join("karat.toml")).expect("a configuration");
    fs::rename(folder.join("eval/gold.lock"), folder.join("eval/lock.json")).expect("a lock");
    let config = config.replace("eval/gold.lock", "eval/lock.json").replace("eval/history.db", "eval/h.json");
    fs::write(folder.join("karat.toml"), config).expect("a file");
    let before = fs::read(folder.join("eval/lock.json")).expect("a lock");
    for kept in ["eval/lock.json", "eval/h.json"] {
        let (status, text) = said(&folder, &["check", "--out", kept]);
        assert_eq!((status, text.contains("input")), (Some(2), true), "{kept}\n{text}");
    }
    assert_eq!(fs::read(folder.join("eval/lock.json")).expect("a lock"), before);
}

#[test]
fn init_writes_all_or_nothing() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("init-blocked");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("eval"), "in the way").expect("a file");
    let (status, text) = said(&folder, &["init"]);
    assert_eq!(status, Some(2), "{text}");
    assert!(text.contains("eval"), "{text}");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
}

#[test]
fn what_may_not_be_waived_is_not() {
    let folder = project("check-unwaivable");
    let (_, frozen) = said(&folder, &["gold", "freeze"]);
    let hash = |file: &str| {
        let lock: Value =
            serde_json::from_slice(&fs::read(folder.join("eval/gold.lock")).expect("a lock")).expect("JSON");
        let of =
            lock["gold"].as_array().expect("files").iter().find(|f| f["path"] == file).expect("the file");
        of["sha256"].as_str().expect("a hash").to_owned()
    };
    assert!(frozen.contains("FROZEN"), "{frozen}");
    let waiver = |gate: &str, gold: &str| {
        format!(
            "[[waivers]]\ngate = \"{gate}\"\ngold = \"{gold}\"\nreason = \"r\"\nowner = \"o\"\nexpires = 2026-12-31\n"
        )
    };
    // Every answer a refusal: precision has nothing to count.
    let silent: String = (1..=12)
        .map(|i| format!("{{\"qid\":\"D{i:02}\",\"retrieved_ids\":[],\"answer_json\":{{\"claim\":\"not in context\",\"citations\":[]}},\"ok\":true}}\n"))
        .collect();
    fs::write(folder.join("silent.jsonl"), silent).expect("a file");
    let mut config = String::from(
        "[suites.a]\nkind = \"answers\"\ngold = \"eval/gold.jsonl\"\ntraces = \"silent.jsonl\"\ngates = [\"precision>=0.80\", \"over_refusal<=0.10\"]\n",
    );
    config += &waiver("precision>=0.80", &hash("gold.jsonl"));
    config += &waiver("over_refusal<=0.10", &hash("gold.jsonl"));
    fs::write(folder.join("a.toml"), config).expect("a file");
    let (status, text) = said(&folder, &["check", "--config", "a.toml", "--today", "2026-11-16"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("nothing to count"), "{text}");

    // A case that touched what it may not see, and a gate that tells of it only in a sum.
    let paths = fs::read_to_string(folder.join("runs/paths.jsonl")).expect("paths");
    let leak = paths.replacen(
        "\"first_stage_ids\": [\"trash#1\"]",
        "\"first_stage_ids\": [\"trash#1\", \"salaries#1\"]",
        1,
    );
    assert_ne!(paths, leak);
    fs::write(folder.join("leak.jsonl"), leak).expect("a file");
    let mut config = String::from(
        "[suites.r]\nkind = \"release\"\ngold = \"eval/release.jsonl\"\nevidence = \"eval/evidence.jsonl\"\ntraces = \"leak.jsonl\"\ngates = \"release_correct>=0.99\"\n",
    );
    config += &waiver("release_correct>=0.99", &hash("release.jsonl"));
    fs::write(folder.join("r.toml"), config).expect("a file");
    let (status, text) = said(&folder, &["check", "--config", "r.toml", "--today", "2026-11-16"]);
    assert_eq!(status, Some(1), "{text}");
    assert!(text.contains("admissible"), "{text}");
}

#[test]
fn a_count_is_told_as_a_whole_number() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-counts");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let row = |id: &str| {
        format!(
            r#"{{"qid":"{id}","question":"{id}?","answerable":true,"gold_claim_substr":["words"],"gold_citations":["p"]}}"#
        )
    };
    fs::write(folder.join("gold.jsonl"), ["a", "b", "c"].map(row).join("\n")).expect("gold");
    fs::write(folder.join("runs.jsonl"), "").expect("runs");
    let config = "[gold]\npath = \"gold.jsonl\"\n\n[suites.repeats]\nkind = \"stability\"\ntraces = \"runs.jsonl\"\ngates = [\"missing_runs<=0\"]\n";
    fs::write(folder.join("karat.toml"), config).expect("a configuration");
    let (out, err, exit) = common::run(&folder, &["check"]);
    assert!(exit == 1 && out.contains("missing_runs<=0 at 3"), "{out}{err}");
}

/// Replaces a text of a project's file, which must be there.
fn edit(folder: &Path, file: &str, from: &str, to: &str) {
    let text = fs::read_to_string(folder.join(file)).expect("a file");
    assert!(text.contains(from), "{file} has no {from}");
    fs::write(folder.join(file), text.replacen(from, to, 1)).expect("a file");
}

#[test]
fn whatever_decides_a_verdict_is_locked() {
    for (suite, setting) in [
        ("answers", "refusal = [\"It was Bob.\"]"),
        ("answers", "k = 1"),
        ("answers", "missing = \"skip\""),
        ("answers", "gold = \"eval/retrieval.jsonl\""),
        ("repeats", "grid = { seeds = [0], jitters = [\"none\"] }"),
        ("index", "window = 100000"),
        ("evidence", "trust_claim_phrases = true"),
        ("evidence", "version_keys = [\"retriever\"]"),
        ("speed", "select = \"knee\""),
        ("raters", "lenient = true"),
    ] {
        let folder = project("check-settings");
        let kind = format!("[suites.{suite}]");
        edit(&folder, "karat.toml", &kind, &format!("{kind}\n{setting}\n#"));
        let (status, text) = said(&folder, &["gold", "verify"]);
        assert!(status == Some(1) && text.contains("gates"), "{setting}\n{text}");
        let (status, text) = said(&folder, &["check"]);
        assert!(status != Some(0) && text.contains("the gates changed"), "{setting}\n{text}");
    }
}

#[test]
fn what_sums_up_constraints_or_lacks_data_cannot_be_waived() {
    let folder = project("check-waivers");
    let (_, text) = said(&folder, &["gold", "freeze"]);
    let hash = text.split("sha256 ").nth(1).and_then(|rest| rest.split_whitespace().next());
    // Every run failed: `held` sums up what nobody may waive.
    let runs = fs::read_to_string(folder.join("runs/repeated.jsonl")).expect("runs");
    let failed = runs.replace("\"ok\": true", "\"ok\": false").replace("\"answer_json\"", "\"lost\"");
    fs::write(folder.join("runs/repeated.jsonl"), failed).expect("runs");
    edit(&folder, "karat.toml", "[suites.repeats]", "[suites.repeats]\ngates = [\"held>=1\"]\n#");
    let waiver = format!(
        "\n[[waivers]]\ngate = \"held>=1\"\ngold = \"{}\"\nreason = \"r\"\nowner = \"o\"\nexpires = \"2099-01-01\"\n",
        hash.unwrap_or("0123456789ab")
    );
    let config = fs::read_to_string(folder.join("karat.toml")).expect("a configuration");
    fs::write(folder.join("karat.toml"), config + &waiver).expect("a configuration");
    said(&folder, &["gold", "freeze"]);
    let (status, text) = said(&folder, &["check", "repeats", "--today", "2098-12-01"]);
    assert!(status == Some(1) && text.contains("held cannot be waived"), "{text}");
}

#[test]
fn a_comparison_believes_no_verdict_and_ships_no_gap() {
    let folder = project("check-compare");
    let answers = ["answers", "--gold", "eval/gold.jsonl", "--trace", "runs/trace.jsonl"];
    said(&folder, &[&answers[..], &["--out", "good.json", "-q"]].concat());
    let traces = fs::read_to_string(folder.join("runs/trace.jsonl")).expect("traces");
    let fewer: String = traces.lines().skip(6).map(|line| format!("{line}\n")).collect();
    fs::write(folder.join("runs/fewer.jsonl"), fewer).expect("traces");
    let (_, text) = said(
        &folder,
        &["answers", "--gold", "eval/gold.jsonl", "--trace", "runs/fewer.jsonl", "--out", "bad.json", "-q"],
    );
    assert!(text.contains("NO-SHIP"), "{text}");
    let bad = fs::read_to_string(folder.join("bad.json")).expect("a report");
    let forged = bad
        .replace("\"pass\": false", "\"pass\": true")
        .replace("\"outcome\": \"fail\"", "\"outcome\": \"pass\"")
        .replace("\"verdict\": \"NO-SHIP\"", "\"verdict\": \"SHIP\"");
    assert_ne!(forged, bad);
    fs::write(folder.join("forged.json"), forged).expect("a report");
    let (status, text) = said(&folder, &["compare", "bad.json", "forged.json"]);
    assert!(status == Some(2) && text.contains("is said to pass, and its figure does not"), "{text}");
    let (status, text) = said(&folder, &["compare", "bad.json", "bad.json", "--ignore-gates"]);
    assert!(status == Some(1) && text.contains("the new side lacks data: missing"), "{text}");
}
