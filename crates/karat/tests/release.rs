//! `karat release`: nothing secret is printed, nothing passes by being empty, every variant has its reason, and the
//! output is the same for any number of threads and any packing.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};

/// A folder of its own with these files in it, each of these rows.
fn folder(name: &str, files: &[(&str, &[Value])]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("release").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (file, rows) in files {
        let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
        fs::write(folder.join(file), text).expect("a file");
    }
    folder
}

fn chunk(id: &str, text: &str) -> Value {
    json!({"chunk_id": id, "document_id": "d", "parent_id": "p", "version": "v1", "permitted": true, "current": true, "text": text})
}

fn gold() -> Value {
    json!({"case_id": "c", "question": "Why?", "required_source_ids": ["a"], "required_points": ["p"], "points": {"p": ["open ground"]}})
}

fn row(name: &str) -> Value {
    json!({
        "name": name, "case_id": "c",
        "trace": {
            "case_id": "c", "first_stage_ids": ["a", "b"], "rerank_input_ids": ["a", "b"], "reranked_ids": ["a", "b"],
            "selected_context_ids": ["a"], "selected_versions": ["v1"],
            "versions": {"retriever": "1", "index": "1", "sparse": "1", "dense": "1", "fusion": "1", "reranker": "1"},
            "principal": {"user": "u", "groups": ["g"]}, "ts": 1000
        },
        "answer": {"claims": [{"claim_id": "one", "text": "On open ground.", "citation_id": "a", "answer_point": "p"}]}
    })
}

const CALL: [&str; 7] =
    ["release", "--evidence", "evidence.jsonl", "--gold", "gold.jsonl", "--trace", "cases.jsonl"];

fn report(folder: &Path, more: &[&str]) -> (Value, i32) {
    let (out, err, status) = common::run(folder, &[&CALL[..], more, &["--format", "json", "-q"]].concat());
    (serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}")), status)
}

#[test]
fn no_format_prints_what_a_principal_may_not_see() {
    // Words of chunks that may not be seen, and of the claims of cases that touched them.
    const SECRETS: [&str; 6] = ["marigold", "tamarisk", "oleander", "hawthorn", "juniper", "larkspur"];
    let [for_nobody, for_others, out_of_list, claimed, unknown, torn] = SECRETS;
    let mut closed = chunk("closed", &format!("The {for_nobody} clause."));
    closed["permitted"] = json!(false);
    let mut others = chunk("others", &format!("The {for_others} clause."));
    others["acl"] = json!(["user:somebody-else", "group:others"]);
    let mut nobody = chunk("nobody", &format!("The {out_of_list} clause."));
    nobody["acl"] = json!([]);
    let evidence = [chunk("a", "On open ground."), chunk("b", "Elsewhere."), closed, others, nobody];

    let mut cases = vec![row("fine")];
    for (id, secret) in
        [("closed", claimed), ("others", claimed), ("nobody", claimed), ("not-in-store", unknown)]
    {
        let mut case = row(&format!("touched {id}"));
        for stage in ["first_stage_ids", "rerank_input_ids", "reranked_ids"] {
            case["trace"][stage] = json!(["a", "b", id]);
        }
        case["answer"]["claims"][0]["text"] = json!(format!("Under the {secret} clause."));
        case["answer"]["claims"][0]["support_phrases"] = json!([format!("{secret} clause")]);
        cases.push(case.clone());
        case["should_release"] = json!(true);
        case["answer"]["claims"][0]["answer_point"] = json!("another");
        cases.push(case);
    }
    let folder = folder(
        "secrets",
        &[("evidence.jsonl", &evidence), ("gold.jsonl", &[gold()]), ("cases.jsonl", &cases)],
    );
    let check = |args: &[&str], what: &str| {
        let (out, err, _) = common::run(&folder, args);
        for secret in SECRETS {
            assert!(!format!("{out}{err}").contains(secret), "{secret} is in {what}: {out}{err}");
        }
        format!("{out}{err}")
    };
    for format in ["text", "json", "flat", "md", "csv"] {
        let said = check(&[&CALL[..], &["--format", format]].concat(), format);
        assert!(format == "flat" || said.contains("touched closed"), "the case itself is told: {said}");
    }
    for case in ["touched closed", "touched others", "touched nobody", "touched not-in-store"] {
        check(&[&["explain", case][..], &CALL[1..]].concat(), "explain");
    }
    // With --show-text claims are shown: the test would see a secret.
    let (out, _, _) = common::run(&folder, &[&CALL[..], &["--show-text", "--format", "md"]].concat());
    assert!(out.contains(claimed) || out.contains(unknown), "{out}");

    // Errors show where and what kind, not what it says.
    for line in [
        format!("{{\"chunk_id\":\"x\",\"text\":\"the {torn} clause\",\"permitted\":\"yes {torn}\"}}"),
        format!("{{\"chunk_id\":\"x\",\"text\":\"the {torn}"),
        format!("the {torn} clause"),
        format!("[\"{torn}\"]"),
        format!("{{\"text\":\"{torn}\",\"acl\":[\"{torn}\"],\"valid_from\":\"{torn}\"}}"),
    ] {
        fs::write(folder.join("broken.jsonl"), format!("{line}\n")).expect("a file");
        for args in [
            ["release", "--evidence", "broken.jsonl", "--gold", "gold.jsonl", "--trace", "cases.jsonl"],
            ["release", "--evidence", "evidence.jsonl", "--gold", "gold.jsonl", "--trace", "broken.jsonl"],
        ] {
            let said = check(&args, "an error");
            assert!(said.contains("broken.jsonl:1:"), "{said}");
        }
    }
    let mut latin = format!("{{\"text\":\"{torn} ").into_bytes();
    latin.extend([0xff, b'"', b'}', b'\n']);
    fs::write(folder.join("broken.jsonl"), latin).expect("a file");
    check(
        &["release", "--evidence", "broken.jsonl", "--gold", "gold.jsonl", "--trace", "cases.jsonl"],
        "not UTF-8",
    );
}

