//! What a run says of itself: where it broke off, what was asked again, what of --map led nowhere, what cannot be resumed.

use std::fs;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

use crate::server::{say, serve};
use crate::{GOOD, common, folder, many, timeless, traces};

#[test]
fn a_file_that_takes_no_more_loses_nothing_that_it_took() {
    let questions = many(60);
    let folder = folder("full", &questions.iter().map(String::as_str).collect::<Vec<_>>());
    let url = serve(|_, body, stream| {
        let claim = body["q"].as_str().unwrap_or_default().repeat(9);
        say(stream, "200 OK", &format!("{{\"answer_json\":{{\"claim\":\"{claim}\"}},\"retrieved_ids\":[]}}"))
    });
    // A limit on the size of files is a disk that is full after so many blocks.
    let run = |limit: &str, more: &str| {
        let karat = env!("CARGO_BIN_EXE_karat");
        let line = format!("{limit}exec {karat} run --gold gold.jsonl --http {url} --out t.jsonl{more}");
        common::text(Command::new("sh").args(["-c", &line]).current_dir(&folder).output().expect("sh runs"))
    };
    let (out, err, status) = run("ulimit -f 4; ", "");
    assert_eq!(status, 2, "{out}{err}");
    let written = traces(&folder.join("t.jsonl")).len();
    assert!(written > 0 && written < 60, "{written}");
    assert!(err.contains("error[run/broken-off]: a trace could not be written: File too large"), "{err}");
    assert!(
        err.contains(&format!("{written} traces of this run stood before it, and stay\n--> t.jsonl")),
        "{err}"
    );
    assert!(err.contains("the same command with --resume") && err.contains("the run broke off"), "{err}");
    let (out, err, status) = run("", " --resume");
    assert_eq!((status, traces(&folder.join("t.jsonl")).len()), (0, 60), "{out}{err}");
    let (out, _, status) = run("", " --resume");
    assert_eq!(
        (status, &*out),
        (0, "nothing was left to ask\n  the file held 60 traces already\n  traces in t.jsonl\n")
    );
}

#[test]
fn a_file_of_another_plan_is_not_gone_on_with() {
    let folder = folder("other-plan", &["one", "two"]);
    let url = serve(|_, _, stream| say(stream, "200 OK", GOOD));
    let args = ["run", "--gold", "gold.jsonl", "--http", &url, "--out", "t.jsonl"];
    assert_eq!(common::run(&folder, &args).2, 0);
    let before = fs::read(folder.join("t.jsonl")).expect("traces");
    let (_, err, status) = common::run(&folder, &[&args[..], &["--resume", "--seeds", "5"]].concat());
    assert!(
        status == 2 && err.contains("none of the 2 requests that this file holds is of this plan"),
        "{err}"
    );
    assert_eq!(fs::read(folder.join("t.jsonl")).expect("traces"), before);
    // More of the same is no other plan; what it no longer asks is told.
    let (out, err, status) = common::run(&folder, &[&args[..], &["--resume", "--seeds", "0,5"]].concat());
    assert!(status == 0 && out.contains("2 answered, 0 failed") && !out.contains("also holds"), "{out}{err}");
    let (out, _, status) = common::run(&folder, &[&args[..], &["--resume", "--seeds", "5"]].concat());
    assert!(status == 0 && out.contains("the file also holds 2 traces that this plan does not ask"), "{out}");
    // A line that was torn in the middle of the file is shown, and nothing is touched.
    let text = String::from_utf8(before).expect("text");
    let torn = text.replacen("\"jitter\":\"none\"", "\"jit\n", 1);
    fs::write(folder.join("t.jsonl"), &torn).expect("a file");
    let (_, err, status) = common::run(&folder, &[&args[..], &["--resume"]].concat());
    assert!(status == 2 && err.contains("t.jsonl:1:") && err.contains("has to be removed by hand"), "{err}");
    assert_eq!(fs::read_to_string(folder.join("t.jsonl")).expect("traces"), torn);
}

