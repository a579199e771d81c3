//! What the tests of the command share.
#![allow(dead_code, unreachable_pub, clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The project's folder.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// karat, ready to run in `folder`.
pub fn karat(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_karat"));
    command.current_dir(folder).env_remove("NO_COLOR").stdin(Stdio::null());
    command
}

/// Runs karat and gives what it printed and its exit status.
pub fn run(folder: &Path, args: &[&str]) -> (String, String, i32) {
    text(karat(folder).args(args).output().expect("karat runs"))
}

pub fn text(output: Output) -> (String, String, i32) {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("karat prints UTF-8");
    (text(output.stdout), text(output.stderr), output.status.code().expect("karat exits by itself"))
}

/// Runs karat for its flat figures and its full report at once.
pub fn both(folder: &Path, args: &[String]) -> (Value, Value, i32) {
    let flat = folder.join("actual.flat.json");
    let mut command = karat(folder);
    command.args(args).args(["--format", "json", "--quiet", "--out", "actual.flat.json"]);
    let (out, err, status) = text(command.output().expect("karat runs"));
    let report =
        serde_json::from_str(&out).unwrap_or_else(|_| panic!("{}: {args:?}: {err}", folder.display()));
    let figures = std::fs::read_to_string(&flat).expect("the flat report");
    std::fs::remove_file(flat).expect("the flat report can go");
    (serde_json::from_str(&figures).expect("flat is JSON"), report, status)
}

/// Every case's field, by id.
pub fn by_case<'r>(report: &'r Value, field: &str) -> std::collections::BTreeMap<&'r str, &'r str> {
    let cases = report["cases"].as_array().expect("cases");
    cases
        .iter()
        .map(|case| (case["id"].as_str().expect("id"), case[field].as_str().expect("field")))
        .collect()
}

/// A section of a report, or of its baseline.
pub fn section<'r>(report: &'r Value, key: &str) -> &'r Value {
    let sections = report["sections"].as_array().expect("sections");
    sections.iter().find(|section| section["key"] == key).unwrap_or(&Value::Null)
}

/// A number rounded as `flat` rounds.
pub fn round4(value: &Value) -> Value {
    match value.as_f64() {
        Some(number) => serde_json::json!(format!("{number:.4}").parse::<f64>().expect("a number")),
        None => value.clone(),
    }
}

/// Equal as numbers are: 0 is 0.0.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        _ => a == b,
    }
}

/// Splits a command line as a shell does; plain words and single quotes are all it knows.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), String::new(), false);
    for c in line.trim().chars().chain([' ']) {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty())),
            c => word.push(c),
        }
    }
    words
}
