//! Every format on every fixture: what it writes is what it wrote, and what its readers demand.
//!
//! `KARAT_WRITE=1 cargo test --workspace --test formats` writes tests/fixtures/rendered anew; read the diff.
#![allow(clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use karat_engine::problem::{self, Failure, Problem};
use karat_engine::report::{
    Axis, Body, Case, Checked, CheckedSuite, Column, Curve, Facts, Grid, Kind, Layout, Lines, LockFinding,
    Matrix, Place, Point, Report, RowChanges, Section, Series, Shown, State, Table, Waiver,
};
use karat_report::formats::{self, Format, Style};
use karat_suites::suites;
use serde_json::{Value, json};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures")
}

/// Every fixture: its name, its bytes, and the report that they are.
fn reports() -> Vec<(String, String, Report)> {
    let files =
        fs::read_dir(fixtures().join("report")).expect("fixtures").map(|entry| entry.expect("one").path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|e| e == "json")).collect();
    files.sort();
    assert!(files.len() >= 6, "only {} fixtures", files.len());
    let read = |file: &PathBuf| {
        let text = fs::read_to_string(file).expect("a fixture");
        let report: Report =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        (file.file_stem().expect("a name").to_string_lossy().into_owned(), text, report.of(suites::ALL))
    };
    files.iter().map(read).collect()
}

fn report(name: &str) -> Report {
    reports().into_iter().find(|(other, ..)| other == name).expect("a fixture").2
}

/// Several suites at once: one that fails, one with a waived gate, one that passes, one that could not be read, a lock
/// that does not hold.
fn checked() -> Checked {
    let mut waived = report("release");
    let waiver = Waiver {
        reason: "the damage desk moves on Friday | see <b>ticket</b>".into(),
        owner: "ops".into(),
        expires: "2026-12-01".into(),
    };
    for gate in waived.gates.iter_mut().filter(|gate| gate.pass == Some(false)) {
        gate.waived = Some(waiver.clone());
    }
    let suites = vec![
        CheckedSuite::scored("answers", report("answers")),
        CheckedSuite::scored("evidence", waived),
        CheckedSuite::scored("nightly", report("ship")),
        CheckedSuite::refused(
            "shadow",
            "retrieval",
            Failure::new(vec![Problem {
                line: 3,
                column: 1,
                ..Problem::of_file(&problem::BAD_JSON, "runs/shadow.jsonl", "expected a value, found `}`")
            }]),
        ),
    ];
    let rows =
        RowChanges { added: vec!["Q13".into()], removed: vec![], changed: vec!["Q02".into(), "Q03".into()] };
    let lock = LockFinding {
        path: "eval/gold.lock".into(),
        pass: false,
        says: "3 rows are not those that were locked".into(),
        files: [("eval/gold.jsonl".to_owned(), rows)].into_iter().collect(),
        gates_changed: true,
        signed: vec!["Ada (owner)".into()],
    };
    Checked::new(
        suites,
        Some(lock),
        vec!["chr>=0.75: expired on 2026-01-31".into()],
        Some("2026-11-16".into()),
    )
}

/// Compares with the file, or writes it.
fn snapshot(name: &str, made: &str, stale: &mut Vec<String>) {
    let file = fixtures().join("rendered").join(name);
    if env::var_os("KARAT_WRITE").is_some() {
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, made).expect("a file that can be written");
    } else if fs::read_to_string(file).unwrap_or_default() != made {
        stale.push(name.to_owned());
    }
}

fn file_name(stem: &str, format: &Format) -> String {
    if format.ending.is_empty() {
        format!("{stem}.{}.txt", format.name)
    } else {
        format!("{stem}{}", format.ending)
    }
}

/// A page without what every page has: its style sheet, its script, and their hashes in the policy.
fn own(format: &Format, mut made: String) -> String {
    if format.name != "html" {
        return made;
    }
    for (start, end) in [("<style>", "</style>"), ("<script>", "</script>"), ("style-src", "; img-src")] {
        let Some(at) = made.find(start).map(|at| at + start.len()) else { panic!("no {start}") };
        let length = made[at..].find(end).expect("an end");
        made.replace_range(at..at + length, "…");
    }
    made
}

