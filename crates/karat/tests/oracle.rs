//! An independent implementation of the definitions (tests/oracle, Python) agrees with karat on thousands of generated
//! gold and trace files. `KARAT_ORACLE_SETS` and `KARAT_ORACLE_SEED` change how many and which.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use serde_json::{Value, json};

#[test]
fn answers_agree_with_the_oracle() {
    check("answers", "generate.py", answers);
}

#[test]
fn releases_agree_with_the_oracle() {
    check("release", "generate_release.py", release);
}

#[test]
fn rankings_agree_with_the_oracle() {
    check("retrieval", "generate_retrieval.py", retrieval);
}

#[test]
fn ratings_agree_with_the_oracle() {
    check("agreement", "generate_agreement.py", agreement);
}

#[test]
fn repeated_runs_agree_with_the_oracle() {
    check("stability", "generate_stability.py", stability);
}

#[test]
fn curves_agree_with_the_oracle() {
    check("latency", "generate_latency.py", latency);
}

/// Has `script` write sets, runs `karat SUITE` on each, and asks `differences` what does not agree.
fn check(suite: &str, script: &str, differences: fn(&Set) -> Vec<String>) {
    let setting = |name: &str, default: &str| env::var(name).unwrap_or_else(|_| default.to_owned());
    let (count, seed) = (setting("KARAT_ORACLE_SETS", "1000"), setting("KARAT_ORACLE_SEED", "20261115"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("oracle-{suite}-{seed}"));
    let _ = fs::remove_dir_all(&folder);
    let made = Command::new("python3")
        .arg(common::root().join("tests/oracle").join(script))
        .args(["--seed", &seed, "--count", &count, "--dir"])
        .arg(&folder)
        .output()
        .expect("python3 is needed for this test: install it, or run `cargo xtask test`, which does");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));

    let sets: Vec<_> =
        fs::read_dir(&folder).expect("the sets").map(|set| set.expect("a set").path()).collect();
    assert_eq!(sets.len(), count.parse::<usize>().expect("a number"));
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(path) = sets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let set = Set::run(suite, path);
                    let mut found = differences(&set);
                    if (set.status == 0) != (set.flat["pass"] == json!(true)) {
                        found.push(format!("exit status {}", set.status));
                    }
                    if !found.is_empty() {
                        let line = format!("{}: {}", path.display(), found.join("; "));
                        wrong.lock().expect("no panic").push(line);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} sets differ:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
    fs::remove_dir_all(&folder).expect("the sets can go");
}

/// One set: what karat says of it, and what the oracle expects.
struct Set {
    flat: Value,
    report: Value,
    status: i32,
    expected: Value,
}

impl Set {
    fn run(suite: &str, folder: &Path) -> Self {
        let read = |name: &str| -> Value {
            serde_json::from_str(&fs::read_to_string(folder.join(name)).expect("a file of the set"))
                .expect("JSON")
        };
        let words: Vec<String> = serde_json::from_value(read("args.json")).expect("words");
        let (flat, report, status) = common::both(folder, &[&[suite.to_owned()], &words[..]].concat());
        Set { flat, report, status, expected: read("expected.json") }
    }

    /// Every expected figure that `got` does not give.
    fn differences(&self, got: impl Fn(&str) -> Value) -> Vec<String> {
        let expected = self.expected.as_object().expect("an object").iter();
        let differs = |(key, expected): (&String, &Value)| {
            let got = got(key);
            (!common::same(&got, expected)).then(|| format!("{key}: expected {expected}, got {got}"))
        };
        expected.filter_map(differs).collect()
    }
}

fn answers(set: &Set) -> Vec<String> {
    let report = &set.report;
    set.differences(|key| match key {
        "labels" => json!(common::by_case(report, "label")),
        "stages" => json!(common::by_case(report, "first_failed_stage")),
        "scu_integrity" | "echo_mismatch" | "contradiction" => {
            common::round4(&report["metrics"][key]["value"])
        }
        "slices" => slices(report),
        _ => set.flat[key].clone(),
    })
}

fn agreement(set: &Set) -> Vec<String> {
    let finals = |report: &Value| -> Value {
        let raters = report["settings"]["raters"].as_array().expect("raters");
        if raters.len() != 2 {
            return json!([]);
        }
        let row = |case: &Value| {
            let said = |i: usize| &case["ratings"][raters[i].as_str().expect("a name")];
            json!([case["id"], said(0), said(1), case["label"], case["first_failed_stage"]])
        };
        report["cases"].as_array().expect("cases").iter().map(row).collect()
    };
    set.differences(|key| match key {
        "finals" => finals(&set.report),
        "judges" => {
            let judge = |name: &str| common::round4(&set.report["metrics"][format!("judge_{name}")]["value"]);
            let names = ["precision", "recall", "f1", "kappa"].map(|name| (name.to_owned(), judge(name)));
            names.into_iter().collect::<serde_json::Map<_, _>>().into()
        }
        _ => set.flat[key].clone(),
    })
}

