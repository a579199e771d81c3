//! `karat run` against pipelines that hang, die, lie and stall: it ends, every question has one trace, nothing is lost.
#![cfg(unix)]
#![allow(clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
mod https;
mod process;
mod secrets;
mod server;
mod told;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;
use server::{say, serve};

const GOOD: &str = r#"{"retrieved_ids":["p1"],"answer_json":{"claim":"alpha","citations":["p1"]}}"#;

/// A folder of its own with a gold set that asks these questions.
fn folder(name: &str, questions: &[&str]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("run").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let rows: String = questions
        .iter()
        .map(|q| {
            format!(
                "{{\"qid\":\"{q}\",\"question\":\"{q}?\",\"answerable\":true,\"gold_claim_substr\":[\"alpha\"],\"gold_citations\":[\"p1\"]}}\n"
            )
        })
        .collect();
    fs::write(folder.join("gold.jsonl"), rows).expect("gold");
    folder
}

fn many(number: usize) -> Vec<String> {
    (0..number).map(|i| format!("Q{i:03}")).collect()
}

/// Every trace of a file by its case; a case with two is a failure of the test.
fn traces(file: &Path) -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    for line in fs::read_to_string(file).expect("traces").lines() {
        let trace: Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let id = trace["qid"].as_str().expect("qid").to_owned();
        assert!(all.insert(id, trace).is_none(), "twice: {line}");
    }
    all
}

#[test]
fn a_hostile_server_gets_a_trace_for_every_question() {
    let questions = [
        "good", "hang", "close", "half", "noise", "html", "empty", "number", "bytes", "wrong", "500", "busy",
        "404", "moved", "long", "endless", "drip", "utf8", "type", "tail",
    ];
    let folder = folder("hostile", &questions);
    let busy = AtomicUsize::new(0);
    let url = serve(move |_, body, stream| {
        let pause = || std::thread::sleep(Duration::from_millis(200));
        match body["qid"].as_str().expect("qid") {
            "good" | "tail" => return say(stream, "200 OK", GOOD),
            "hang" => std::thread::sleep(Duration::from_secs(20)),
            "close" => {}
            "half" => drop(stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"answer\"")),
            "noise" => drop(stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n\r\n")),
            "html" => return say(stream, "200 OK", "<html>Sign in</html>"),
            "empty" => return say(stream, "200 OK", ""),
            "number" => return say(stream, "200 OK", "42"),
            "bytes" => return say(stream, "200 OK", "{\"answer_json\":{\"claim\":\"\u{0}\"}}"),
            "wrong" => return say(stream, "200 OK", "{\"qid\":\"good\",\"answer\":\"alpha\"}"),
            "type" => return say(stream, "200 OK", "{\"retrieved_ids\":\"p1\",\"answer\":\"alpha\"}"),
            "500" => return say(stream, "500 Internal Server Error", "out of memory"),
            "busy" if busy.fetch_add(1, Ordering::Relaxed) == 0 => {
                return say(stream, "503 Service Unavailable\r\nretry-after: 0", "later");
            }
            "busy" => return say(stream, "200 OK", GOOD),
            "404" => return say(stream, "404 Not Found", "no such route"),
            "moved" => return say(stream, "307 Temporary Redirect\r\nlocation: /other", ""),
            "utf8" => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n\"\xff\xfe\"");
                return true;
            }
            "long" => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 104857600\r\n\r\n");
                let piece = vec![b'x'; 1 << 20];
                while stream.write_all(&piece).is_ok() {}
            }
            "endless" => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
                let piece = [b"100000\r\n".to_vec(), vec![b' '; 1 << 20], b"\r\n".to_vec()].concat();
                while stream.write_all(&piece).is_ok() {}
            }
            "drip" => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n");
                while stream.write_all(b" ").is_ok() {
                    pause();
                }
            }
            other => panic!("{other}"),
        }
        false
    });
    let start = Instant::now();
    let (out, err, status) = common::run(
        &folder,
        &[
            "run",
            "--gold",
            "gold.jsonl",
            "--http",
            &url,
            "--out",
            "t.jsonl",
            "--timeout",
            "2s",
            "--retries",
            "1",
            "--max-reply",
            "1",
        ],
    );
    assert_eq!(status, 1, "{out}{err}");
    assert!(start.elapsed() < Duration::from_secs(120), "it ends though a question never does");
    let traces = traces(&folder.join("t.jsonl"));
    assert_eq!(traces.len(), questions.len(), "{traces:?}");
    for (id, expected, attempts) in [
        ("good", "", 1),
        ("tail", "", 1),
        ("busy", "", 2),
        ("hang", "timeout: no whole reply within 2 s", 2),
        ("drip", "timeout: no whole reply within 2 s", 2),
        ("close", "connection: ", 2),
        ("half", "connection: ", 2),
        ("noise", "connection: ", 2),
        ("html", "not json: found `<`, expected a value at byte 0 of `<html>Sign in</html>`", 1),
        ("empty", "not json: the reply is empty", 1),
        ("bytes", "not json: found `␀`", 1),
        ("utf8", "not json: byte 1 is not UTF-8", 1),
        ("number", "bad reply: the reply is a number, not an object: `42`", 1),
        ("wrong", "wrong case: the reply is for `good`", 1),
        ("type", "bad reply: `retrieved_ids` is a string; expected a list of ids", 1),
        ("500", "http 500: Internal Server Error, and `out of memory`", 2),
        ("404", "http 404: Not Found, and `no such route`", 1),
        ("moved", "http 307: Temporary Redirect, and nothing; redirections are not followed", 1),
        ("long", "too long: the reply is longer than 1 MiB", 1),
        ("endless", "too long: the reply is longer than 1 MiB", 1),
    ] {
        let trace = &traces[id];
        let reason = trace["reason"].as_str().unwrap_or_default();
        assert!(reason.starts_with(expected), "{id}: {reason}");
        assert_eq!(trace["ok"].as_bool(), if expected.is_empty() { None } else { Some(false) }, "{trace}");
        assert_eq!(trace["attempts"].as_u64().unwrap_or(1), attempts, "{trace}");
        assert!(trace["e2e_ms"].as_f64().is_some(), "{trace}");
    }
    assert_eq!(traces["good"]["answer_json"]["claim"], "alpha");
    let (out, err, status) =
        common::run(&folder, &["answers", "--gold", "gold.jsonl", "--trace", "t.jsonl", "--format", "flat"]);
    assert_eq!(status, 1, "{err}");
    let flat: Value = serde_json::from_str(&out).expect("flat");
    assert_eq!((flat["missing"].as_u64(), flat["errored"].as_u64()), (Some(0), Some(17)));
}

