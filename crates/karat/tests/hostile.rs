//! No input reaches a panic, an abort or unbounded memory; each ends in a message that helps.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::Stdio;

const GOLD: &str = r#"{"qid":"A1","question":"one?","answerable":true,"gold_claim_substr":["alpha"],"gold_citations":["p1"]}
"#;
const GOOD: &str = r#"{"qid":"A1","retrieved_ids":["p1"],"answer_json":{"claim":"alpha","citations":["p1"]}}
"#;

/// A folder of its own with the gold set in it.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("hostile").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("gold.jsonl"), GOLD).expect("gold");
    folder
}

#[track_caller]
fn check(name: &str, trace: &[u8], status: i32, said: &str) {
    let folder = folder(name);
    fs::write(folder.join("trace.jsonl"), trace).expect("traces");
    let (out, err, exit) =
        common::run(&folder, &["answers", "--gold", "gold.jsonl", "--trace", "trace.jsonl"]);
    assert_eq!(exit, status, "{out}{err}");
    assert!(format!("{out}{err}").contains(said), "{out}{err}");
}

#[test]
fn deep_nesting_in_an_ignored_field() {
    let deep = format!("{{\"qid\":\"A1\",\"x\":{}", "[".repeat(100_000));
    check("nesting", deep.as_bytes(), 2, "at most 1,024 levels of nesting");
    let deep = format!("{{\"qid\":\"A1\",\"answer_json\":{}", "{\"claim\":".repeat(100_000));
    check("nesting-object", deep.as_bytes(), 2, "error[input/bad-json]");
    let deep = format!("[{}", "[".repeat(1_000_000));
    let folder = folder("nesting-gold");
    fs::write(folder.join("deep.json"), deep).expect("gold");
    let (_, err, exit) = common::run(&folder, &["answers", "--gold", "deep.json", "--trace", "gold.jsonl"]);
    assert!(exit == 2 && err.contains("levels of nesting"), "{err}");
}

#[test]
fn not_utf8() {
    check("not-utf8", b"{\"qid\":\"A1\",\"note\":\"\xff\xfe\"}\n", 2, "trace.jsonl:1:21");
    check("utf16", b"\xff\xfe{\0\"\0q\0", 2, "the file begins as UTF-16 does");
}

#[test]
fn an_empty_file_is_no_success() {
    check("empty", b"", 1, "the traces have no rows");
    check("blank", b"\xef\xbb\xbf\r\n \n\t\n", 1, "the traces have no rows");
}

#[test]
fn bom_crlf_and_a_missing_line_end_are_no_errors() {
    let trace = format!("\u{feff}\r\n{}\r\n\r\n{}", GOOD.trim_end(), GOOD.trim_end());
    check("bom", trace.as_bytes(), 0, "SHIP");
}

#[test]
fn a_line_of_a_gibibyte() {
    let folder = folder("long-line");
    let mut karat = common::karat(&folder);
    karat.args(["answers", "--gold", "gold.jsonl", "--trace", "-"]);
    let mut child = karat
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("karat runs");
    let mut input = child.stdin.take().expect("its input");
    let id = child.id();
    let feed = std::thread::spawn(move || {
        let piece = vec![b'x'; 1 << 20];
        input.write_all(b"{\"qid\":\"")?;
        for _ in 0..1024 {
            input.write_all(&piece)?;
        }
        // Peak memory so far: the line is long past its limit.
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        input.write_all(b"\"}\n")?;
        input.write_all(GOOD.as_bytes()).map(|()| status)
    });
    let (_, err, exit) = common::text(child.wait_with_output().expect("karat ends"));
    let status = feed.join().expect("no panic").expect("karat reads to the end");
    assert_eq!(exit, 2, "{err}");
    assert!(err.contains("<stdin>:1:1") && err.contains("longer than 64 MiB"), "{err}");
    if let Some(peak) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
        let kib: u64 = peak.trim().trim_end_matches(" kB").parse().expect("a number");
        assert!(kib < 300 << 10, "{kib} KiB for a line that is refused");
    }
}