#[test]
fn nothing_passes_by_being_empty() {
    let evidence = [chunk("a", "On open ground."), chunk("b", "Elsewhere.")];
    type Edit = (&'static str, fn(&mut Value));
    let edits: [Edit; 9] = [
        ("no claims", |case| case["answer"]["claims"] = json!([])),
        ("no answer", |case| case["answer"] = json!(null)),
        ("claims that are no list", |case| case["answer"]["claims"] = json!({"claim_id": "one"})),
        ("no phrases", |case| case["answer"]["claims"][0]["answer_point"] = json!("unheard of")),
        ("its own phrases", |case| {
            case["answer"]["claims"][0]["answer_point"] = json!("unheard of");
            case["answer"]["claims"][0]["support_phrases"] = json!(["open ground"]);
        }),
        ("empty context", |case| {
            case["trace"]["selected_context_ids"] = json!([]);
            case["trace"]["selected_versions"] = json!([]);
        }),
        ("empty path", |case| case["trace"] = json!({"case_id": "c"})),
        ("no versions", |case| case["trace"]["versions"] = json!({})),
        ("no trace", |case| case["trace"] = json!(null)),
    ];
    for (name, edit) in edits {
        let mut case = row(name);
        edit(&mut case);
        let files: [(&str, &[Value]); 3] =
            [("evidence.jsonl", &evidence), ("gold.jsonl", &[gold()]), ("cases.jsonl", &[case])];
        let (report, status) = report(&folder("empty", &files), &[]);
        assert_eq!((report["cases"][0]["released"].as_bool(), status), (Some(false), 1), "{name}: {report}");
    }
    let files: [(&str, &[Value]); 3] =
        [("evidence.jsonl", &evidence), ("gold.jsonl", &[gold()]), ("cases.jsonl", &[])];
    let (report, status) = report(&folder("none", &files), &[]);
    assert_eq!((report["counts"]["missing"].as_u64(), status), (Some(1), 1), "no row at all: {report}");
    let mut control = row("a known-bad control alone");
    control["should_release"] = json!(false);
    control["answer"] = json!(null);
    let files: [(&str, &[Value]); 3] =
        [("evidence.jsonl", &evidence), ("gold.jsonl", &[gold()]), ("cases.jsonl", &[control])];
    let (report, status) = self::report(&folder("control", &files), &[]);
    assert_eq!(
        (&report["pass"], status),
        (&json!(false), 1),
        "nothing that should be released was: {report}"
    );
}

/// What a reviewer tried: each must be refused (exit 2) with this slug, or blocked (exit 1).
#[test]
fn nobody_is_misled() {
    let evidence = [chunk("a", "On open ground."), chunk("b", "Elsewhere.")].map(|chunk| chunk.to_string());
    let (gold, case) = (gold().to_string(), row("one").to_string());
    let write = |evidence: &str, gold: &str, case: &str| {
        let folder = folder("misled", &[]);
        for (name, text) in [("evidence.jsonl", evidence), ("gold.jsonl", gold), ("cases.jsonl", case)] {
            fs::write(folder.join(name), format!("{text}\n")).expect("a file");
        }
        folder
    };
    let check = |what: &str, evidence: &str, gold: &str, case: &str, expected: &str| {
        let (out, err, status) = common::run(&write(evidence, gold, case), &CALL);
        let said = format!("{out}{err}");
        assert_eq!(status, if expected.contains('/') { 2 } else { 1 }, "{what}: {said}");
        assert!(said.contains(expected), "{what}: {said}");
    };
    let store = evidence.join("\n");
    let (_, _, fine) = common::run(&write(&store, &gold, &case), &[&CALL[..], &["-q"]].concat());
    assert_eq!(fine, 0, "untouched, it ships");

    let edit = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in {text}");
        text.replacen(from, to, 1)
    };
    let twice = "input/repeated-field";
    for (what, from, to) in [
        ("a stage twice", "\"first_stage_ids\"", "\"first_stage_ids\":[\"x\"],\"first_stage_ids\""),
        ("inside and outside", "{\"name\"", "{\"first_stage_ids\":[\"a\",\"b\"],\"name\""),
        ("two principals", "\"principal\"", "\"principal\":{\"user\":\"x\"},\"principal\""),
        ("two users", "\"user\"", "\"user\":\"x\",\"user\""),
        ("two answers", "\"answer\"", "\"answer\":null,\"answer\""),
        ("two labels", "{\"name\"", "{\"should_release\":false,\"should_release\":true,\"name\""),
        ("two versions", "\"versions\"", "\"versions\":{},\"versions\""),
    ] {
        check(what, &store, &gold, &edit(&case, from, to), twice);
    }
    for (what, from, to, expected) in [
        ("permitted twice", "\"permitted\"", "\"permitted\":false,\"permitted\"", twice),
        ("an acl lost", "\"permitted\"", "\"acl\":[\"group:hr\"],\"acl\":null,\"permitted\"", twice),
        ("a misspelt acl", "\"permitted\"", "\"ACLs\":[\"group:hr\"],\"permitted\"", "did you mean `acl`"),
        (
            "a misspelt window",
            "\"permitted\"",
            "\"valid_untill\":1,\"permitted\"",
            "did you mean `valid_until`",
        ),
        (
            "milliseconds",
            "\"permitted\"",
            "\"valid_until\":1700000000000,\"permitted\"",
            "evidence/unknown-value",
        ),
        (
            "an endless number",
            "\"permitted\"",
            "\"valid_from\":1e-9223372036854775808,\"permitted\"",
            "evidence/unknown-value",
        ),
        ("a blank version", "\"v1\"", "\" \"", "evidence/missing-field"),
        (
            "a name with spaces",
            "\"permitted\"",
            "\"acl\":[\"user: u\"],\"permitted\"",
            "evidence/unknown-value",
        ),
        (
            "half a character",
            "\"permitted\"",
            "\"acl\":[\"user:\\ud800\"],\"permitted\"",
            "evidence/unknown-value",
        ),
    ] {
        let expected = if expected.starts_with("did") { "evidence/unknown-value" } else { expected };
        check(what, &edit(&store, from, to), &gold, &case, expected);
    }
    for (what, from, to, expected) in [
        (
            "points twice",
            "\"required_points\"",
            "\"required_points\":[\"p\",\"q\"],\"required_points\"",
            twice,
        ),
        ("a point twice", "{\"p\":", "{\"p\":[\"never\"],\"p\":", twice),
        ("a blank source", "[\"a\"]", "[\"a\",\"\"]", "gold/empty-list"),
    ] {
        check(what, &store, &edit(&gold, from, to), &case, expected);
    }
    for (what, from, to, expected) in [
        ("a time without end", "1000", "1e-9223372036854775808", "trace/unknown-value"),
        ("versions that say nothing", "\"index\":\"1\"", "\"index\":false", "missing_version_key"),
        ("an invisible version", "\"index\":\"1\"", "\"index\":\"\u{200b}\"", "missing_version_key"),
    ] {
        check(what, &store, &gold, &edit(&case, from, to), expected);
    }
    let again = write(&store, &gold, &case);
    let (_, err, status) = common::run(&again, &[&CALL[..], &["./cases.jsonl"]].concat());
    assert!(status == 2 && err.contains("named twice"), "{err}");
}

