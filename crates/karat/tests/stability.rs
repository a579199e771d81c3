//! `karat stability` on logs that are large, shuffled, repeated, or made up to break it.
#![allow(clippy::expect_used, clippy::panic)]

mod common;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("stability").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

const FILES: [&str; 5] = ["stability", "--gold", "gold.jsonl", "--trace", "runs.jsonl"];

fn run(folder: &Path, more: &[&str]) -> (String, String, i32) {
    common::run(folder, &[&FILES[..], more].concat())
}

fn gold(folder: &Path, cases: u64) {
    let mut gold = String::new();
    for case in 0..cases {
        let answerable = case % 4 > 0;
        let (phrases, ids) = if answerable { (r#""alpha beta""#, r#""p1""#) } else { ("", "") };
        let _ = writeln!(
            gold,
            r#"{{"qid":"q{case}","question":"{case}?","answerable":{answerable},"gold_claim_substr":[{phrases}],"gold_citations":[{ids}],"half":"{}"}}"#,
            case % 2
        );
    }
    fs::write(folder.join("gold.jsonl"), gold).expect("gold");
}

fn line(case: u64, seed: u64, jitter: &str, claim: &str, cited: &str) -> String {
    format!(
        r#"{{"qid":"q{case}","seed":{seed},"jitter":"{jitter}","retrieved_ids":["p1","p2","p3"],"answer_json":{{"claim":"{claim}","citations":[{cited}]}}}}"#
    )
}

/// Some mebibytes of runs that differ in wording, citations and refusals; the first of them come again later.
fn large() -> Vec<String> {
    let mut lines = Vec::new();
    for seed in 0..12 {
        for jitter in ["none", "ws", "punct", "syn"] {
            for case in 0..200u64 {
                let word = (case * 31 + seed * 7 + jitter.len() as u64) % (case % 5 + 1);
                let claim = match word {
                    3 => "not in context".to_owned(),
                    _ => format!("Alpha, beta {}!", "gamma delta ".repeat(word as usize * 3)),
                };
                let cited = if word == 4 { r#""p1","p2""# } else { r#""p1""# };
                lines.push(line(case, seed, jitter, &claim, cited));
            }
        }
    }
    lines
}

#[test]
fn any_number_of_threads_prints_the_same() {
    let folder = folder("threads");
    gold(&folder, 201);
    let mut lines = large();
    // The last of a case, seed and jitter counts, wherever the others stand.
    lines.extend((0..100).map(|case| line(case, 3, "ws", "replaced", "")));
    fs::write(folder.join("runs.jsonl"), (lines.join("\n") + "\n").repeat(2)).expect("runs");
    let print = |threads: &str| run(&folder, &["--slice", "half", "--format", "json", "--threads", threads]);
    let (one, err, exit) = print("1");
    assert!(exit == 1 && one.contains("\"runs\": 9600,"), "{err}{}", &one[..one.len().min(3000)]);
    for threads in ["2", "3", "8"] {
        assert!(print(threads).0 == one, "{threads} threads print something else");
    }
}

#[test]
fn the_order_of_runs_changes_nothing() {
    let folder = folder("order");
    gold(&folder, 200);
    let mut lines = large();
    let flat = |lines: &[String]| {
        fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
        run(&folder, &["--format", "flat"]).0
    };
    let straight = flat(&lines);
    assert!(straight.contains("\"q199\""), "{straight}");
    lines.reverse();
    assert!(flat(&lines) == straight, "backwards it is something else");
    lines.sort();
    assert!(flat(&lines) == straight, "sorted it is something else");
}

#[test]
fn twenty_claims_of_a_megabyte_fail_and_do_not_hang() {
    let folder = folder("long");
    gold(&folder, 2);
    let mut lines: Vec<String> = (0..20).map(|seed| line(0, seed, "none", "not in context", "")).collect();
    for seed in 0..20u64 {
        let words: String =
            (0..200_000u64).map(|i| format!("{:04x} ", (i * 7919 + seed * i * i) % 65_521)).collect();
        lines.push(line(1, seed, "none", &format!("alpha beta {words}"), r#""p1""#));
    }
    fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
    let (out, err, exit) = run(&folder, &[]);
    assert!(exit == 1 && out.contains("not compared, since the"), "{out}{err}");
    let (flat, ..) = run(&folder, &["--format", "flat"]);
    let flat: Value = serde_json::from_str(&flat).expect("JSON");
    assert_eq!(flat["details"]["q1"]["ned50"], 1.0, "what was not compared is wholly different");
    assert_eq!(flat["totals"]["fail"], 1);
}

#[test]
fn long_claims_that_differ_little_are_compared_all_the_same() {
    let folder = folder("alike");
    gold(&folder, 2);
    let words = "word ".repeat(100_000);
    let mut lines: Vec<String> = (0..3).map(|seed| line(0, seed, "none", "not in context", "")).collect();
    let claim = |seed: u64| format!("{words}alpha beta {seed} {words}");
    lines.extend((0..3).map(|seed| line(1, seed, "none", &claim(seed), r#""p1""#)));
    fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
    let (out, err, exit) = run(&folder, &[]);
    assert!(exit == 0 && !out.contains("too long"), "{out}{err}");
}

#[test]
fn a_thousand_runs_of_one_case() {
    let folder = folder("many");
    gold(&folder, 1);
    let claims = (0..1000u64).map(|seed| line(0, seed, "none", &format!("claim {}", seed % 700), ""));
    let twice = (0..500).map(|seed| line(0, seed, "none", "not in context", ""));
    fs::write(folder.join("runs.jsonl"), claims.chain(twice).collect::<Vec<_>>().join("\n")).expect("runs");
    let (flat, err, exit) = run(&folder, &["--format", "flat"]);
    assert_eq!(exit, 1, "{err}");
    let flat: Value = serde_json::from_str(&flat).expect("JSON");
    assert_eq!(
        (&flat["details"]["q0"]["refusal_rate"], &flat["missing_runs"]),
        (&Value::from(0.5), &Value::from(0))
    );
}

#[test]
fn a_grid_of_many_seeds_and_jitters_is_counted_and_not_drawn() {
    let folder = folder("sparse");
    gold(&folder, 3);
    let lines: Vec<String> =
        (0..3000u64).map(|i| line(i % 3, i, &format!("j{i}"), "not in context", "")).collect();
    fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
    let (out, err, exit) = run(&folder, &["--format", "json"]);
    let report: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
    assert_eq!((exit, report["counts"]["missing_runs"].as_u64()), (1, Some(3 * 9_000_000 - 3000)));
    let grid = common::section(&report, "grid");
    assert!(grid.get("cells").is_none() && report["cases"][0].get("grid").is_none());
}

#[test]
fn runs_from_standard_input_keep_their_words() {
    let folder = folder("stdin");
    gold(&folder, 2);
    let lines = [line(1, 0, "none", "Alpha beta!", r#""p1""#), line(1, 1, "none", "Wrong.", r#""p1""#)];
    fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
    let mut karat = common::karat(&folder);
    karat.args(["stability", "--gold", "gold.jsonl", "--trace", "-"]);
    karat.stdin(fs::File::open(folder.join("runs.jsonl")).expect("runs"));
    let (out, err, exit) = common::text(karat.output().expect("karat runs"));
    assert!(exit == 1 && out.contains("1 run says: wrong"), "{out}{err}");
}

#[test]
fn reports_judged_by_other_refusals_are_not_compared() {
    let folder = folder("rules");
    gold(&folder, 2);
    let lines = [line(0, 0, "none", "words", "\"p1\""), line(1, 0, "none", "words", "")];
    fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
    run(&folder, &["--out", "usual.json"]);
    run(&folder, &["--out", "again.json", "--refusal", "not in context"]);
    run(&folder, &["--out", "other.json", "--refusal", "no idea"]);
    let (out, err, exit) = common::run(&folder, &["compare", "usual.json", "again.json"]);
    assert!(exit != 2, "the usual rules by name are the usual rules: {out}{err}");
    let (out, err, exit) = common::run(&folder, &["compare", "usual.json", "other.json"]);
    assert!(exit == 2 && err.contains("its setting `rules` is \"sha256:"), "{out}{err}");
}

/// Two answerable cases, of which gold lists two paraphrases of the first.
fn paraphrased(folder: &Path) {
    let row = |case: u8, more: &str| {
        format!(
            r#"{{"qid":"q{case}","question":"{case}?","answerable":true,"gold_claim_substr":["alpha beta"],"gold_citations":["p1"]{more}}}"#
        )
    };
    let gold = [row(1, r#","paraphrases":["a?","b?"]"#), row(2, "")].join("\n");
    fs::write(folder.join("gold.jsonl"), gold).expect("gold");
}

fn worded(case: u64, wording: &str, claim: &str) -> String {
    line(case, 0, "none", claim, r#""p1""#).replace(r#""seed""#, &format!(r#"{wording}"seed""#))
}

#[test]
fn a_wording_is_a_run_of_its_own() {
    let folder = folder("wordings");
    paraphrased(&folder);
    let (first, second) = (r#""paraphrase":0,"#, r#""paraphrase":1,"#);
    let good = "alpha beta";
    let mut lines = vec![
        worded(1, "", good),
        worded(1, first, "something else"),
        worded(1, second, good),
        worded(2, "", good),
    ];
    fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
    let (out, err, exit) = run(&folder, &[]);
    assert!(
        exit == 1 && out.contains("wrong: seed 0 none p0") && out.contains("missing_runs 0"),
        "{out}{err}"
    );
    assert!(out.contains("(2 cases, 4 runs)"), "{out}");
    let (json, _, _) = run(&folder, &["--format", "json"]);
    let report: Value = serde_json::from_str(&json).expect("a report");
    assert_eq!(
        common::section(&report, "grid")["columns"],
        serde_json::json!(["none", "none p0", "none p1"])
    );
    let grids: Vec<&Value> = report["cases"].as_array().expect("cases").iter().map(|c| &c["grid"]).collect();
    assert_eq!(grids, [&serde_json::json!(["hwh"]), &serde_json::json!(["h  "])]);
    // A wording that gold lists and nobody asked is missing, and only of its case.
    lines.remove(1);
    fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
    let (out, err, exit) = run(&folder, &[]);
    assert!(
        exit == 1 && out.contains("missing: seed 0 none p0") && out.contains("missing_runs 1"),
        "{out}{err}"
    );
    // And so is one that only some cases were asked in, where gold lists none.
    gold(&folder, 3);
    fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
    let (out, err, _) = run(&folder, &[]);
    assert!(out.contains("missing_runs 3"), "{out}{err}");
}

#[test]
fn many_wordings_and_jitters_cost_no_memory() {
    let folder = folder("flood");
    gold(&folder, 2);
    let odd = |i: u64| {
        line(i % 2, i, &format!("j{i}"), "alpha beta", r#""p1""#)
            .replace(r#""seed""#, &format!(r#""paraphrase":{},"seed""#, i * 1_000_000_007))
    };
    fs::write(folder.join("runs.jsonl"), (0..20_000).map(odd).collect::<Vec<_>>().join("\n")).expect("runs");
    let (out, err, exit) = run(&folder, &["--format", "flat"]);
    let flat: Value = serde_json::from_str(&out).unwrap_or_else(|_| panic!("{err}"));
    let missing = 2 * 20_000u64.pow(3) - 20_000;
    assert_eq!((exit, &flat["missing_runs"]), (1, &missing.into()));
}

#[test]
fn runs_of_different_settings_are_no_repetitions() {
    let folder = folder("knobs");
    paraphrased(&folder);
    let write = |knobs: [&str; 2]| {
        let lines = [1, 2]
            .map(|case| worded(case, &format!(r#""knobs":{},"#, knobs[case as usize - 1]), "alpha beta"));
        fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
        run(&folder, &[])
    };
    assert_eq!(write([r#"{"k":5,"m":1}"#, r#"{ "m": 1, "k": 5 }"#]).2, 0);
    let (_, err, exit) = write([r#"{"k":20}"#, r#"{"k":5}"#]);
    assert!(exit == 2 && err.contains(r#"the runs have different `knobs`: {"k":20}, {"k":5}"#), "{err}");
    assert!(err.contains("karat compare"), "{err}");
    let (_, err, exit) = write(["null", r#"{"k":5}"#]);
    assert!(exit == 2 && err.contains(r#"different `knobs`: {"k":5}, {}"#), "{err}");
    assert!(write(["7", "{}"]).1.contains("error[trace/wrong-type]"));
}

#[test]
fn rounds_that_replace_each_other_are_told() {
    let folder = folder("rounds");
    paraphrased(&folder);
    let lines = [1, 2, 3].map(|round| {
        let round = format!(r#""round":{round},"#);
        [worded(1, &round, "alpha beta"), worded(2, &round, "alpha beta")].join("\n")
    });
    fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
    let (json, _, exit) = run(&folder, &["--format", "json"]);
    let said = "4 runs were replaced by later ones of the same case, seed, jitter and wording";
    assert!(exit == 0 && json.contains(said), "{json}");
}

#[test]
fn runs_that_say_nothing_agree_on_nothing() {
    let folder = folder("nothing");
    gold(&folder, 4);
    let write = |answer: &str| {
        let some = |case: u64| [0, 1].map(|seed| format!(r#"{{"qid":"q{case}","seed":{seed},{answer}}}"#));
        let lines: Vec<String> = (0..4).flat_map(some).collect();
        fs::write(folder.join("runs.jsonl"), lines.join("\n")).expect("runs");
    };
    let gates = ["--gates", "rcr>=0.98,ned50<=0.2,css>=0.7,iaa>=0.9", "--format", "json"];
    for (answer, count) in
        [(r#""ok":false"#, "errored"), (r#""answer_json":{"claim":" . ","citations":[]}"#, "silent")]
    {
        write(answer);
        let (json, err, exit) = run(&folder, &gates);
        let report: Value = serde_json::from_str(&json).unwrap_or_else(|_| panic!("{err}"));
        assert_eq!((exit, &report["counts"][count]), (1, &8.into()), "{json}");
        for name in ["rcr", "ned50", "css", "iaa"] {
            assert!(report["metrics"][name]["value"].is_null(), "{name}: {json}");
        }
    }
    // One such run of many does not pass either, unless a gate names it.
    write(r#""retrieved_ids":["p1"],"answer_json":{"claim":"alpha beta","citations":["p1"]}"#);
    let mut runs = fs::read_to_string(folder.join("runs.jsonl")).expect("runs");
    assert_eq!(run(&folder, &gates).2, 0);
    runs.push_str("\n{\"qid\":\"q1\",\"seed\":0,\"ok\":false}");
    fs::write(folder.join("runs.jsonl"), runs).expect("runs");
    assert_eq!(run(&folder, &["--gates", "ned50<=0.2"]).2, 1);
    assert_eq!(run(&folder, &["--gates", "ned50<=0.2,errored<=1"]).2, 0);
}
