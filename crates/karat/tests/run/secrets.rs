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
