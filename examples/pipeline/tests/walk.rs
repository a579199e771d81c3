//! From a pipeline to verdicts, end to end: what README's walk runs is run here, against the real server and the real
//! process, and every suite reads the traces. Figures that depend on time are not looked at.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use common::{PIPELINE, Server, folder, rows};
use serde_json::{Value, json};

/// The folder in which cargo puts the programs of this build.
fn programs() -> PathBuf {
    Path::new(PIPELINE).parent().unwrap().to_owned()
}

/// karat as it is now. Cargo builds the programs of a test's own package only: a test of the whole workspace has made
/// this one, too, and otherwise it is asked for.
fn karat() -> PathBuf {
    let karat = programs().join(format!("karat{}", std::env::consts::EXE_SUFFIX));
    let made = std::fs::metadata(&karat).and_then(|data| data.modified()).ok();
    if made.is_none_or(|made| made < newest(&folder().join("../../crates"))) {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "karat"]).current_dir(folder());
        if programs().ends_with("release") {
            build.arg("--release");
        }
        assert!(build.status().unwrap().success(), "karat builds");
    }
    karat
}

/// When a source file under a folder was last changed.
fn newest(folder: &Path) -> SystemTime {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else if entry.path().components().any(|part| part.as_os_str() == "src") {
                newest = newest.max(entry.metadata().unwrap().modified().unwrap());
            }
        }
    }
    newest
}

/// A folder to run in, where `examples/pipeline` is what it is in the project's folder.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let here = place.path().join("examples/pipeline");
    std::fs::create_dir_all(&here).unwrap();
    for name in ["gold.jsonl", "knobs.json"] {
        std::fs::copy(folder().join(name), here.join(name)).unwrap();
    }
    place
}

/// The shell blocks of README that drive the pipeline, without those that build or serve.
fn walk(address: &str) -> String {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let blocks = readme.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let lines = blocks.filter(|block| block.contains("karat run")).flat_map(str::lines);
    let lines =
        lines.filter(|line| !line.starts_with("pipeline-example serve") && !line.starts_with("kill "));
    lines.map(|line| line.replace("127.0.0.1:8077", address) + "\n").collect()
}

/// What karat's suite says of a trace, as JSON, and its exit status.
fn score(karat: &Path, place: &Path, suite: &str, trace: &str) -> (i32, Value) {
    let output = Command::new(karat)
        .args([suite, "--gold", "examples/pipeline/gold.jsonl", "--trace", trace, "--format", "json"])
        .current_dir(place)
        .output()
        .unwrap();
    let report = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{suite}: {e}: {}", String::from_utf8_lossy(&output.stderr)));
    (output.status.code().unwrap(), report)
}

/// Cases that did not come out as they should, with their labels.
fn offenders(report: &Value) -> BTreeSet<String> {
    let cases = report["cases"].as_array().unwrap().iter();
    cases
        .filter(|case| case["first_failed_stage"] != "pass")
        .map(|case| format!("{} {}", case["id"].as_str().unwrap(), case["label"].as_str().unwrap()))
        .collect()
}

/// Traces without what depends on the day, in an order of their own: eight were asked at a time.
fn timeless(path: &Path) -> BTreeSet<String> {
    rows(path)
        .into_iter()
        .map(|mut row| {
            let fields = row.as_object_mut().unwrap();
            assert!(fields.remove("e2e_ms").is_some_and(|ms| ms.is_number()));
            assert!(fields.remove("stage_ms").is_some_and(|stages| stages.is_object()));
            row.to_string()
        })
        .collect()
}

#[cfg(unix)]
#[test]
fn the_walk_of_the_readme() {
    let (karat, place, server) = (karat(), place(), Server::start());
    let place = place.path();
    let path = format!("{}:{}", programs().display(), std::env::var("PATH").unwrap());
    let walked = Command::new("sh")
        .args(["-eux", "-c", &walk(&server.address)])
        .env("PATH", path)
        .current_dir(place)
        .output()
        .unwrap();
    assert!(walked.status.success(), "{}", String::from_utf8_lossy(&walked.stderr));

    let traces = place.join("target/walk");
    let questions = rows(&folder().join("gold.jsonl")).len();
    let knobs: Vec<Value> =
        serde_json::from_str(&std::fs::read_to_string(folder().join("knobs.json")).unwrap()).unwrap();
    assert_eq!(timeless(&traces.join("default.jsonl")).len(), questions);
    assert_eq!(
        timeless(&traces.join("default.jsonl")),
        timeless(&traces.join("process.jsonl")),
        "a process answers as the server does"
    );

    // answers: passes, and what goes wrong goes wrong for the reasons that README tells.
    let (status, report) = score(&karat, place, "answers", "target/walk/default.jsonl");
    assert_eq!((status, &report["pass"]), (0, &json!(true)));
    let wrong = [
        "H07 ANS_NO_HIT",
        "H17 NO_CLAIM_MATCH",
        "H24 OVER_REFUSAL",
        "H54 OVER_REFUSAL",
        "H55 OVER_REFUSAL",
        "H56 OVER_REFUSAL",
        "H68 HALLUCINATION",
    ];
    assert_eq!(offenders(&report), wrong.map(str::to_owned).into());

    // latency: a point a setting, and the settings differ in what they get right.
    let (_, report) = score(&karat, place, "latency", "target/walk/curve.jsonl");
    let sections = report["sections"].as_array().expect("sections");
    let curve = sections.iter().find(|section| section["kind"] == "curve");
    let points =
        curve.and_then(|curve| curve["points"].as_array()).unwrap_or_else(|| panic!("no curve: {report}"));
    assert_eq!(points.len(), knobs.len());
    let mut precisions = BTreeSet::new();
    for point in points {
        assert_eq!(point["samples"], questions, "{point}");
        precisions.insert(point["accuracy"]["precision"]["value"].to_string());
    }
    assert!(precisions.len() > 3, "{precisions:?}");

    // stability: nothing depends on the seed; another verb makes two questions flip.
    let (status, report) = score(&karat, place, "stability", "target/walk/stability.jsonl");
    assert_eq!((status, &report["pass"]), (1, &json!(false)));
    let flips: Vec<String> = offenders(&report).into_iter().filter(|case| case.ends_with("FLIPS")).collect();
    assert_eq!(flips, ["H18 FLIPS", "H22 FLIPS"]);
}