#[test]
fn every_fixture_in_every_format_is_as_it_was() {
    let mut stale = Vec::new();
    for (name, text, report) in reports() {
        for format in formats::ALL {
            let made = own(format, (format.render)(&report, &Style::PLAIN));
            match format.name {
                "json" => assert!(made == text, "{name}: json read and written again is another"),
                _ => snapshot(&file_name(&name, format), &made, &mut stale),
            }
        }
    }
    let checked = checked();
    for format in formats::ALL {
        let made = own(format, (format.check)(&checked, &Style::PLAIN));
        snapshot(&file_name("check", format), &made, &mut stale);
    }
    assert!(stale.is_empty(), "not as they were: {stale:?}: KARAT_WRITE=1 writes them anew; read the diff");
}

#[test]
fn sarif_is_what_the_schema_says() {
    let text = fs::read_to_string(fixtures().join("schemas/sarif-2.1.0.json")).expect("the schema");
    let mut schema: Value = serde_json::from_str(&text).expect("JSON");
    // Its pattern of a field that karat does not write has a bracket too many.
    for of in ["run", "toolComponent"] {
        let language = schema["definitions"][of]["properties"]["language"].as_object_mut();
        language.expect("the field").remove("pattern").expect("the pattern");
    }
    let schema = jsonschema::validator_for(&schema).expect("a sound schema");
    let sarif = formats::named("sarif").expect("the format");
    let mut logs: Vec<String> = reports().iter().map(|(.., r)| (sarif.render)(r, &Style::PLAIN)).collect();
    logs.push((sarif.check)(&checked(), &Style::PLAIN));
    for text in logs {
        let log: Value = serde_json::from_str(&text).expect("JSON");
        let errors: Vec<String> = schema.iter_errors(&log).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        for result in results(&log) {
            let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
            let index = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(rules[index]["id"], result["ruleId"]);
        }
    }
    assert!(!schema.is_valid(&serde_json::json!({"version": "2.1.0"})), "the schema refuses something");
}

fn results(log: &Value) -> &Vec<Value> {
    log["runs"][0]["results"].as_array().expect("results")
}

#[test]
fn findings_keep_their_names_when_rows_move() {
    let sarif = formats::named("sarif").expect("the format");
    let names = |report: &Report| {
        let log: Value = serde_json::from_str(&(sarif.render)(report, &Style::PLAIN)).expect("JSON");
        let name = |r: &Value| format!("{} {}", r["ruleId"], r["partialFingerprints"]);
        let names: Vec<String> = results(&log).iter().map(name).collect();
        let unique: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(unique.len(), names.len(), "two findings of one name");
        names
    };
    for (name, _, mut report) in reports() {
        let before = names(&report);
        report.cases.reverse();
        for (i, case) in report.cases.iter_mut().enumerate() {
            case.line = 1000 + i as u64;
        }
        assert_eq!(names(&report), before, "{name}");
        for case in &mut report.cases {
            case.id.push('x');
        }
        let after = names(&report);
        let cases = |names: &[String]| names.iter().filter(|name| !name.contains("/gate\"")).count();
        assert!(cases(&before) == 0 || after != before, "{name}: another case is another finding");
    }
}

#[test]
fn sarif_tells_the_worst_first_and_what_it_left_out() {
    let mut report = report("answers");
    let bad = report.cases.iter().find(|case| case.label == "HALLUCINATION").expect("one").clone();
    for i in 0..6000 {
        report.cases.push(Case { id: format!("M{i}"), ..bad.clone() });
    }
    let sarif = formats::named("sarif").expect("the format");
    let log: Value = serde_json::from_str(&(sarif.render)(&report, &Style::PLAIN)).expect("JSON");
    assert_eq!(results(&log).len(), 5000);
    let rules: Vec<&str> = results(&log).iter().filter_map(|result| result["ruleId"].as_str()).collect();
    let gates = rules.iter().take_while(|rule| **rule == "answers/gate").count();
    assert!(
        gates > 0 && rules[gates..].iter().all(|rule| *rule == "answers/hallucination"),
        "{:?}",
        &rules[..9]
    );
    let note = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert!(note.as_str().is_some_and(|note| note.contains("1009 more results")), "{note}");
}