#[test]
fn words_of_what_is_cited_or_swapped_in_are_not_shown() {
    let mut closed = chunk("closed", "Nothing.");
    closed["acl"] = json!(["group:others"]);
    let evidence = [chunk("a", "On open ground."), chunk("b", "Elsewhere."), closed];
    let mut cites = row("cites");
    cites["answer"]["claims"][0]["citation_id"] = json!("closed");
    cites["answer"]["claims"][0]["text"] = json!("Behind the wisteria.");
    let files: [(&str, &[Value]); 3] =
        [("evidence.jsonl", &evidence), ("gold.jsonl", &[gold()]), ("cases.jsonl", &[cites])];
    let folder = folder("cites", &files);
    for args in [&CALL[..], &[&["explain", "cites"][..], &CALL[1..]].concat()] {
        let (out, err, _) = common::run(&folder, args);
        assert!(!format!("{out}{err}").contains("wisteria"), "{out}{err}");
    }
    let (out, _, _) = common::run(&folder, &CALL);
    assert!(out.contains("it cites closed, which its principal may not see"), "{out}");
}

#[test]
fn memory_and_time_follow_the_input_not_its_square() {
    let ids: Vec<String> = (0..10_000).map(|i| format!("k{i}")).collect();
    let mut case = row("wide");
    for stage in ["first_stage_ids", "rerank_input_ids", "reranked_ids", "selected_context_ids"] {
        case["trace"][stage] = json!(ids);
    }
    case["trace"]["selected_versions"] = json!(vec!["v1"; ids.len()]);
    case["should_release"] = json!(false);
    let claim = |i: usize| json!({"claim_id": i, "citation_id": "a", "answer_point": "own", "support_phrases": [format!("phrase {i}")]});
    case["answer"]["claims"] = (0..10_000).map(claim).collect();
    let evidence: Vec<Value> = ids.iter().map(|id| chunk(id, "Nothing.")).collect();
    let files: [(&str, &[Value]); 3] =
        [("evidence.jsonl", &evidence), ("gold.jsonl", &[gold()]), ("cases.jsonl", &[case])];
    let (report, status) = report(&folder("wide", &files), &["--cases", "none"]);
    assert_eq!((report["counts"]["blocked"].as_u64(), status), (Some(1), 1));
}

