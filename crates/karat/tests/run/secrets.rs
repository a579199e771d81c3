//! A secret that the pipeline repeats, in whatever spelling, appears nowhere.

use std::fs;

use serde_json::Value;

use crate::server::{say, serve};
use crate::{common, folder, traces};

#[test]
fn secrets_appear_nowhere() {
    const SECRET: &str = "tOp-s3cr\"et/42";
    let folder = folder("secrets", &["echo", "500", "html", "moved", "escape"]);
    let url = serve(|head, body, stream| {
        let sent = head.lines().find_map(|line| line.strip_prefix("authorization: ")).unwrap_or("nothing");
        assert_eq!(sent, format!("Bearer {SECRET}"));
        let quoted = Value::from(sent).to_string();
        match body["qid"].as_str() {
            Some("echo") => say(
                stream,
                "200 OK",
                &format!("{{\"answer_json\":{{\"claim\":{quoted}}},\"retrieved_ids\":[{quoted}]}}"),
            ),
            Some("escape") => {
                let odd: String = sent.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
                say(stream, "200 OK", &format!("{{\"answer\":\"{odd}\",\"debug\":{{\"{odd}\":1}}}}"))
            }
            Some("500") => say(stream, "500 Oops", sent),
            Some("moved") => say(stream, &format!("302 Found\r\nlocation: /?t={sent}"), sent),
            _ => say(stream, "200 OK", &format!("<html>{sent}")),
        }
    });
    let mut karat = common::karat(&folder);
    karat.env("KARAT_TEST_TOKEN", SECRET).args([
        "run",
        "--gold",
        "gold.jsonl",
        "--http",
        &url,
        "--out",
        "t.jsonl",
        "--retries",
        "0",
        "--header",
        "Authorization=Bearer ${KARAT_TEST_TOKEN}",
    ]);
    let (out, err, status) = common::text(karat.output().expect("karat runs"));
    assert_eq!(status, 1, "{out}{err}");
    let text = fs::read_to_string(folder.join("t.jsonl")).expect("traces");
    let traces = traces(&folder.join("t.jsonl"));
    assert_eq!(traces["echo"]["answer_json"]["claim"], "Bearer [$KARAT_TEST_TOKEN]");
    assert_eq!(traces["escape"]["answer"], "Bearer [$KARAT_TEST_TOKEN]");
    assert!(out.contains("5 traces held a secret"), "{out}");
    let all = format!("{out}{err}{text}{traces:?}");
    for piece in ["s3cr", "et/42", "tOp"] {
        assert!(!all.contains(piece), "{piece}: {all}");
    }
    // A command gets its secrets from the environment; named, they are kept too.
    let mut karat = common::karat(&folder);
    karat.env("KARAT_TEST_TOKEN", SECRET).args([
        "run",
        "--gold",
        "gold.jsonl",
        "--out",
        "u.jsonl",
        "--retries",
        "0",
        "--secret",
        "KARAT_TEST_TOKEN",
        "--exec",
        "echo \"cannot log in with $KARAT_TEST_TOKEN\" >&2; exit 1",
    ]);
    let (out, err, status) = common::text(karat.output().expect("karat runs"));
    assert_eq!(status, 1, "{out}{err}");
    let text = fs::read_to_string(folder.join("u.jsonl")).expect("traces");
    assert!(text.contains("it last said: cannot log in with [$KARAT_TEST_TOKEN]"), "{text}");
    assert!(err.contains("pipeline: cannot log in with [$KARAT_TEST_TOKEN]"), "{err}");
    assert!(!format!("{out}{err}{text}").contains("s3cr"));
}

#[test]
fn a_secret_that_the_plan_holds_is_refused_and_the_plan_is_never_changed() {
    let folder = folder("secrets-plan", &["hunter2", "1234567"]);
    let url = serve(|_, _, stream| {
        say(stream, "200 OK", "{\"answer\":\"pass 7654321, hunter2\",\"stage_ms\":{\"llm\":1234}}")
    });
    fs::write(folder.join("knobs.json"), "{\"mode\":\"deep-blue\"}").expect("knobs");
    let run = |secret: &str, file: &str| {
        let mut karat = common::karat(&folder);
        karat.env("KARAT_TEST_TOKEN", secret).args([
            "run",
            "--gold",
            "gold.jsonl",
            "--http",
            &url,
            "--out",
            file,
        ]);
        karat.args([
            "--knobs",
            "knobs.json",
            "--header",
            "X-Token=$KARAT_TEST_TOKEN",
            "--seeds",
            "765432100",
        ]);
        common::text(karat.output().expect("karat runs"))
    };
    for (secret, place) in [
        ("hunter2", "the id of gold's question 1"),
        ("3456", "the id of gold's question 2"),
        ("unter2?", "gold's question 1"),
        ("deep-", "setting 1 of --knobs"),
        ("claim", "the names of a trace's fields"),
        ("seed", "the names of a trace's fields"),
    ] {
        let (out, err, status) = run(secret, "t.jsonl");
        assert_eq!(status, 2, "{out}{err}");
        let said = format!(
            "error[call/secret]: the value of `$KARAT_TEST_TOKEN` stands in {place}, which every trace repeats"
        );
        assert!(err.contains(&said), "{secret}: {err}");
        assert!(!folder.join("t.jsonl").exists());
    }
    // A number that also stands in what karat counts is replaced where the pipeline said it, and nowhere else.
    let (out, err, status) = run("7654321", "u.jsonl");
    assert_eq!(status, 0, "{out}{err}");
    for trace in traces(&folder.join("u.jsonl")).values() {
        assert_eq!(
            (&trace["seed"], &trace["answer"]),
            (&765432100.into(), &"pass [$KARAT_TEST_TOKEN], hunter2".into())
        );
    }
    let mut karat = common::karat(&folder);
    karat.env("KARAT_TEST_TOKEN", "7654321").args([
        "run",
        "--gold",
        "gold.jsonl",
        "--http",
        &url,
        "--out",
        "u.jsonl",
    ]);
    karat.args([
        "--knobs",
        "knobs.json",
        "--header",
        "X-Token=$KARAT_TEST_TOKEN",
        "--seeds",
        "765432100",
        "--resume",
    ]);
    let (out, err, status) = common::text(karat.output().expect("karat runs"));
    assert!(status == 0 && out.starts_with("nothing was left to ask"), "{out}{err}");
}