#[test]
fn compressed_traces_read_as_they_are_and_truncation_is_named() {
    let folder = folder("compressed");
    let many = GOOD.repeat(5000);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(many.as_bytes()).expect("gzip");
    let gzip = gzip.finish().expect("gzip");
    let zst = zstd::encode_all(many.as_bytes(), 1).expect("zstd");
    fs::write(folder.join("a.gz"), [&gzip[..], &gzip[..]].concat()).expect("two members");
    fs::write(folder.join("b.zst"), &zst).expect("zstd");
    let run = |file: &str| {
        common::run(&folder, &["answers", "--gold", "gold.jsonl", "--trace", file, "--format", "json"])
    };
    for (file, rows) in [("a.gz", 10_000), ("b.zst", 5000)] {
        let (out, err, exit) = run(file);
        let report: serde_json::Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
        assert_eq!((exit, report["inputs"][1]["rows"].as_u64()), (0, Some(rows)));
    }
    fs::write(folder.join("torn.gz"), &gzip[..gzip.len() / 2]).expect("half");
    fs::write(folder.join("torn.zst"), &zst[..zst.len() / 2]).expect("half");
    fs::write(folder.join("bad.gz"), [&gzip[..20], &[0x55; 100], &gzip[40..]].concat()).expect("bad");
    for file in ["torn.gz", "torn.zst", "bad.gz"] {
        let (_, err, exit) = run(file);
        assert!(exit == 2 && err.contains("input/unreadable") && err.contains(file), "{file}: {err}");
    }
}

#[test]
fn a_pattern_names_files_in_order() {
    let folder = folder("glob");
    fs::write(folder.join("t-1.jsonl"), GOOD).expect("a trace");
    fs::write(folder.join("t-2.jsonl"), GOOD.replace("alpha", "not in context")).expect("a trace");
    let (out, _, exit) =
        common::run(&folder, &["answers", "--gold", "gold.jsonl", "--trace", "t-*.jsonl", "--format", "csv"]);
    assert!(exit == 1 && out.contains("OVER_REFUSAL"), "the last file counts: {out}");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = folder("pipe");
    let rows: String = (0..20_000).map(|i| GOLD.replace("A1", &format!("A{i}"))).collect();
    fs::write(folder.join("many.jsonl"), rows).expect("gold");
    let mut karat = common::karat(&folder);
    karat.args([
        "answers",
        "--gold",
        "many.jsonl",
        "--trace",
        "gold.jsonl",
        "--missing",
        "skip",
        "--format",
        "json",
        "--quiet",
    ]);
    karat.args(["--gates", "malformed<=0"]);
    let mut child = karat.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("karat runs");
    let mut first = [0; 10];
    child.stdout.take().expect("its output").read_exact(&mut first).expect("some output");
    let (_, err, exit) = common::text(child.wait_with_output().expect("karat ends"));
    assert!(err.is_empty(), "{err}");
    assert_ne!(exit, 2);
}

#[test]
fn outputs_appear_whole_or_not_at_all() {
    let folder = folder("out");
    fs::write(folder.join("trace.jsonl"), GOOD).expect("a trace");
    let base = ["answers", "--gold", "gold.jsonl", "--trace", "trace.jsonl", "--quiet"];
    let run = |more: &[&str]| common::run(&folder, &[&base[..], more].concat());
    assert_eq!(
        run(&[
            "--out",
            "a.json",
            "--out",
            "b.md",
            "--out",
            "c.csv",
            "--out",
            "d.flat.json",
            "--out",
            "e.txt"
        ])
        .2,
        0
    );
    for name in ["a.json", "b.md", "c.csv", "d.flat.json", "e.txt"] {
        assert!(fs::metadata(folder.join(name)).is_ok_and(|m| m.len() > 0), "{name}");
    }
    // The second target cannot be written: the first must not appear either.
    assert_eq!(run(&["--out", "new.json", "--out", "nowhere/x.md"]).2, 2);
    assert!(!folder.join("new.json").exists());
    // Bad input writes nothing and touches nothing.
    let before = fs::read(folder.join("a.json")).expect("a report");
    fs::write(folder.join("trace.jsonl"), "{").expect("a torn trace");
    assert_eq!(run(&["--out", "a.json"]).2, 2);
    assert_eq!(fs::read(folder.join("a.json")).expect("a report"), before);
    let left: Vec<_> = fs::read_dir(&folder)
        .expect("the folder")
        .filter_map(|f| f.ok()?.file_name().into_string().ok())
        .filter(|n| n.starts_with(".karat"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn standard_input_is_read_once() {
    let folder = folder("stdin");
    let (_, err, exit) = common::run(&folder, &["answers", "--gold", "-", "--trace", "-"]);
    assert!(exit == 2 && err.contains("only once"), "{err}");
    let mut karat = common::karat(&folder);
    let file = || File::open(folder.join("trace.jsonl")).expect("traces");
    fs::write(folder.join("trace.jsonl"), GOOD.replace("alpha", "wrong")).expect("traces");
    karat.args(["answers", "--gold", "gold.jsonl", "--trace", "-"]).stdin(file());
    let (out, err, exit) = common::text(karat.output().expect("karat runs"));
    assert!(
        exit == 1 && out.contains("said      wrong"),
        "offenders of a stream keep their words: {out}{err}"
    );
}