#[test]
fn junit_has_a_test_case_a_gate_and_a_case_and_is_read_back() {
    let junit = formats::named("junit").expect("the format");
    for (name, _, report) in reports() {
        let text = (junit.render)(&report, &Style::PLAIN);
        let read = quick_junit::Report::deserialize_from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(read.tests, report.gates.len() + report.cases.len(), "{name}");
        let unscored = report
            .cases
            .iter()
            .filter(|case| ["MISSING", "ERROR", "INCOMPLETE"].contains(&case.label.as_str()))
            .count();
        assert_eq!(read.errors, unscored, "{name}");
        let stuck = report.gates.iter().filter(|gate| gate.pass == Some(false)).count();
        assert!(
            read.failures >= stuck && (read.failures > 0) != report.gates.is_empty() || report.pass,
            "{name}"
        );
        let judged = report.gates.iter().filter(|gate| gate.pass.is_none()).count();
        assert_eq!(read.skipped, judged, "{name}");
        assert!(!text.contains(" time=") && !text.contains("timestamp="), "{name}: no clock");
        for told in &report.offenders {
            let claim = told.claim.as_deref().unwrap_or_default();
            assert!(claim.len() < 16 || !text.contains(claim), "{name}: no words of an answer");
        }
    }
    let read = (junit.check)(&checked(), &Style::PLAIN);
    let read = quick_junit::Report::deserialize_from_str(&read).expect("JUnit");
    let names: Vec<&str> = read.test_suites.iter().map(|suite| suite.name.as_str()).collect();
    assert_eq!(names, ["gold", "shadow", "answers", "evidence", "nightly"]);
    assert_eq!((read.test_suites[1].errors, read.test_suites[3].failures > 0), (1, true));
    assert!(read.test_suites[3].skipped > 0, "a waived gate does not fail the build");
}

#[test]
fn annotations_keep_to_the_limits() {
    let github = formats::named("github").expect("the format");
    let mut many = report("answers");
    for i in 0..500 {
        let (mut case, gate) = (many.cases[i % 12].clone(), many.gates[0].clone());
        case.id = format!("M{i}");
        many.cases.push(case);
        many.gates.push(gate);
    }
    let all = reports().into_iter().map(|(.., report)| report).chain([many]);
    for text in all
        .map(|report| (github.render)(&report, &Style::PLAIN))
        .chain([(github.check)(&checked(), &Style::PLAIN)])
    {
        let kind = |kind: &str| text.lines().filter(|line| line.starts_with(&format!("::{kind} "))).count();
        assert_eq!(kind("error") + kind("warning") + kind("notice"), text.lines().count(), "{text}");
        assert!(kind("error") <= 10 && text.lines().count() <= 50 && kind("notice") == 1, "{text}");
        let stages: Vec<usize> =
            ["error", "warning", "notice"].map(|kind| text.find(&format!("::{kind} ")).unwrap_or(0)).into();
        assert!(stages.is_sorted(), "gates first");
    }
}

#[test]
fn no_format_names_a_suite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/formats");
    let (mut folders, mut files) = (vec![folder], 0);
    while let Some(folder) = folders.pop() {
        for file in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("one").path()) {
            if file.is_dir() {
                folders.push(file);
                continue;
            }
            let text = fs::read_to_string(&file).expect("text");
            for suite in suites::ALL.iter().map(|suite| suite.name) {
                assert!(!text.contains(&format!("\"{suite}\"")), "{} names {suite}", file.display());
            }
            files += 1;
        }
    }
    assert!(files > 20, "only {files} files");
}

