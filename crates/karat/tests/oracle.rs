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
fn karat_agrees_with_the_oracle() {
    let setting = |name: &str, default: &str| env::var(name).unwrap_or_else(|_| default.to_owned());
    let (count, seed) = (setting("KARAT_ORACLE_SETS", "3000"), setting("KARAT_ORACLE_SEED", "20261115"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("oracle-{seed}"));
    let _ = fs::remove_dir_all(&folder);
    let made = Command::new("python3")
        .arg(common::root().join("tests/oracle/generate.py"))
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
                while let Some(set) = sets.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let differences = compare(set);
                    if !differences.is_empty() {
                        wrong.lock().expect("no panic").push(format!(
                            "{}: {}",
                            set.display(),
                            differences.join("; ")
                        ));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} sets differ:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
    fs::remove_dir_all(&folder).expect("the sets can go");
}

fn compare(set: &Path) -> Vec<String> {
    let read = |name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(set.join(name)).expect("a file of the set")).expect("JSON")
    };
    let words: Vec<String> = serde_json::from_value(read("args.json")).expect("words");
    let args = [&["answers".to_owned()], &words[..]].concat();
    let (flat, report, status) = common::both(set, &args);
    let metric = |name: &str| common::round4(&report["metrics"][name]["value"]);
    let mut wrong = Vec::new();
    for (key, expected) in read("expected.json").as_object().expect("an object") {
        let got = match key.as_str() {
            "labels" => json!(common::by_case(&report, "label")),
            "stages" => json!(common::by_case(&report, "first_failed_stage")),
            "scu_integrity" | "echo_mismatch" | "contradiction" => metric(key),
            "slices" => slices(&report),
            _ => flat[key].clone(),
        };
        if !common::same(&got, expected) {
            wrong.push(format!("{key}: expected {expected}, got {got}"));
        }
    }
    if (status == 0) != (flat["pass"] == json!(true)) {
        wrong.push(format!("exit status {status}"));
    }
    wrong
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
