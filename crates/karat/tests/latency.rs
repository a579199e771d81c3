//! `karat latency` on logs that are large, piped, shuffled or made up to break it.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::fmt::Write;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

const FILES: [&str; 5] = ["latency", "--gold", "gold.jsonl", "--trace", "trace.jsonl"];

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("latency").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let mut gold = String::new();
    for q in 0..40 {
        let _ = writeln!(
            gold,
            r#"{{"qid":"q{q}","question":"number {q}?","answerable":{},"gold_claim_substr":["right words"],"gold_citations":["p{q}"]}}"#,
            q % 8 != 0
        );
    }
    fs::write(folder.join("gold.jsonl"), gold).expect("gold");
    folder
}

/// Lines of some mebibytes: cases come again and change, knobs are spelt in two orders.
fn lines() -> Vec<String> {
    let line = |i: u64| {
        let (q, point) = (i * 7 % 40, i * 31 % 9);
        let knobs = if i.is_multiple_of(2) {
            format!(r#"{{"depth":{point},"model":"m"}}"#)
        } else {
            format!(r#"{{ "model": "m", "depth": {point} }}"#)
        };
        let claim = if i % 11 < point { "the right words" } else { "some other words" };
        let pad = "x".repeat(300);
        format!(
            r#"{{"qid":"q{q}","retrieved_ids":["p{q}","{pad}"],"answer_json":{{"claim":"{claim}","citations":["p{q}"]}},"stage_ms":{{"retrieval":{}.25,"llm":{}}},"knobs":{knobs},"load_rps":{}}}"#,
            i % 97,
            i * 13 % 1999,
            i % 2
        )
    };
    (0..9000).map(line).collect()
}

#[test]
fn any_number_of_threads_prints_the_same() {
    let folder = folder("threads");
    for name in ["trace.jsonl", "live.jsonl"] {
        fs::write(folder.join(name), lines().join("\n")).expect("traces");
    }
    let run = |threads: &str| {
        let more = ["--baseline", "live.jsonl", "--format", "json", "--threads", threads];
        common::run(&folder, &[&FILES[..], &more].concat())
    };
    let (one, err, exit) = run("1");
    assert!(exit == 1 && one.contains("\"points\": 18"), "{err}{}", &one[..one.len().min(3000)]);
    for threads in ["2", "3", "8"] {
        assert!(run(threads).0 == one, "{threads} threads print something else");
    }
}

#[test]
fn a_pipe_tells_what_a_file_tells() {
    let folder = folder("pipe");
    let text = lines()[..2000].join("\n");
    fs::write(folder.join("trace.jsonl"), &text).expect("traces");
    let (file, _, _) = common::run(&folder, &FILES);
    let mut piped = common::karat(&folder);
    piped.args(["latency", "--gold", "gold.jsonl", "--trace", "-"]);
    let mut child = piped
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("karat runs");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("karat reads");
    let (out, err, _) = common::text(child.wait_with_output().expect("karat ends"));
    assert_eq!(out, file, "{err}");
    assert!(out.contains("some other words"), "the words of the worst cases are kept: {out}");
}

/// Quantiles see the times as a set; the last trace of a case is a matter of order, so every case answers alike here.
#[test]
fn the_order_of_requests_does_not_move_a_quantile() {
    let folder = folder("order");
    let alike = |line: &String| line.replace("some other words", "the right words");
    let mut lines: Vec<String> = lines()[..3000].iter().map(alike).collect();
    fs::write(folder.join("trace.jsonl"), lines.join("\n")).expect("traces");
    let (forth, _, _) = common::run(&folder, &[&FILES[..], &["--format", "flat"]].concat());
    lines.reverse();
    fs::write(folder.join("trace.jsonl"), lines.join("\r\n")).expect("traces");
    let (back, _, _) = common::run(&folder, &[&FILES[..], &["--format", "flat"]].concat());
    assert!(forth == back && forth.contains("\"selected\""), "{forth}\n{back}");
}

#[track_caller]
fn check(name: &str, trace: &str, status: i32, said: &str) {
    let folder = folder(name);
    fs::write(folder.join("trace.jsonl"), trace).expect("traces");
    let (out, err, exit) = common::run(&folder, &FILES);
    assert_eq!(exit, status, "{out}{err}");
    assert!(format!("{out}{err}").contains(said), "{out}{err}");
}

#[test]
fn knobs_that_are_bombs() {
    let line = |knobs: &str| format!(r#"{{"qid":"q1","e2e_ms":5,"knobs":{knobs}}}"#);
    check(
        "deep",
        &line(&format!("{{\"a\":{}1{}}}", "[".repeat(1000), "]".repeat(1000))),
        1,
        "points 1 · samples 1",
    );
    check("deeper", &line(&format!("{{\"a\":{}", "[".repeat(100_000))), 2, "levels of nesting");
    check("long", &line(&format!("{{\"a\":\"{}\"}}", "x".repeat(1 << 20))), 2, "error[trace/knobs]");
    check("escape", &line(r#"{"a\u001b[31m":"\u0007"}"#), 1, "a␛[31m=␇");
}

#[test]
fn a_knob_that_differs_in_every_request_is_told_once_and_costs_no_memory() {
    let line = |i: u32| {
        format!("{{\"qid\":\"q1\",\"e2e_ms\":5,\"knobs\":{{\"id\":{i},\"pad\":\"{}\"}}}}\n", "x".repeat(90))
    };
    let trace: String = (0..60_000).map(line).collect();
    check("ids", &trace, 2, "more than 1,000 different knobs and loads");
}

#[test]
fn a_csv_of_quotes() {
    let folder = folder("csv");
    let run = |csv: &str, more: &[&str]| {
        fs::write(folder.join("times.csv"), csv).expect("times");
        common::run(
            &folder,
            &[&["latency", "--latency-csv", "times.csv", "--gates", "p95<=10"], more].concat(),
        )
    };
    let (_, err, exit) = run(&format!("e2e_ms,knobs\n5,\"{}", "\"\",".repeat(100_000)), &[]);
    assert!(exit == 2 && err.contains("opened here and not closed"), "{err}");
    let (out, err, exit) = run("e2e_ms,knobs\n5,\"{}\n7,\n", &["--lenient"]);
    assert!(exit == 0 && out.contains("malformed 1") && out.contains("samples 1"), "{out}{err}");
    let (_, err, exit) = run("a\0b\n\u{feff}\n", &[]);
    assert!(exit == 2 && err.contains("names no column of times"), "{err}");
    let (out, err, exit) = run("", &[]);
    assert!(exit == 1 && out.contains("no request carries a time"), "{out}{err}");
    // A header in another order holds for what follows it.
    let (out, err, exit) = run("e2e_ms,llm_ms\n1,1\nllm_ms,e2e_ms\n100,9\n", &["--format", "flat"]);
    assert!(exit == 0 && out.contains("\"p99\": 8.92"), "{out}{err}");
}

#[test]
fn reports_judged_by_other_refusals_are_not_compared() {
    let folder = folder("rules");
    fs::write(folder.join("trace.jsonl"), lines()[..100].join("\n")).expect("traces");
    let run = |more: &[&str]| common::run(&folder, &[&FILES[..], more].concat());
    run(&["--out", "usual.json"]);
    run(&["--out", "other.json", "--refusal", "no idea"]);
    let (out, err, exit) = common::run(&folder, &["compare", "usual.json", "usual.json"]);
    assert!(exit != 2, "{out}{err}");
    let (out, err, exit) = common::run(&folder, &["compare", "usual.json", "other.json"]);
    assert!(exit == 2 && err.contains("its setting `rules` is \"sha256:"), "{out}{err}");
}

/// Traces of ten requests a case, of which `line` says what each is.
fn rounds(line: impl Fn(u32, u32) -> String) -> String {
    let mut trace = String::new();
    for round in 0..10 {
        for q in 0..40 {
            let claim = if q % 8 == 0 { "not in context" } else { "the right words" };
            let answer = format!(
                r#""retrieved_ids":["p{q}"],"answer_json":{{"claim":"{claim}","citations":["p{q}"]}}"#
            );
            let _ = writeln!(trace, r#"{{"qid":"q{q}",{}}}"#, line(q, round).replace("ANSWER", &answer));
        }
    }
    trace
}

fn figures(folder: &Path, more: &[&str]) -> (serde_json::Value, i32) {
    let (out, err, exit) = common::run(folder, &[&FILES[..], &["--format", "flat"], more].concat());
    (serde_json::from_str(&out).unwrap_or_else(|_| panic!("{out}{err}")), exit)
}

#[test]
fn a_failure_that_a_later_round_mends_is_still_a_failure_and_no_quick_answer() {
    let folder = folder("failures");
    let failing = rounds(|_, round| match round {
        9 => r#"ANSWER,"e2e_ms":900"#.into(),
        _ => r#""ok":false,"reason":"http 500","e2e_ms":1"#.into(),
    });
    fs::write(folder.join("trace.jsonl"), failing).expect("traces");
    let (flat, exit) = figures(&folder, &[]);
    assert_eq!((exit, &flat["errored"], &flat["samples"]), (1, &360.into(), &40.into()), "{flat}");
    assert_eq!((&flat["p50"], &flat["untimed"]), (&900.0.into(), &0.into()), "{flat}");
    let (_, exit) = figures(&folder, &["--gates", "p95<=2000"]);
    assert_eq!(exit, 1, "whatever the gates are");
    let (_, exit) = figures(&folder, &["--gates", "p95<=2000,errored<=360"]);
    assert_eq!(exit, 0, "unless one names it");
    let (out, _, _) = common::run(&folder, &FILES);
    assert!(out.contains("360 requests failed: a failure's time is not among the samples"), "{out}");
}

#[test]
fn a_stage_gate_needs_the_stage_in_every_sample() {
    let folder = folder("stages");
    let some = rounds(|q, round| {
        let llm = if q == 0 && round == 0 { r#","stage_ms":{"llm":5}"# } else { "" };
        format!(r#"ANSWER,"e2e_ms":9000{llm}"#)
    });
    fs::write(folder.join("trace.jsonl"), some).expect("traces");
    let (out, err, exit) = common::run(&folder, &[&FILES[..], &["--gates", "llm_p95<=2000"]].concat());
    assert!(exit == 1 && out.contains("it was measured in 1 of 400 requests"), "{out}{err}");
    let all = rounds(|_, _| r#"ANSWER,"stage_ms":{"llm":5,"guard":1}"#.into());
    fs::write(folder.join("trace.jsonl"), all).expect("traces");
    assert_eq!(figures(&folder, &["--gates", "llm_p95<=2000"]).1, 0);
    // And from CSV.
    let rows = format!("e2e_ms,llm_ms\n{}9000,5\n", "9000,\n".repeat(100));
    fs::write(folder.join("times.csv"), rows).expect("times");
    let call = ["latency", "--latency-csv", "times.csv", "--gates", "llm_p95<=2000"];
    let (out, err, exit) = common::run(&folder, &call);
    assert!(exit == 1 && out.contains("it was measured in 1 of 101 requests"), "{out}{err}");
}

#[test]
fn a_stage_without_a_time_leaves_the_request_without_one() {
    let folder = folder("unmeasured");
    let trace = rounds(|q, _| match q {
        0 => r#"ANSWER,"stage_ms":{"llm":null,"retrieval":1}"#.into(),
        _ => r#"ANSWER,"stage_ms":{"llm":7,"retrieval":1,"other":-5}"#.into(),
    });
    fs::write(folder.join("trace.jsonl"), trace).expect("traces");
    let (flat, exit) = figures(&folder, &["--gates", "p95<=10"]);
    assert_eq!((exit, &flat["untimed"], &flat["p50"]), (1, &10.into(), &8.0.into()), "{flat}");
    fs::write(folder.join("times.csv"), "llm_ms,retrieval_ms\n7,1\n,1\n").expect("times");
    let call = ["latency", "--latency-csv", "times.csv", "--gates", "p95<=10"];
    let (out, err, exit) = common::run(&folder, &call);
    assert!(exit == 1 && out.contains("samples 1 · untimed 1"), "{out}{err}");
}

#[test]
fn quantiles_of_decimals_are_decimals() {
    let folder = folder("decimals");
    let run = |times: &[&str], gates: &str| {
        fs::write(folder.join("times.csv"), format!("e2e_ms\n{}\n", times.join("\n"))).expect("times");
        common::run(&folder, &["latency", "--latency-csv", "times.csv", "--format", "json", "--gates", gates])
    };
    let (out, err, exit) = run(&["100", "200", "300", "400", "1000"], "p95==880,p99==976");
    assert!(exit == 0 && out.contains("\"p95\": 880.0"), "{out}{err}");
    assert_eq!(run(&["0.1", "0.2", "0.4"], "p95==0.38,p90<0.37").2, 0);
    assert_eq!(run(&["0.1", "0.2", "0.4"], "p95<0.38").2, 1);
}

#[test]
fn a_lone_lucky_point_is_told() {
    let folder = folder("lucky");
    let rows = format!("e2e_ms,knobs\n{}1,\"{{\"\"k\"\":2}}\"\n", "9000,\n".repeat(100));
    fs::write(folder.join("times.csv"), rows).expect("times");
    let run = |csv: &str| common::run(&folder, &["latency", "--latency-csv", csv, "--gates", "p95<=2000"]);
    let (out, err, _) = run("times.csv");
    assert!(out.contains("selected over 1 sample, where another point has 100"), "{out}{err}");
    fs::write(folder.join("few.csv"), "e2e_ms\n1\n2\n3\n").expect("times");
    let (out, err, _) = run("few.csv");
    assert!(out.contains("p95 of 3 samples is little more than the slowest of them"), "{out}{err}");
}

#[test]
fn a_count_of_no_baseline_is_no_zero() {
    let folder = folder("empty");
    fs::write(folder.join("trace.jsonl"), rounds(|_, _| r#"ANSWER,"e2e_ms":9"#.into())).expect("traces");
    fs::write(folder.join("base.jsonl"), "").expect("a baseline");
    let more = ["--baseline", "base.jsonl", "--gates", "p95<=2000"];
    let (out, err, exit) = common::run(&folder, &[&FILES[..], &more].concat());
    let row = out.lines().find(|line| line.contains("baseline_missing")).unwrap_or_default();
    assert!(exit == 1 && row.split_whitespace().nth(2) == Some("–"), "{out}{err}");
}
