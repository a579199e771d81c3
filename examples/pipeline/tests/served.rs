//! Is the example a good citizen: the same answers over HTTP and as a process, bad requests told, a clean end?
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use common::{PIPELINE, Server, folder, rows};
use serde_json::{Value, json};

/// The replies of `lines` to these requests.
fn lines(requests: &[Value]) -> Vec<Value> {
    let mut process =
        Command::new(PIPELINE).arg("lines").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let mut pipe = process.stdin.take().unwrap();
    let writer = std::thread::spawn(move || pipe.write_all(input.as_bytes()));
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    assert!(output.status.success(), "the end of the input ends it");
    String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A reply without what depends on the day.
fn timeless(mut reply: Value) -> Value {
    let stages = reply.as_object_mut().unwrap().remove("stage_ms").expect("every reply has its times");
    let names: Vec<&String> = stages.as_object().unwrap().keys().collect();
    assert_eq!(names, ["retrieval", "rerank", "llm", "guard"]);
    reply
}

#[test]
fn http_and_lines_say_the_same_whenever_they_are_asked() {
    let knobs = [json!({}), json!({"k": 2, "rerank": 0, "intersect": true, "temperature": 0.5})];
    let requests: Vec<Value> = rows(&folder().join("gold.jsonl"))
        .iter()
        .zip(knobs.iter().cycle())
        .enumerate()
        .map(|(n, (row, knobs))| {
            json!({"qid": row["qid"], "q": row["question"], "seed": n, "jitter": "none", "knobs": knobs})
        })
        .collect();
    let first = lines(&requests);
    let again = lines(&requests);
    let server = Server::start();
    for ((request, first), again) in requests.iter().zip(first).zip(again) {
        let (status, served) = server.post("/ask", &request.to_string());
        assert_eq!(status, 200);
        assert_eq!(served["qid"], request["qid"]);
        let first = timeless(first);
        assert_eq!(first, timeless(again), "{request}");
        assert_eq!(first, timeless(served), "{request}");
    }
}

#[test]
fn chance_follows_the_seed() {
    let ask = |seed: u32, temperature: f64| {
        let knobs = json!({ "temperature": temperature });
        let q = "What happens to a tool that comes back late or damaged?";
        timeless(lines(&[json!({"q": q, "seed": seed, "knobs": knobs})]).remove(0))
    };
    assert!((1..9).any(|seed| ask(seed, 1.0) != ask(0, 1.0)), "a seed changes something");
    assert_eq!(ask(3, 0.0), ask(0, 0.0), "without temperature it changes nothing");
}

#[test]
fn bad_requests_are_told_what_is_wrong() {
    let server = Server::start();
    let check = |path: &str, body: &str, status: u16, reason: &str| {
        let (got, reply) = server.post(path, body);
        assert_eq!(got, status, "{reply}");
        assert_eq!(reply["ok"], false);
        let said = reply["reason"].as_str().unwrap();
        assert!(said.starts_with(reason), "{said}");
    };
    check("/ask", "{\"q\": ", 400, "the request is no JSON: EOF while parsing a value at line 1 column 6");
    check("/ask", "", 400, "the request is no JSON");
    check("/ask", "\u{0}", 400, "the request is no JSON");
    check("/ask", "[1]", 400, "the request must be an object, not a list");
    check("/ask", r#"{"question":"x"}"#, 400, "q, the question, is missing");
    check(
        "/ask",
        r#"{"q":"x","knobs":{"rank":3}}"#,
        400,
        "there is no knob \"rank\"; did you mean \"rerank\"?",
    );
    check("/ask", &"[".repeat(50_000), 400, "the request is no JSON: recursion limit");
    check("/ask", &" ".repeat(70_000), 413, "the request is longer than 65536 bytes");
    check("/", "{}", 404, "there is only POST /ask");
    let (status, reply) = server.send(b"GET /ask HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert_eq!((status, &reply["reason"]), (404, &json!("there is only POST /ask")));
    let (status, _) = server.post("/ask", r#"{"q":"still there?"}"#);
    assert_eq!(status, 200);
}

#[cfg(unix)]
#[test]
fn a_polite_kill_ends_it_cleanly() {
    for signal in ["-TERM", "-INT"] {
        let mut server = Server::start();
        let sent = Command::new("kill").args([signal, &server.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let status = server.process.wait().unwrap();
        assert!(status.success(), "{signal}: {status}");
    }
}

#[test]
fn a_port_in_use_is_named() {
    let server = Server::start();
    let port = server.address.rsplit(':').next().unwrap();
    let output = Command::new(PIPELINE).args(["serve", "--port", port]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("cannot serve on 127.0.0.1:{port}")), "{said}");
}

#[test]
fn gold_speaks_of_what_the_handbook_says() {
    for row in rows(&folder().join("gold.jsonl")) {
        let texts = |name: &str| -> Vec<String> {
            row[name].as_array().into_iter().flatten().map(|v| v.as_str().unwrap().to_owned()).collect()
        };
        let (cited, wanted) = (texts("gold_citations"), texts("gold_claim_substr"));
        assert_eq!(row["answerable"], !cited.is_empty(), "{row}");
        let mut rules = Vec::new();
        for id in &cited {
            let (page, number) = id.split_once('#').unwrap();
            let page = std::fs::read_to_string(folder().join(format!("corpus/{page}.md"))).unwrap();
            let section = page.split("\n## ").nth(number.parse().unwrap()).unwrap();
            for text in &wanted {
                assert!(section.to_lowercase().contains(text), "{}: {text}", row["qid"]);
            }
            rules.extend(section.lines().filter_map(|line| line.strip_prefix("> Rule: ")).map(str::to_owned));
        }
        assert_eq!(texts("constraints"), rules, "{}: gold locks the rules of its section", row["qid"]);
    }
}