#[test]
fn a_pointer_that_leads_nowhere_is_told_with_what_there_is() {
    let folder = folder("astray", &["one", "two"]);
    let reply = r#"{"result":{"text":"alpha","hits":[{"id":"p1"}]},"took":3}"#;
    let url = serve(move |_, _, stream| say(stream, "200 OK", reply));
    let args = ["run", "--gold", "gold.jsonl", "--http", &url, "--out"];
    let map =
        ["t.jsonl", "--map", "answer_json.claim=/result/text", "--map", "retrieved_ids=/result/hitz/*/id"];
    let (out, err, status) = common::run(&folder, &[&args[..], &map].concat());
    assert_eq!(status, 0, "{out}{err}");
    assert!(
        out.contains("  --map retrieved_ids=/result/hitz/*/id led to nothing in any reply\n  the last reply had /took, /result/text, /result/hits/*/id\n"),
        "{out}"
    );
    let (_, _, status) = common::run(&folder, &[&args[..], &["u.jsonl", "--map", "answer=/text"]].concat());
    assert_eq!(status, 1);
    for trace in traces(&folder.join("u.jsonl")).values() {
        assert_eq!(
            trace["reason"],
            "bad reply: no pointer of --map leads to anything; the reply has /took, /result/text, /result/hits/*/id"
        );
    }
}

#[test]
fn a_date_to_come_again_is_heeded() {
    let folder = folder("retry-after", &["one", "two"]);
    let asked = AtomicUsize::new(0);
    let url = serve(move |_, body, stream| {
        if body["qid"] == "two" {
            let never = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(3600));
            return say(stream, &format!("503 Busy\r\nretry-after: {never}"), "in an hour");
        }
        if asked.fetch_add(1, Ordering::SeqCst) == 0 {
            let soon = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(3));
            return say(stream, &format!("429 Slow down\r\nretry-after: {soon}"), "later");
        }
        say(stream, "200 OK", GOOD)
    });
    let args = ["run", "--gold", "gold.jsonl", "--http", &url, "--out", "t.jsonl", "--timeout", "10s"];
    let (out, err, status) = common::run(&folder, &args);
    assert_eq!(status, 1, "{out}{err}");
    let traces = traces(&folder.join("t.jsonl"));
    let waited = traces["one"]["e2e_ms"].as_f64().expect("a time");
    assert!(traces["one"]["attempts"] == 2 && waited >= 1900.0, "{traces:?}");
    // Longer than an attempt may take is not waited for.
    assert!(traces["two"].get("attempts").is_none() && traces["two"]["ok"] == false, "{traces:?}");
}

#[test]
fn killed_at_any_moment_again_and_again_it_comes_to_the_same() {
    let questions = many(40);
    let folder = folder("killed-often", &questions.iter().map(String::as_str).collect::<Vec<_>>());
    let url = serve(|_, body, stream| {
        std::thread::sleep(Duration::from_millis(20));
        let answer = format!("{{\"answer_json\":{{\"claim\":{}}},\"retrieved_ids\":[]}}", body["q"]);
        say(stream, "200 OK", &answer)
    });
    let args = ["run", "--gold", "gold.jsonl", "--http", &url, "--concurrency", "4", "--seeds", "7", "--out"];
    let mut kills = 0;
    for pause in [3, 120, 30, 75, 9, 55, 90, 41, 13, 140] {
        let mut karat = common::karat(&folder);
        karat.stdout(Stdio::null());
        let mut child =
            karat.args(args).args(["t.jsonl", "--resume", "--quiet"]).spawn().expect("karat runs");
        std::thread::sleep(Duration::from_millis(pause));
        kills += usize::from(child.try_wait().expect("a status").is_none());
        child.kill().expect("kill -9");
        child.wait().expect("it is dead");
    }
    assert!(kills > 2, "it was killed in the middle {kills} times");
    let (out, err, status) = common::run(&folder, &[&args[..], &["t.jsonl", "--resume"]].concat());
    assert_eq!(status, 0, "{out}{err}");
    assert_eq!(common::run(&folder, &[&args[..], &["whole.jsonl"]].concat()).2, 0);
    assert_eq!(timeless(&folder.join("t.jsonl")), timeless(&folder.join("whole.jsonl")));
}
