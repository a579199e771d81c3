//! The page: the same bytes every time, and nothing in it that came from an input is more than text. With
//! `KARAT_PAGES=FOLDER` pages that only the library can make are written there, for a browser to open (`cargo xtask browser`).
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use karat_engine::problem::{self, Failure, Problem};
use karat_engine::report::{Checked, CheckedSuite, LockFinding, Report, RowChanges, Trend};
use karat_report::formats::{self, Style};
use karat_suites::suites;
use serde_json::Value;

/// What every text of a report becomes: an end of the script, handlers, letters that hide, a formula.
const HOSTILE: &str = "</script><script>window.pwned=1</script><img src=x onerror='window.pwned=1'>\" \
    onmouseover=\"window.pwned=1\" \u{202e}\u{0}\u{1b}[31m `|=HYPERLINK(\"x\") javascript:window.pwned=1 <!-- ${7*7} \u{2028}";

fn fixtures() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/report");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    assert!(files.len() >= 5);
    let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), serde_json::from_slice(&fs::read(path).unwrap()).unwrap())).collect()
}

fn render(report: &Value) -> String {
    let report: Report = serde_json::from_value(report.clone()).expect("a report");
    let report = report.of(suites::ALL);
    (formats::named("html").expect("the format").render)(&report, &Style::PLAIN)
}

/// A page of several suites: those of the fixtures, one that could not be scored, and a lock that does not fit.
fn check(reports: &[(String, Value)], words: &str) -> String {
    let scored = reports.iter().map(|(name, report)| {
        let report: Report = serde_json::from_value(report.clone()).expect("a report");
        let report = report.of(suites::ALL);
        let mut suite = CheckedSuite::scored(&format!("{name}{words}"), report);
        // A history is a file that anybody may have written.
        suite.trend = Some(Trend {
            verdicts: vec![format!("NO-SHIP{words}"), "SHIP".into(), "SHIP".into()],
            figures: [(format!("precision{words}"), vec![Some(0.5), None, Some(0.75)])].into_iter().collect(),
            gold_changed: vec![1],
        });
        suite
    });
    let problem =
        Problem::of_file(&problem::BAD_JSON, &format!("gold.jsonl:3:7{words}"), format!("not JSON{words}"));
    let failure = Failure::new(vec![problem]);
    let suites =
        scored.chain([CheckedSuite::refused(&format!("broken{words}"), "answers", failure)]).collect();
    let changes = RowChanges { changed: vec![format!("Q07{words}")], ..RowChanges::default() };
    let lock = LockFinding {
        path: format!("gold.lock{words}"),
        says: format!("1 row changed{words}"),
        files: [(format!("gold.jsonl{words}"), changes)].into_iter().collect(),
        gates_changed: true,
        ..LockFinding::default()
    };
    let idle = vec![format!("precision>=0.8 expired{words}")];
    let checked = Checked::new(suites, Some(lock), idle, Some("2026-01-01".into()));
    (formats::named("html").expect("the format").check)(&checked, &Style::PLAIN)
}

/// Writes a page where somebody asks for pages.
fn write(name: &str, page: &str) {
    if let Some(folder) = env::var_os("KARAT_PAGES").map(PathBuf::from) {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, page).unwrap();
    }
}

/// Makes every text hostile, and every name that an input can give; words of the program that a report cannot be read
/// without stay.
fn poison(value: &mut Value, under: &str) {
    const OURS: [&str; 12] = [
        "schema",
        "suite",
        "verdict",
        "outcome",
        "op",
        "metric",
        "first_failed_stage",
        "kind",
        "on",
        "worst",
        "key",
        "letter",
    ];
    const NAMED: [&str; 8] =
        ["counts", "labels", "stages", "marginals", "calibration", "ratings", "figures", "by_type"];
    match value {
        Value::String(text) if !OURS.contains(&under) => *text = format!("{HOSTILE}{text}"),
        Value::Array(items) => items.iter_mut().for_each(|item| poison(item, under)),
        Value::Object(fields) => {
            let named = NAMED.contains(&under);
            let old = std::mem::take(fields);
            for (name, mut inner) in old {
                poison(&mut inner, &name);
                fields.insert(if named { format!("{name}{HOSTILE}") } else { name }, inner);
            }
        }
        _ => {}
    }
}

#[test]
fn the_same_report_is_the_same_page() {
    for (name, report) in fixtures() {
        let page = render(&report);
        assert_eq!(page, render(&report), "{name}");
        assert!(page.starts_with("<!doctype html>\n") && page.ends_with("</html>\n"), "{name}");
        assert!(
            !page.contains("http://")
                || page.matches("http://").count() == page.matches("http://www.w3.org/2000/svg").count()
        );
    }
}

#[test]
fn the_policy_names_the_script_and_the_style_by_their_hashes() {
    use sha2::{Digest, Sha256};
    let (_, report) = fixtures().remove(0);
    let page = render(&report);
    let policy =
        page.split_once("Content-Security-Policy\" content=\"").unwrap().1.split_once('"').unwrap().0;
    assert!(policy.starts_with("default-src &#39;none&#39;;") && !policy.contains("unsafe"), "{policy}");
    let between =
        |from: &str, to: &str| page.rsplit_once(from).unwrap().1.split_once(to).unwrap().0.to_owned();
    for text in [between("<style>", "</style>"), between("<script>", "</script>")] {
        // Base64 by its definition, another way than the page's.
        let bits: String = Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:08b}")).collect();
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".as_bytes();
        let coded: String = bits
            .as_bytes()
            .chunks(6)
            .map(|six| format!("{:0<6}", std::str::from_utf8(six).unwrap()))
            .map(|six| char::from(letters[usize::from_str_radix(&six, 2).unwrap()]))
            .collect();
        assert!(policy.contains(&format!("&#39;sha256-{coded}=&#39;")), "{policy} {coded}");
    }
}

#[test]
fn no_text_of_an_input_is_markup() {
    let clean = fixtures();
    let mut hostile = clean.clone();
    hostile.iter_mut().for_each(|(_, report)| poison(report, ""));
    let pairs = clean.iter().zip(&hostile).map(|((name, a), (_, b))| (name.as_str(), render(a), render(b)));
    let both = ("check", check(&clean, ""), check(&hostile, HOSTILE));
    for (name, clean, page) in pairs.chain([both]) {
        let count = |page: &str, part: &str| page.matches(part).count();
        for part in ["<script", "</script", "<style", "<meta", "<link", "<button"] {
            assert_eq!(count(&page, part), count(&clean, part), "{name}: {part}");
        }
        for part in ["<img", "<iframe", " onmouseover=\"", "href=\"javascript", "<!--"] {
            assert_eq!(count(&page, part), 0, "{name}: {part}");
        }
        assert!(count(&page, "&lt;/script&gt;&lt;script&gt;") > 10, "{name}: the words are there, as words");
        let hidden =
            |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2028}');
        assert!(!page.contains(hidden), "{name}: letters that hide");
        write(&format!("hostile/{name}.html"), &page);
        if name == "check" {
            write("check.html", &clean);
        }
    }
}

#[test]
fn a_huge_claim_is_cut_and_the_page_says_so() {
    let (_, mut report) = fixtures().into_iter().find(|(name, _)| name == "answers").unwrap();
    report["offenders"][0]["claim"] = Value::String("all but endless ".repeat(1 << 16));
    let page = render(&report);
    assert!(page.len() < 400_000, "{}", page.len());
    assert!(page.contains("more characters left out of this page"));
}