#[test]
fn the_published_variants_have_their_reasons() {
    let sample = common::root().join("tests/conformance/release");
    let (report, _) = report(&sample, &[]);
    let reason = |name: &str| {
        let case = report["cases"].as_array().expect("cases").iter().find(|case| case["id"] == name);
        let first = &case.unwrap_or_else(|| panic!("{name}"))["reasons"][0];
        format!("{} {}", first["reason"].as_str().unwrap_or("-"), first["at"].as_str().unwrap_or("-"))
    };
    for (name, expected) in [
        ("supported answer", "- -"),
        ("restricted", "not_permitted restricted-breakglass-note"),
        ("blocked candidate", "not_permitted restricted-breakglass-note"),
        ("unknown candidate", "unknown_id missing"),
        ("stale version", "version_mismatch deploy-freeze-approval-rule"),
        ("missing version", "missing_version_key reranker"),
        ("wrong case", "case_mismatch payment-freeze-deploy-002"),
        ("duplicate candidate", "duplicate_id deploy-freeze-approval-rule"),
    ] {
        assert_eq!(reason(name), expected, "{name}");
    }
}

#[test]
fn threads_packing_and_streams_change_nothing() {
    // Several blocks of each file, so that threads really share the work.
    let evidence: Vec<Value> = (0..6000)
        .map(|i| {
            let mut chunk = chunk(&format!("k{i}"), &format!("On open ground {i}. {}", "filler ".repeat(60)));
            chunk["permitted"] = json!(i % 97 != 0);
            chunk
        })
        .collect();
    let gold: Vec<Value> = (0..60)
        .map(|i| {
            let mut gold = gold();
            gold["case_id"] = json!(format!("c{i}"));
            gold["workflow"] = json!(format!("w{}", i % 4));
            gold["required_source_ids"] = json!([format!("k{i}")]);
            gold["points"] = json!({"p": [format!("open ground {i}")]});
            gold
        })
        .collect();
    let cases: Vec<Value> = (0..4000)
        .map(|i| {
            let mut case = row(&format!("r{i}"));
            let (mine, other) = (format!("k{}", i % 60), format!("k{}", i % 6000));
            case["case_id"] = json!(format!("c{}", i % 60));
            case["trace"]["case_id"] = case["case_id"].clone();
            for stage in ["first_stage_ids", "rerank_input_ids", "reranked_ids"] {
                case["trace"][stage] = json!([mine, other]);
            }
            case["trace"]["selected_context_ids"] = json!([mine]);
            case["answer"]["claims"][0]["citation_id"] = json!(mine);
            case
        })
        .collect();
    let folder =
        folder("many", &[("evidence.jsonl", &evidence), ("gold.jsonl", &gold), ("cases.jsonl", &cases)]);
    let once = |threads: &str| {
        common::run(&folder, &[&CALL[..], &["--format", "json", "--threads", threads]].concat())
    };
    let (one, _, status) = once("1");
    assert_eq!(status, 1);
    for threads in ["2", "7"] {
        assert!(once(threads).0 == one, "{threads} threads give another report");
    }
    let text = |args: &[&str]| common::run(&folder, args).0;
    let plain = text(&CALL);
    let mut piped = common::karat(&folder);
    piped.args([&CALL[..6], &["-"]].concat()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.spawn().expect("karat runs");
    let bytes = fs::read(folder.join("cases.jsonl")).expect("cases");
    child.stdin.take().expect("a pipe").write_all(&bytes).expect("it reads");
    let (out, _, _) = common::text(child.wait_with_output().expect("it ends"));
    assert_eq!(out.replace("<stdin>", "cases.jsonl"), plain);
}