/// Starts a run and waits until its file has so many lines.
fn started(folder: &Path, args: &[&str], lines: usize) -> Child {
    let mut child = common::karat(folder)
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("karat runs");
    let file = folder.join("t.jsonl");
    let end = Instant::now() + Duration::from_secs(120);
    while fs::read_to_string(&file).unwrap_or_default().lines().count() < lines {
        assert!(Instant::now() < end, "no traces come");
        assert!(child.try_wait().expect("a status").is_none(), "it ended too soon");
        std::thread::sleep(Duration::from_millis(5));
    }
    child
}

/// The traces without what the clock wrote.
fn timeless(file: &Path) -> BTreeMap<String, Value> {
    let mut all = traces(file);
    for trace in all.values_mut() {
        trace.as_object_mut().expect("an object").remove("e2e_ms");
    }
    all
}

#[test]
fn killed_and_resumed_is_as_never_killed() {
    let questions = many(60);
    let folder = folder("killed", &questions.iter().map(String::as_str).collect::<Vec<_>>());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = asked.clone();
    let url = serve(move |_, body, stream| {
        std::thread::sleep(Duration::from_millis(10));
        log.lock().expect("a log").push(body["qid"].as_str().expect("qid").to_owned());
        let answer = format!("{{\"answer_json\":{{\"claim\":{}}},\"retrieved_ids\":[]}}", body["q"]);
        say(stream, "200 OK", &answer)
    });
    let args = ["run", "--gold", "gold.jsonl", "--http", &url, "--out", "t.jsonl", "--concurrency", "3"];
    let mut child = started(&folder, &args, 20);
    child.kill().expect("kill -9");
    child.wait().expect("it is dead");
    // Let the server find out.
    std::thread::sleep(Duration::from_secs(1));
    let file = folder.join("t.jsonl");
    let before = fs::read_to_string(&file).expect("traces").lines().count();
    assert!((20..60).contains(&before), "{before}");
    // The kernel wrote whole lines; a crash of the machine may tear the last one.
    let torn = fs::read_to_string(&file).expect("traces");
    fs::write(&file, &torn[..torn.len() - 7]).expect("a torn file");
    asked.lock().expect("a log").clear();
    let (out, err, status) = common::run(&folder, &[&args[..], &["--resume"]].concat());
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.contains(&format!("the file held {} traces already", before - 1)), "{out}");
    assert_eq!(asked.lock().expect("a log").len(), 60 - (before - 1), "nothing is asked twice");
    let resumed = timeless(&file);
    fs::rename(&file, folder.join("resumed.jsonl")).expect("a new name");
    assert_eq!(common::run(&folder, &args).2, 0);
    assert_eq!(resumed, timeless(&file));
}