fn stability(set: &Set) -> Vec<String> {
    let details = |case: &Value| -> (String, Value) {
        let id = case["id"].as_str().expect("an id");
        let mut measures = set.flat["details"][id].clone();
        measures["runs"] = case["runs"].clone();
        measures["holds"] = case["holds"].clone();
        measures["iaa"] = common::round4(&case["figures"]["iaa"]);
        (id.to_owned(), measures)
    };
    set.differences(|key| match key {
        "details" => {
            let cases = set.report["cases"].as_array().expect("cases").iter();
            cases.map(details).collect::<serde_json::Map<_, _>>().into()
        }
        "errored" | "silent" => set.report["counts"][key].clone(),
        // Means over cases, to nine decimals.
        "means" => {
            let mean = |name: &str| {
                let value = &set.report["metrics"][name]["value"];
                let rounded = value.as_f64().map(|value| format!("{value:.9}"));
                rounded.and_then(|text| text.parse::<f64>().ok()).map_or(Value::Null, Value::from)
            };
            let names = ["css", "ned50", "rcr", "iaa"].map(|name| (name.to_owned(), mean(name)));
            names.into_iter().collect::<serde_json::Map<_, _>>().into()
        }
        _ => set.flat[key].clone(),
    })
}

/// `selected` and `points` are those of flat, in the same order; `exact` are the times of each point to the last bit.
fn latency(set: &Set) -> Vec<String> {
    let exact = |point: &Value| -> Value {
        ["p50", "p90", "p95", "p99"].iter().map(|name| point[*name].clone()).collect()
    };
    set.differences(|key| match key {
        "exact" => common::section(&set.report, "points")["points"]
            .as_array()
            .expect("points")
            .iter()
            .map(exact)
            .collect(),
        _ => set.flat[key].clone(),
    })
}

fn release(set: &Set) -> Vec<String> {
    let reasons = |case: &Value| -> Value {
        let reasons = case["reasons"].as_array().into_iter().flatten();
        reasons.map(|reason| json!([reason["reason"], reason["at"]])).collect()
    };
    let row = |case: &Value| json!({ "id": case["id"], "stage": case["first_failed_stage"], "reasons": reasons(case), "released": case["released"] });
    set.differences(|key| match key {
        "rows" => set.report["cases"].as_array().expect("cases").iter().map(row).collect(),
        _ => set.flat[key].clone(),
    })
}

fn retrieval(set: &Set) -> Vec<String> {
    let conflict = |conflict: &Value| json!([conflict[0], conflict[1]]);
    let figure = |flat: &Value, found: &Value, key: &str| match key {
        "lambda_conflicts" => {
            let rows = &common::section(found, key)["rows"];
            rows.as_array().expect("conflicts").iter().map(conflict).collect()
        }
        "ds_source" => common::section(found, key)["lines"][0].clone(),
        "ds_zones" | "anchor_histogram" => common::section(found, key)["counts"].clone(),
        _ => flat[key].clone(),
    };
    // Of the objects inside, those keys must agree that the oracle has.
    let object = |expected: &Value, of: &dyn Fn(&str) -> Value| -> Value {
        let keys = expected.as_object().expect("an object").keys();
        keys.map(|key| (key.clone(), of(key))).collect::<serde_json::Map<_, _>>().into()
    };
    let (flat, report) = (&set.flat, &set.report);
    set.differences(|key| match key {
        "delta" => object(&set.expected[key], &|name| flat[key][name].clone()),
        "baseline" => {
            let found = &report["baseline"];
            object(&set.expected[key], &|name| figure(&flat[key], found, name))
        }
        _ => figure(flat, report, key),
    })
}

fn slices(report: &Value) -> Value {
    let k = &report["settings"]["k"];
    let figures = |slice: &Value| -> Value {
        let value =
            |name: &str| common::round4(&slice["metrics"][name.replace("@k", &format!("@{k}"))]["value"]);
        ["precision", "chr", "under_refusal", "over_refusal", "recall@k"]
            .iter()
            .map(|name| ((*name).to_owned(), value(name)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    let all = report["slices"].as_array().expect("slices").iter();
    all.map(|slice| (slice["value"].as_str().unwrap_or("(none)").to_owned(), figures(slice)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}
