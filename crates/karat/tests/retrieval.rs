//! `karat retrieval` on logs that are large, repeated, torn or made up to break it.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("retrieval").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// A log of some mebibytes, whose runs come again and change: the last one of each counts.
fn large(folder: &Path) {
    let (mut gold, mut trace) = (String::new(), String::new());
    for q in 0..50 {
        let _ = writeln!(
            gold,
            r#"{{"qid":"q{q}","paraphrases":["a","b"],"relevant":{{"S.{q}.p.Bk1":2,"S.{q}.t.Bk2":1}},"anchor_section":"S.{q}","half":"{}"}}"#,
            q % 2
        );
    }
    for i in 0..6000u64 {
        let (q, word) = (i * 7 % 53, ["a", "b", "c"][(i / 53 % 3) as usize]);
        let ids: Vec<String> = (0..40)
            .map(|rank| format!(r#"{{"id":"S.{}.p.Bk{}"}}"#, (q + rank * i) % 60, (i + rank) % 3 + 40 * rank))
            .collect();
        let ds: Vec<String> = (0..40).map(|rank| format!("0.{:03}", (i * 31 + rank * 17) % 1000)).collect();
        let _ = writeln!(
            trace,
            r#"{{"qid":"q{q}","query":"{word}","seed":{},"topk":[{{"id":"S.{q}.p.Bk1"}},{}],"ΔS":[0.{:03},{}],"answer_citations":[{{"id":"S.{}.p.Bk1"}}]}}"#,
            i % 4,
            ids.join(","),
            i % 1000,
            ds.join(","),
            if i % 5 == 0 { q + 1 } else { q },
        );
    }
    fs::write(folder.join("gold.jsonl"), gold).expect("gold");
    fs::write(folder.join("trace.jsonl"), trace).expect("traces");
}

#[test]
fn any_number_of_threads_prints_the_same() {
    let folder = folder("threads");
    large(&folder);
    fs::copy(folder.join("trace.jsonl"), folder.join("live.jsonl")).expect("a copy");
    let run = |threads: &str| {
        let files =
            ["--gold", "gold.jsonl", "--trace", "trace.jsonl", "--baseline", "live.jsonl", "--lenient"];
        let more = ["--slice", "half", "--format", "json", "--threads", threads];
        common::run(&folder, &[&["retrieval"][..], &files, &more].concat())
    };
    let (one, err, exit) = run("1");
    assert!(exit == 1 && one.contains("\"runs\": 600"), "{err}{}", &one[..one.len().min(3000)]);
    for threads in ["2", "3", "8"] {
        assert!(run(threads).0 == one, "{threads} threads print something else");
    }
}

#[test]
fn a_pipe_is_read_like_a_file() {
    let folder = folder("pipe");
    let sample = common::root().join("tests/conformance/retrieval/00");
    for name in ["gold.jsonl", "blocks.jsonl", "trace.jsonl"] {
        fs::copy(sample.join(name), folder.join(name)).expect("a file of the sample");
    }
    let args = ["retrieval", "--gold", "gold.jsonl", "--blocks", "blocks.jsonl", "--trace"];
    let (file, _, _) = common::run(&folder, &[&args[..], &["trace.jsonl"]].concat());
    let trace = fs::File::open(folder.join("trace.jsonl")).expect("the traces");
    let piped = common::karat(&folder).args(args).arg("-").stdin(trace).output().expect("karat runs");
    let (piped, err, _) = common::text(piped);
    assert_eq!(piped.replace("<stdin>", "trace.jsonl"), file, "{err}");
}

#[test]
fn nothing_made_up_reaches_a_panic() {
    let folder = folder("hostile");
    fs::write(folder.join("gold.jsonl"), r#"{"qid":"q","relevant":["a"],"anchor_section":"S.1"}"#)
        .expect("gold");
    for (line, said) in [
        (format!(r#"{{"qid":"q","topk":{}"#, "[".repeat(100_000)), "levels of nesting"),
        (r#"{"qid":"q","seed":99999999999999999999}"#.into(), "`seed` is 99999999999999999999"),
        (r#"{"qid":"q","paraphrase":1e3}"#.into(), "`paraphrase` is 1e3"),
        (r#"{"qid":"q","topk":[{"id":"a"}],"ds":[1e999]}"#.into(), "`ds[0]` is 1e999"),
        (
            r#"{"qid":"q","topk":[{"id":"a","vec":[1e999]}],"query_vec":[1]}"#.into(),
            "is not a list of numbers",
        ),
        (
            r#"{"qid":"q","topk":[{"id":"a","offsets":[0,99999999999999999999]}]}"#.into(),
            "not a pair of whole numbers",
        ),
    ] {
        fs::write(folder.join("trace.jsonl"), line).expect("traces");
        let (_, err, exit) =
            common::run(&folder, &["retrieval", "--gold", "gold.jsonl", "--trace", "trace.jsonl"]);
        assert!(exit == 2 && err.contains(said), "{err}");
    }
    // Whatever a model cites is scored.
    let odd =
        r#"{"qid":"q","topk":[],"answer_citations":{"a":[null,[],"é\ud800"]},"seed":-9223372036854775808}"#;
    fs::write(folder.join("trace.jsonl"), odd).expect("traces");
    let (out, err, exit) =
        common::run(&folder, &["retrieval", "--gold", "gold.jsonl", "--trace", "trace.jsonl"]);
    assert!(exit == 1 && out.contains("UNCOVERED"), "{out}{err}");
}
