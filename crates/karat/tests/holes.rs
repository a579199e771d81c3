//! Ordinary ways to a wrong SHIP, each tried on the command: what was found once stays closed.
#![allow(clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder with a sound gold set of three answerable questions, and traces that answer them.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("holes").join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let place = Place(folder);
        let row = |id: &str| {
            format!(
                r#"{{"qid":"{id}","question":"{id}?","answerable":true,"gold_claim_substr":["yes it is"],"gold_citations":["c1"]}}"#
            )
        };
        place.write("gold.jsonl", &["A", "B", "C"].map(row));
        place.write("trace.jsonl", &["A", "B", "C"].map(trace));
        place
    }

    fn write(&self, name: &str, lines: &[String]) {
        fs::write(self.0.join(name), lines.join("\n") + "\n").expect("a file");
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.0.join(name)).expect("a file");
        assert!(text.contains(from), "{name} has no {from}");
        fs::write(self.0.join(name), text.replacen(from, to, 1)).expect("a file");
    }

    /// Runs karat; `status` is what it must exit with, and `parts` what it must say.
    #[track_caller]
    fn says(&self, words: &[&str], status: i32, parts: &[&str]) -> String {
        let out = Command::new(env!("CARGO_BIN_EXE_karat"))
            .current_dir(&self.0)
            .args(words)
            .output()
            .expect("karat");
        let text =
            [out.stdout, out.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        assert_eq!(out.status.code(), Some(status), "karat {words:?}\n{text}");
        for part in parts {
            assert!(text.contains(part), "karat {words:?} does not say {part:?}:\n{text}");
        }
        text
    }
}

/// A trace that answers a question rightly.
fn trace(id: &str) -> String {
    format!(
        r#"{{"qid":"{id}","retrieved_ids":["c1"],"answer_json":{{"claim":"Yes it is.","citations":["c1"]}}}}"#
    )
}

const ANSWERS: [&str; 5] = ["answers", "--gold", "gold.jsonl", "--trace", "trace.jsonl"];