/// A section of every kind.
fn every_section() -> Vec<Section> {
    let on = &[Place::Text, Place::Page];
    let cells = Table {
        columns: vec![Column::named("room", Kind::Text, on), Column::named("warmth", Kind::Number, on)],
        rows: vec![vec![json!("attic"), json!(0.25)]],
        bars: false,
    };
    let point = |name: &str, x: f64| Point {
        name: name.into(),
        facts: Facts::all([("slow", json!(x)), ("good", json!(0.5))]),
        ..Point::default()
    };
    let axis = |key: &str| Axis { key: key.into(), title: key.into() };
    let curve = Curve {
        x: axis("slow"),
        y: axis("good"),
        columns: vec![Column::named("slow", Kind::Milliseconds, on)],
        points: vec![point("first point", 120.0), point("second point", 240.0)],
        ..Curve::default()
    };
    let matrix = Matrix {
        down: "north".into(),
        across: Some("south".into()),
        columns: vec!["sun".into(), "rain".into()],
        rows: [("sun".to_owned(), vec![3, 1]), ("rain".to_owned(), vec![0, 7])].into_iter().collect(),
    };
    let series = Series { name: "growth".into(), points: vec![(1, 0.1), (5, 0.9)], baseline: vec![] };
    let state = |name: &str, letter: char, good: bool| State {
        name: name.into(),
        letter,
        mark: letter.to_string(),
        good: Some(good),
        meaning: format!("it is {name}"),
    };
    let grid = Grid {
        down: "day".into(),
        across: "hour".into(),
        rows: vec!["monday".into(), "friday".into()],
        columns: vec!["noon".into(), "night".into()],
        states: vec![state("open", 'o', true), state("shut", 's', false)],
        cells: vec![vec![vec![1, 0], vec![0, 1]]; 2],
        of_case: "week".into(),
        holds: "fine".into(),
    };
    let counts = [("oak".to_owned(), 4), ("elm".to_owned(), 2)].into_iter().collect();
    vec![
        Section::new("table", "Rooms", Body::Table(cells)),
        Section::new("curve", "A curve", Body::Curve(curve)),
        Section::new("matrix", "Weather", Body::Matrix(matrix)),
        Section::new("lines", "Growing", Body::Lines(Lines { by: "k".into(), series: vec![series] })),
        Section::new("grid", "Opening", Body::Grid(grid)),
        Section::new("histogram", "Trees", Body::Histogram { counts }),
        Section::new("text", "A story", Body::Text { lines: vec!["once upon a time".into()] }),
    ]
}

#[test]
fn a_suite_that_no_format_knows_is_written_by_all_of_them() {
    let facts = Facts::known([("fine", json!(false)), ("week", json!(["os", "so"])), ("size", json!(12))]);
    let case = Case { id: "T1".into(), label: "ODD".into(), line: 3, facts, ..Case::default() };
    let all = &[Place::Md, Place::Page, Place::Csv];
    let layout = Layout {
        case: "case".into(),
        fault: None,
        worst: vec![Shown::Notes],
        columns: vec![
            Column::new("id", "name", Kind::Text, &[Place::Md]),
            Column::named("size", Kind::Count, all),
        ],
    };
    let toy = Report {
        suite: "toy".into(),
        profile: Default::default(),
        scope: "1 toy".into(),
        sections: every_section(),
        layout,
        cases: vec![case],
        ..report("ship")
    };
    let made = |name: &str| (formats::named(name).expect("a format").render)(&toy, &Style::PLAIN);
    let both = ["Rooms", "0.2500", "first point", "120", "north down", "Runs by hour", "once upon a time"];
    for (format, words) in [
        ("text", [&both[..], &["(1 toy)"]].concat()),
        ("md", [&both[..], &["| T1 | 12 | **ODD** |"]].concat()),
        (
            "html",
            vec!["Rooms", "Slow and good", "Framed", "growth @1 0.1000", "run by run", "oak", "once upon"],
        ),
        ("csv", vec!["first_failed_stage,line,size", "T1,ODD,,3,12"]),
        ("tsv", vec!["T1\tODD"]),
        ("junit", vec!["T1"]),
        ("sarif", vec!["toy/odd"]),
        ("github", vec!["toy%3A ODD T1"]),
        ("flat", vec!["{}"]),
    ] {
        let made = made(format);
        for word in words {
            assert!(made.contains(word), "{format} lacks {word}: {made}");
        }
    }
    let again: Report = serde_json::from_str(&made("json")).expect("a report");
    assert_eq!((formats::named("json").expect("json").render)(&again, &Style::PLAIN), made("json"));
}
