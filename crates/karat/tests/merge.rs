//! Partials merge to the report of the undivided run, byte for byte, and parts of another whole are refused by name.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use karat_suites::partial::seal;

/// Puts a sample's gold set and its traces, dealt into three files, into a folder of its own.
fn deal(sample: &Path, name: &str, to: impl Fn(usize, &str) -> usize) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("merge").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let gold = ["gold.jsonl", "qaset.json"].map(|name| sample.join(name)).into_iter().find(|p| p.exists());
    fs::copy(gold.expect("gold"), folder.join("gold")).expect("gold");
    let traces = fs::read_to_string(sample.join("trace.jsonl")).expect("traces");
    let mut files = [String::new(), String::new(), String::new()];
    for (i, line) in traces.lines().enumerate() {
        files[to(i, line) % 3] += &format!("{line}\n");
    }
    for (i, text) in files.iter().enumerate() {
        fs::write(folder.join(format!("t{i}.jsonl")), text).expect("traces");
    }
    folder
}

#[track_caller]
fn check(folder: &Path, options: &[&str]) {
    for format in ["json", "text", "md", "csv", "flat", "html"] {
        let whole =
            ["answers", "--gold", "gold", "--trace", "t0.jsonl", "t1.jsonl", "t2.jsonl", "--format", format];
        let whole = common::run(folder, &[&whole[..], options].concat());
        for i in 0..3 {
            let (trace, part) = (format!("t{i}.jsonl"), format!("p{i}.partial"));
            let one = ["answers", "--gold", "gold", "--trace", &trace, "--format", "partial"];
            let (out, err, exit) = common::run(folder, &[&one[..], options].concat());
            assert_eq!(exit, 0, "{err}");
            fs::write(folder.join(part), out).expect("a part");
        }
        let merged =
            common::run(folder, &["merge", "p0.partial", "p1.partial", "p2.partial", "--format", format]);
        assert_eq!(merged, whole, "{} {options:?}", folder.display());
    }
}

#[test]
fn parts_merge_to_the_undivided_report() {
    let samples = common::root().join("tests/conformance");
    let options: [&[&str]; 4] = [
        &["--refusal", "no idea"],
        &["--runs", "all", "--scu", "enforce"],
        &["--missing", "skip", "--k", "2", "--lenient"],
        &["--gates", "precision>=0.5@95, recall@3>=0.1, mrr>=0.2", "--scu", "off"],
    ];
    for (i, sample) in ["answers/03", "answers/07", "answers-array/02"].iter().enumerate() {
        // By file, in order; dealt out; by case.
        let sample = samples.join(sample);
        check(&deal(&sample, &format!("order-{i}"), |line, _| line / 8), options[i]);
        check(&deal(&sample, &format!("dealt-{i}"), |line, _| line), options[(i + 1) % 4]);
        let case = |_, line: &str| line.bytes().skip(20).take(24).map(usize::from).sum();
        check(&deal(&sample, &format!("case-{i}"), case), options[(i + 2) % 4]);
    }
}

/// `karat run --paraphrases` writes several traces a case; of those the last counts here, and the report says so.
#[test]
fn wordings_that_do_not_count_are_told_by_parts_too() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("merge-wordings");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    let gold = r#"{"qid":"A","question":"a?","answerable":true,"gold_claim_substr":["alpha"],"gold_citations":["p1"]}"#;
    fs::write(folder.join("gold"), gold).expect("gold");
    for (i, wording) in ["null", "0", "1"].iter().enumerate() {
        let trace = format!(
            r#"{{"qid":"A","paraphrase":{wording},"retrieved_ids":["p1"],"answer_json":{{"claim":"alpha","citations":["p1"]}}}}"#
        );
        fs::write(folder.join(format!("t{i}.jsonl")), trace).expect("traces");
    }
    check(&folder, &[]);
    let run = |more: &[&str]| {
        let call = ["answers", "--gold", "gold", "--trace", "t0.jsonl", "t1.jsonl"];
        common::run(&folder, &[&call[..], more].concat()).0.replace("\n  ", " ")
    };
    let said = "1 trace asks a paraphrase, and only the last trace of each case counts";
    assert!(run(&[]).contains(said), "{}", run(&[]));
    assert!(!run(&["--runs", "all"]).contains(said), "each counts");
    let (alone, _, _) = common::run(&folder, &["answers", "--gold", "gold", "--trace", "t1.jsonl"]);
    assert!(!alone.contains("paraphrase"), "{alone}");
}

#[test]
fn no_answer_text_leaves_with_a_partial() {
    let folder = deal(&common::root().join("tests/conformance/answers/03"), "text", |line, _| line);
    let (out, _, _) =
        common::run(&folder, &["answers", "--gold", "gold", "--trace", "t0.jsonl", "--format", "partial"]);
    for line in fs::read_to_string(folder.join("t0.jsonl")).expect("traces").lines() {
        let trace: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let claim = trace["answer_json"]["claim"].as_str().unwrap_or_default().trim();
        assert!(claim.len() < 4 || !out.contains(claim), "{claim}");
    }
}