/// The words of a call of `answers`, with some more.
fn answers<'a>(more: &[&'a str]) -> Vec<&'a str> {
    ANSWERS.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn b2_a_verdict_that_was_written_by_hand_is_refused() {
    let place = Place::new("b2");
    place.says(&answers(&["--gates", "precision>=0.80", "--out", "good.json"]), 0, &["SHIP"]);
    place.write("trace.jsonl", &["A", "B", "C"].map(|id| trace(id).replace("Yes it is.", "No.")));
    place.says(&answers(&["--gates", "precision>=0.80", "--out", "bad.json"]), 1, &["NO-SHIP"]);
    place.edit("bad.json", r#""verdict": "NO-SHIP""#, r#""verdict": "SHIP""#);
    place.says(&["compare", "good.json", "bad.json"], 2, &["its verdict is SHIP"]);
    place.says(&["trend", "--history", "h.db", "--add", "bad.json"], 2, &["its verdict is SHIP"]);
    place.edit("bad.json", r#""pass": false"#, r#""pass": true"#);
    place.says(&["trend", "--history", "h.db", "--add", "bad.json"], 2, &["nothing was recorded"]);
    assert!(!place.0.join("h.db").exists());
}

#[test]
fn b6_a_gate_that_was_not_judged_carries_no_release() {
    let place = Place::new("b6");
    // Gold has no unanswerable row, so that under-refusal cannot be judged; the automatic gates pass.
    let call = answers(&["--gates", "under_refusal<=0.05"]);
    place.says(&call, 1, &["INCONCLUSIVE"]);
    for format in ["md", "junit", "sarif", "github", "html"] {
        let words: Vec<&str> = call.iter().copied().chain(["--format", format]).collect();
        place.says(&words, 1, &["not judged"]);
    }
    place.says(&answers(&["--gates", "under_refusal<=0.05 precision>=0.80"]), 0, &["SHIP", "not judged"]);
}

#[test]
fn b16_gates_that_decide_nothing_are_refused() {
    let place = Place::new("b16");
    for (gate, why) in [
        ("precision>=0", "can never fail"),
        ("over_refusal<=1", "can never fail"),
        ("precision>1", "can never pass"),
        ("precision>=1.1", "can never pass"),
        ("precision<=0.9", "fails only where precision gets better"),
        ("over_refusal>=0.1", "fails only where over_refusal gets better"),
        ("answered>=0", "can never fail"),
        ("precision[*]>=0", "can never fail"),
    ] {
        place.says(&answers(&["--gates", gate]), 2, &[why]);
    }
    place.says(&answers(&["--gates", "precision>=0.80 precision<=1.0"]), 2, &["can never fail"]);
    place.says(&answers(&["--gates", "precision>=0.80 precision<=0.99"]), 1, &["NO-SHIP"]);
    // What is asked of every run may be switched off, and that is said.
    place.write("trace.jsonl", &["A", "B"].map(trace));
    let off = answers(&["--gates", "precision>=0.50 missing>=0"]);
    place.says(&off, 0, &["SHIP", "! missing>=0 switches off"]);
    let deny: Vec<&str> = off.iter().copied().chain(["--deny-amber"]).collect();
    place.says(&deny, 1, &["SHIP"]);
}

#[test]
fn b30_a_log_of_other_questions_is_said_to_be_one() {
    let place = Place::new("b30");
    let other = |n: usize| trace(&format!("X{n}"));
    let traces: Vec<String> = ["A", "B", "C"].map(trace).into_iter().chain((0..11).map(other)).collect();
    place.write("trace.jsonl", &traces);
    let says = "11 of 14 traces belong to no gold case";
    place.says(&answers(&[]), 0, &["SHIP", says]);
    for format in ["json", "flat", "md", "html", "junit", "sarif", "github"] {
        place.says(&answers(&["--format", format]), 0, &[says]);
    }
    place.says(&answers(&["--quiet"]), 0, &[says]);
    place.says(&answers(&["--deny-amber"]), 1, &[says]);
    let asked = place.says(&answers(&["--gates", "precision>=0.80 unmatched<=20"]), 0, &["SHIP"]);
    assert!(!asked.contains(says), "a gate asks about it:\n{asked}");
}

#[test]
fn b4_the_last_run_of_a_pattern_is_the_last_as_people_count() {
    let place = Place::new("b4");
    // Run 9 was good, run 10 is not: the order of the alphabet would let run 9 have the last word.
    place.write("run-9.jsonl", &["A", "B", "C"].map(trace));
    place.write("run-10.jsonl", &["A", "B", "C"].map(|id| trace(id).replace("Yes it is.", "No.")));
    place.says(&["answers", "--gold", "gold.jsonl", "--trace", "run-*.jsonl"], 1, &["NO-SHIP"]);
    // The newest part of a rotated log is the one without a number.
    place.write("log.jsonl.1", &["A", "B", "C"].map(trace));
    place.write("log.jsonl", &["A", "B", "C"].map(|id| trace(id).replace("Yes it is.", "No.")));
    place.says(&["answers", "--gold", "gold.jsonl", "--trace", "log.jsonl*"], 1, &["NO-SHIP"]);
}

#[test]
fn b10_a_case_that_lost_its_trace_is_broken() {
    let place = Place::new("b10");
    place.says(&answers(&["--missing", "skip", "--out", "base.json"]), 0, &["SHIP"]);
    place.write("trace.jsonl", &["A"].map(trace));
    place.says(&answers(&["--missing", "skip", "--out", "new.json"]), 0, &["SHIP"]);
    let says = "2 cases that had a trace have none: B, C";
    place.says(&["compare", "base.json", "new.json"], 1, &["NO-SHIP", says]);
    place.says(&["compare", "base.json", "new.json", "--ignore-gates"], 1, &["NO-SHIP", says]);
    place.says(&["compare", "new.json", "base.json"], 0, &["SHIP"]);
}

#[test]
fn a_gate_on_a_slice_does_not_switch_off_what_is_asked_of_every_case() {
    let place = Place::new("slices");
    place.edit("gold.jsonl", r#""qid":"A""#, r#""qid":"A","area":"x""#);
    place.write("trace.jsonl", &["A", "B"].map(trace));
    let gates = "precision>=0.50 missing[area=x]<=0";
    place.says(&answers(&["--gates", gates, "--slice", "area"]), 1, &["NO-SHIP", "missing"]);
    // However it is written, a gate that is switched off is told.
    place.says(&answers(&["--gates", "precision>=0.50 missing>-1"]), 0, &["! missing>-1 switches off"]);
}

#[test]
fn b15_and_b26_a_file_is_read_once() {
    let place = Place::new("b15");
    let twice =
        ["answers", "--gold", "gold.jsonl", "--trace", "trace.jsonl", "./trace.jsonl", "--runs", "all"];
    place.says(&twice, 2, &["this file is named twice"]);
    place.says(
        &["answers", "--gold", "trace.jsonl", "--trace", "trace.jsonl"],
        2,
        &["`gold` and `traces` at once"],
    );
    let timed = ["A", "B", "C"].map(|id| trace(id).replace("\"qid\"", "\"e2e_ms\":100,\"qid\""));
    place.write("timed.jsonl", &timed);
    let same = ["latency", "--gold", "gold.jsonl", "--trace", "timed.jsonl", "--baseline", "timed.jsonl"];
    place.says(&same, 2, &["`traces` and `baseline` at once"]);
    // A link to a file of the same pattern adds nothing.
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".", place.0.join("loop")).expect("a link");
        let all = ["answers", "--gold", "gold.jsonl", "--trace", "**/trace.jsonl", "--runs", "all"];
        place.says(&all, 0, &["3 cases, 3 traces"]);
    }
}

#[test]
fn b19_a_refusal_is_the_whole_claim() {
    let place = Place::new("b19");
    let row = r#"{"qid":"U","question":"U?","answerable":false,"gold_claim_substr":[],"gold_citations":[]}"#;
    let says = |claim: &str| {
        format!(r#"{{"qid":"U","retrieved_ids":[],"answer_json":{{"claim":"{claim}","citations":[]}}}}"#)
    };
    place.write("gold.jsonl", &[row.to_owned()]);
    let call = answers(&["--refusal", "/i don't know/", "--gates", "under_refusal<=0.05"]);
    place.write("trace.jsonl", &[says("I don't know for sure, but the code is 4471")]);
    place.says(&call, 1, &["NO-SHIP", "1 shipped claim all but refuses"]);
    place.write("trace.jsonl", &[says(" I don't know ")]);
    place.says(&call, 0, &["SHIP"]);
}

#[test]
fn b25_a_waiver_holds_for_ninety_days_at_most() {
    let place = Place::new("b25");
    place.write("trace.jsonl", &["A", "B", "C"].map(|id| trace(id).replace("Yes it is.", "No.")));
    place.says(&["gold", "freeze", "gold.jsonl", "--lock", "gold.lock"], 0, &[]);
    let lock = fs::read_to_string(place.0.join("gold.lock")).expect("a lock");
    let hash = lock.split("\"sha256\": \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a hash");
    let config = |expires: &str, gold: &str| {
        let suite = "[suites.answers]\nkind = \"answers\"\ngold = \"gold.jsonl\"\ntraces = \"trace.jsonl\"\ngates = \"precision>=0.80\"\n";
        let waiver = format!(
            "[[waivers]]\ngate = \"precision>=0.80\"\ngold = \"{hash}\"\nreason = \"known\"\nowner = \"ada\"\nexpires = {expires}\n"
        );
        place.write("karat.toml", &[format!("{gold}{suite}{waiver}")]);
    };
    let check = ["check", "--today", "2026-01-01"];
    config("2026-03-31", "");
    place.says(&check, 0, &["SHIP", "is waived by ada until 2026-03-31"]);
    let deny = ["check", "--today", "2026-01-01", "--deny-amber"];
    place.says(&deny, 1, &["waived by ada"]);
    config("9999-12-31", "");
    place.says(&check, 1, &["NO-SHIP", "more than 90"]);
    config("2026-12-31", "[gold]\nmax_waiver_days = 365\n");
    place.says(&check, 0, &["SHIP"]);
}
