//! `karat gold` on files that somebody else hashed, and on files that are meant to break it.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gold").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON")
}

#[test]
fn hashes_are_those_of_the_oracle() {
    let setting = |name: &str, default: &str| env::var(name).unwrap_or_else(|_| default.to_owned());
    let (count, seed) = (setting("KARAT_ORACLE_SETS", "500"), setting("KARAT_ORACLE_SEED", "20261116"));
    let folder = folder("oracle");
    let made = Command::new("python3")
        .arg(common::root().join("tests/oracle/lock.py"))
        .args(["--seed", &seed, "--count", &count, "--dir"])
        .arg(&folder)
        .output()
        .expect("python3 is needed for this test: install it, or run `cargo xtask test`, which does");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let mut checked = 0;
    for set in fs::read_dir(&folder).expect("the sets") {
        let set = set.expect("a set").path();
        let (_, err, status) = common::run(&set, &["gold", "freeze", "gold.jsonl"]);
        assert_eq!(status, 0, "{}: {err}", set.display());
        let (lock, expected) = (json(&set.join("gold.lock")), json(&set.join("expected.json")));
        for key in ["rows", "sha256", "ids"] {
            assert_eq!(lock["gold"][0][key], expected[key], "{}: {key}", set.display());
        }
        let (_, err, status) = common::run(&set, &["gold", "verify"]);
        assert_eq!(status, 0, "{}: {err}", set.display());
        checked += 1;
    }
    assert_eq!(checked, count.parse::<usize>().expect("a number"));
    fs::remove_dir_all(&folder).expect("the sets can go");
}

#[track_caller]
fn frozen(name: &str, gold: &[u8], status: i32, said: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("gold.jsonl"), gold).expect("gold");
    let (out, err, exit) = common::run(&folder, &["gold", "freeze", "gold.jsonl"]);
    assert_eq!(exit, status, "{out}{err}");
    assert!(format!("{out}{err}").contains(said), "{out}{err}");
    assert_eq!(folder.join("gold.lock").exists(), status == 0, "whole or not at all");
    let left = fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(left, if status == 0 { 2 } else { 1 }, "nothing else is left behind");
    folder
}

#[test]
fn hostile_gold_is_frozen_or_refused_with_its_place() {
    let long = format!("{{\"qid\":\"L\",\"question\":\"{}\"}}\n", "x\u{301}".repeat(1 << 19));
    frozen("long-row", long.as_bytes(), 0, "1 row");
    let deep = format!("{{\"qid\":\"D\",\"x\":{}", "[".repeat(100_000));
    frozen("nesting", deep.as_bytes(), 2, "at most 1,024 levels of nesting");
    let fine = format!("{{\"qid\":\"D\",\"x\":{}{}}}", "[".repeat(1000), "]".repeat(1000));
    frozen("nested", fine.as_bytes(), 0, "1 row");
    frozen("nul", b"{\"qid\":\"a\\u0000b\"}\n", 0, "1 row");
    frozen("raw-nul", b"{\"qid\":\"a\0b\"}\n", 2, "gold.jsonl:1:10");
    frozen("torn", b"{\"qid\":\"a\"}\n{\"qid\":\"b\n", 2, "gold.jsonl:2:10");
    frozen("not-utf8", b"{\"qid\":\"\xff\"}\n", 2, "error[input/not-utf8]");
    frozen("twice", b"{\"qid\":\"a\"}\n{\"qid\":\"a\"}\n", 2, "gold.jsonl:2:2");
    frozen("empty", b"", 2, "error[gold/empty]");
    frozen("exponent", b"{\"qid\":\"a\",\"n\":1e999999999999999999999}\n", 0, "1 row");
    // Twins in sight, one id decomposed: after NFC they are one.
    frozen("twins", "{\"qid\":\"é\"}\n{\"qid\":\"e\u{301}\"}\n".as_bytes(), 2, "error[gold/duplicate-id]");
    let folder = frozen("override", "{\"qid\":\"a\u{202e}b\"}\n".as_bytes(), 0, "1 row");
    assert!(!fs::read_to_string(folder.join("gold.lock")).expect("a lock").contains('\u{202e}'));
}

#[test]
fn a_lock_is_never_written_over_something_else() {
    let folder = frozen("over", b"{\"qid\":1}\n", 0, "FROZEN");
    fs::write(folder.join("notes.txt"), "mine").expect("a file");
    for (args, said) in [
        (["--lock", "notes.txt"], "is no lock"),
        (["--lock", "gold.jsonl"], "is no lock"),
        (["--lock", "none/gold.lock"], "the folder none does not exist"),
        (["--lock", "."], "it cannot be written over"),
    ] {
        let (_, err, status) = common::run(&folder, &[&["gold", "freeze", "gold.jsonl"], &args[..]].concat());
        assert!(status == 2 && err.contains(said), "{err}");
    }
    assert_eq!(fs::read_to_string(folder.join("notes.txt")).expect("a file"), "mine");
    // A lock that a merge broke may be frozen again.
    let broken = fs::read_to_string(folder.join("gold.lock")).expect("a lock").replace("\"rows\"", "<<<<<<<");
    fs::write(folder.join("gold.lock"), broken).expect("a lock");
    assert_eq!(common::run(&folder, &["gold", "verify"]).2, 2);
    assert_eq!(common::run(&folder, &["gold", "freeze", "gold.jsonl"]).2, 0);
    assert_eq!(common::run(&folder, &["gold", "verify"]).2, 0);
}

#[test]
fn a_lock_finds_its_files_from_any_folder() {
    let folder = folder("folders");
    fs::create_dir_all(folder.join("eval/sets")).expect("folders");
    fs::create_dir_all(folder.join("locks")).expect("folders");
    fs::write(folder.join("eval/sets/gold.jsonl"), "{\"qid\":1}\n").expect("gold");
    fs::write(folder.join("eval/more.jsonl"), "{\"case_id\":1}\n").expect("gold");
    let args = ["gold", "freeze", "eval/sets/*.jsonl", "eval/more.jsonl", "--lock", "locks/gold.lock"];
    assert_eq!(common::run(&folder, &args).2, 0);
    let paths = json(&folder.join("locks/gold.lock"));
    let paths: Vec<&Value> =
        paths["gold"].as_array().expect("files").iter().map(|file| &file["path"]).collect();
    assert_eq!(paths, ["../eval/more.jsonl", "../eval/sets/gold.jsonl"]);
    assert_eq!(common::run(&folder, &["gold", "verify", "--lock", "locks/gold.lock"]).2, 0);
    assert_eq!(common::run(&folder.join("eval"), &["gold", "verify", "--lock", "../locks/gold.lock"]).2, 0);
    // One of the two, named; and one that the lock does not have.
    let one = ["gold", "verify", "more.jsonl", "--lock", "../locks/gold.lock"];
    let (out, _, status) = common::run(&folder.join("eval"), &one);
    assert!(status == 0 && out.contains("1 other file of the lock not looked at"), "{out}");
    fs::write(folder.join("eval/third.jsonl"), "{\"qid\":1}\n").expect("gold");
    let third = ["gold", "verify", "third.jsonl", "--lock", "../locks/gold.lock"];
    let (out, _, status) = common::run(&folder.join("eval"), &third);
    assert!(status == 1 && out.contains("is not in the lock"), "{out}");
    // A file that is gone cannot be verified.
    fs::remove_file(folder.join("eval/more.jsonl")).expect("gone");
    let (_, err, status) = common::run(&folder, &["gold", "verify", "--lock", "locks/gold.lock"]);
    assert!(status == 2 && err.contains("there is no such file"), "{err}");
}