#[test]
fn ctrl_c_finishes_what_is_in_flight() {
    let questions = many(200);
    let folder = folder("ctrl-c", &questions.iter().map(String::as_str).collect::<Vec<_>>());
    let answered = Arc::new(AtomicUsize::new(0));
    let counted = answered.clone();
    let url = serve(move |_, _, stream| {
        std::thread::sleep(Duration::from_millis(50));
        let said = say(stream, "200 OK", GOOD);
        counted.fetch_add(1, Ordering::SeqCst);
        said
    });
    let args = ["run", "--gold", "gold.jsonl", "--http", &url, "--out", "t.jsonl", "--concurrency", "4"];
    let child = started(&folder, &args, 8);
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    assert!(kill.success());
    let (out, err, status) = common::text(child.wait_with_output().expect("karat ends"));
    assert_eq!(status, 130, "{out}{err}");
    assert!(
        err.contains("will finish; Ctrl-C again drops them") && out.contains("not asked: --resume goes on"),
        "{out}{err}"
    );
    let written = traces(&folder.join("t.jsonl")).len();
    assert!(written < 200);
    assert_eq!(written, answered.load(Ordering::SeqCst), "what was answered is written");
    let (out, err, status) = common::run(&folder, &[&args[..], &["--resume"]].concat());
    assert_eq!((status, traces(&folder.join("t.jsonl")).len()), (0, 200), "{out}{err}");
    assert_eq!(answered.load(Ordering::SeqCst), 200);
}

#[test]
fn a_second_ctrl_c_drops_what_hangs() {
    let folder = folder("ctrl-c-twice", &["good", "hang"]);
    let url = serve(|_, body, stream| {
        if body["qid"] == "hang" {
            std::thread::sleep(Duration::from_secs(600));
        }
        say(stream, "200 OK", GOOD)
    });
    let args = ["run", "--gold", "gold.jsonl", "--http", &url, "--out", "t.jsonl", "--timeout", "10m"];
    let mut child = started(&folder, &args, 1);
    for _ in 0..2 {
        let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        assert!(kill.success() && child.try_wait().expect("a status").is_none(), "one lets it finish");
        std::thread::sleep(Duration::from_millis(500));
    }
    let (_, err, status) = common::text(child.wait_with_output().expect("karat ends"));
    assert!(status == 130 && err.contains("stopped at once"), "{err}");
    assert_eq!(traces(&folder.join("t.jsonl")).len(), 1, "what was dropped has no trace");
}

#[test]
fn failed_requests_are_kept_unless_they_are_to_be_retried() {
    let folder = folder("retry-failed", &["one", "two"]);
    let broken = Arc::new(AtomicUsize::new(1));
    let flag = broken.clone();
    let url = serve(move |_, body, stream| match body["qid"].as_str() {
        Some("two") if flag.load(Ordering::SeqCst) == 1 => say(stream, "500 Oops", ""),
        _ => say(stream, "200 OK", GOOD),
    });
    let args = ["run", "--gold", "gold.jsonl", "--http", &url, "--out", "t.jsonl", "--retries", "0"];
    assert_eq!(common::run(&folder, &args).2, 1);
    broken.store(0, Ordering::SeqCst);
    let (out, _, status) = common::run(&folder, &[&args[..], &["--resume"]].concat());
    assert!(status == 1 && out.contains("1 of them failed: --retry-failed asks again"), "{out}");
    let (out, _, status) = common::run(&folder, &[&args[..], &["--resume", "--retry-failed"]].concat());
    assert!(status == 0 && out.contains("1 answered, 0 failed"), "{out}");
    assert!(out.contains("the file held 2 traces already\n  1 of them had failed: asked again"), "{out}");
    let lines = fs::read_to_string(folder.join("t.jsonl")).expect("traces");
    assert_eq!(lines.lines().count(), 3, "the failure stays, and the last trace counts: {lines}");
    assert_eq!(common::run(&folder, &["answers", "--gold", "gold.jsonl", "--trace", "t.jsonl"]).2, 0);
}

#[test]
fn a_stall_of_one_second_is_seen_by_everybody_who_waited() {
    let questions = many(20);
    let folder = folder("stall", &questions.iter().map(String::as_str).collect::<Vec<_>>());
    let (turn, asked) = (Mutex::new(()), AtomicUsize::new(0));
    let url = serve(move |_, _, stream| {
        // One at a time, and the hundredth takes a second: all that come meanwhile wait.
        let _turn = turn.lock().expect("a turn");
        if asked.fetch_add(1, Ordering::SeqCst) % 300 == 100 {
            std::thread::sleep(Duration::from_secs(1));
        }
        say(stream, "200 OK", GOOD)
    });
    // Whether requests wait at the pipeline or for a free connection, they wait.
    for concurrency in ["64", "1"] {
        let file = format!("t{concurrency}.jsonl");
        let (out, err, status) = common::run(
            &folder,
            &[
                "run",
                "--gold",
                "gold.jsonl",
                "--http",
                &url,
                "--out",
                &file,
                "--rps",
                "100",
                "--duration",
                "3s",
                "--concurrency",
                concurrency,
            ],
        );
        assert_eq!(status, 0, "{out}{err}");
        let mut waits: Vec<f64> = fs::read_to_string(folder.join(&file))
            .expect("traces")
            .lines()
            .map(|line| {
                serde_json::from_str::<Value>(line).expect("a trace")["e2e_ms"].as_f64().expect("a time")
            })
            .collect();
        waits.sort_by(f64::total_cmp);
        assert_eq!(waits.len(), 300);
        assert!(waits[296] >= 900.0, "p99 {}", waits[296]);
        assert!(waits.iter().filter(|ms| **ms >= 500.0).count() >= 50, "half of the stall's second");
    }
}