#[test]
fn parts_of_another_whole_are_refused_by_name() {
    let folder = deal(&common::root().join("tests/conformance/answers/03"), "refused", |line, _| line);
    let make_of = |trace: &str, out: &str, options: &[&str]| {
        let base = ["answers", "--gold", "gold", "--trace", trace, "--quiet", "--out", out];
        assert_ne!(common::run(&folder, &[&base[..], options].concat()).2, 2);
    };
    let make = |out: &str, options: &[&str]| make_of("t0.jsonl", out, options);
    let refused = |parts: &[&str], said: &str| {
        let (_, err, exit) = common::run(&folder, &[&["merge"], parts].concat());
        assert!(exit == 2 && err.contains(said), "{parts:?}: {err}");
    };
    make("a.partial", &[]);
    make("k.partial", &["--k", "3"]);
    make("gates.partial", &["--gates", "precision>=0.5"]);
    make("refusal.partial", &["--refusal", "no idea"]);
    refused(&["a.partial", "k.partial"], "k.partial\n = help");
    refused(&["a.partial", "k.partial"], "its --k is not that of a.partial");
    refused(&["a.partial", "gates.partial"], "its --gates is not that of a.partial");
    refused(&["a.partial", "refusal.partial"], "its --refusal or --scu-rules is not that of a.partial");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a part");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a part");
    let text = read("a.partial");
    // As somebody writes it who knows how: the checksum is that of the edited text.
    let sealed = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from));
        let (body, _) = text.rsplit_once(",\"sum\":").expect("a checksum");
        seal(&(body.replace(from, to) + "}"))
    };
    write("old.partial", &text.replace("karat.partial/1", "karat.partial/0"));
    write("torn.partial", &text[..text.len() / 2]);
    write("edited.partial", &text.replace("\"unmatched\":0", "\"unmatched\":1"));
    write("bare.partial", &format!("{}}}", text.rsplit_once(",\"sum\":").expect("a checksum").0));
    write("odd.partial", &sealed(&text, "\"entries\":[[", "\"entries\":[[9"));
    write("empty.partial", "");
    common::run(
        &folder,
        &["answers", "--gold", "gold", "--trace", "t0.jsonl", "--out", "report.json", "--quiet"],
    );
    // A verdict that no trace can have: more of gold cited than was cited at all, or a rank twice.
    let row = |cited: &str| format!("[0,0,0,1,1024,{cited},null]]");
    let entries =
        text[text.find("\"entries\":").expect("entries")..].split_once(",\"sum\"").expect("a sum").0;
    for (i, cited) in ["1,2,2,[1]", "1,0,1,[1,2]", "1,0,2,[0]", "1,0,2,[3,3]"].iter().enumerate() {
        let name = format!("false-{i}.partial");
        write(&name, &sealed(&text, entries, &format!("\"entries\":[{}", row(cited))));
        refused(&[&name], "a verdict of it is one that no trace can have");
    }
    write("fine.partial", &sealed(&text, entries, &format!("\"entries\":[{}", row("1,1,2,[1,2]"))));
    assert_eq!(common::run(&folder, &["merge", "fine.partial"]).2, 1);
    // Sums that no run could have: whatever comes of them, it is no panic.
    let huge = format!("[\"{}\",", u128::MAX);
    for i in 0..2 {
        make_of(&format!("t{i}.jsonl"), "all.partial", &["--runs", "all"]);
        write(&format!("huge-{i}.partial"), &sealed(&read("all.partial"), "[\"1\",", &huge));
    }
    let (out, err, exit) = common::run(&folder, &["merge", "huge-0.partial", "huge-1.partial"]);
    assert_eq!(exit, 1, "{out}{err}");
    refused(&["old.partial"], "which reads its own only");
    refused(&["torn.partial"], "this is not a partial");
    refused(&["edited.partial"], "was changed after it was made");
    refused(&["bare.partial"], "was changed after it was made");
    refused(&["odd.partial"], "a case of it is not in gold");
    refused(&["empty.partial"], "its part was not made");
    refused(&["report.json"], "this is a karat.report/1, not a partial");
    refused(&["a.partial", "a.partial"], "it holds the traces of t0.jsonl, which a.partial holds too");
    fs::write(folder.join("gold"), fs::read_to_string(folder.join("gold")).expect("gold") + "\n")
        .expect("gold");
    refused(&["a.partial"], "this gold set is not the one");
    make("b.partial", &[]);
    refused(&["a.partial", "b.partial"], "its gold set (its fingerprint) is not that of a.partial");
}

/// What a report says was said was scored: a file that is no longer the one that was read is not quoted.
#[test]
fn words_of_a_changed_file_are_not_shown() {
    let folder = deal(&common::root().join("tests/conformance/answers/03"), "words", |line, _| line);
    let base = ["answers", "--gold", "gold", "--trace", "t0.jsonl", "--quiet", "--out", "a.partial"];
    common::run(&folder, &base);
    let merged = || common::run(&folder, &["merge", "a.partial", "--format", "json"]).0;
    let offenders = |report: &str| {
        let report: serde_json::Value = serde_json::from_str(report).expect("JSON");
        report["offenders"].as_array().cloned().expect("offenders")
    };
    let (before, trace) = (merged(), fs::read_to_string(folder.join("t0.jsonl")).expect("traces"));
    assert!(offenders(&before).iter().any(|case| case["claim"].is_string()));
    fs::write(folder.join("t0.jsonl"), format!("{trace}\n")).expect("traces");
    assert!(offenders(&merged()).iter().all(|case| case["claim"].is_null()));
    assert!(merged().contains("t0.jsonl is gone, has changed, or was a stream"));
    fs::write(folder.join("t0.jsonl"), trace).expect("traces");
    assert_eq!(merged(), before);
}
