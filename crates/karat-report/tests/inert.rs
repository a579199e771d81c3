//! Whatever stands in an input, in whichever field: it is inert in every format.
#![allow(clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;

use karat_engine::problem::{self, Failure, Problem};
use karat_engine::report::{Checked, CheckedSuite, Report};
use karat_report::formats::{self, Style};
use karat_suites::suites;
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::Value;

/// What somebody may put into a question, an id, a claim, a path.
const PAYLOADS: &[&str] = &[
    "</script><script>alert(1)</script>",
    "\" onmouseover=\"alert(1)\" x='",
    "<img src=x onerror=alert(1)>",
    "\u{202e}gpj.exe\u{2066}\u{200b}\u{2028}\u{feff}\u{e0041}",
    "=HYPERLINK(\"https://evil.example\",\"x\")",
    "＝1+1",
    "+1",
    "-1",
    "@SUM(1)",
    "\t=1",
    "x;=1;y\t=1",
    "a|b `c` ``` **d** _e_ ~~f~~ # g",
    "nul \0 esc \u{1b}[31m \u{9b}31m \u{7f} \u{fffe} \u{ffff}",
    "]]> &e; <!DOCTYPE x [<!ENTITY e \"boom\">]> <?php ?> <!-- ",
    "\r\n::error file=x::boom\n::stop-commands::x\n##[error]x %0A%25",
    "[a](javascript:alert(1)) ![b](https://evil.example/x.png) <https://evil.example> https://evil.example www.evil.example",
    "\n\n# head\n\n- item\n\n<details open ontoggle=alert(1)>\n\n| a |\n|---|\n",
    "\\",
    "",
];

/// karat's own words, and numbers: no input reaches them.
const OWN: &[&str] = &[
    "schema",
    "karat",
    "suite",
    "verdict",
    "outcome",
    "origin",
    "op",
    "metric",
    "over",
    "label",
    "first_failed_stage",
    "next_step",
    "role",
    "sha256",
    "blake3",
    "method",
    "constraint",
    "kind",
    "on",
    "worst",
    "key",
    "letter",
];
/// Objects whose keys come from inputs.
const KEYED: &[&str] = &["ratings", "marginals", "calibration", "by_type"];

/// Puts a text into every field that an input reaches, keys too.
fn poison(value: &mut Value, key: &str, payload: &str) {
    match value {
        Value::String(text) if !OWN.contains(&key) => *text = format!("{payload}{text}{payload}"),
        Value::Array(items) => items.iter_mut().for_each(|item| poison(item, key, payload)),
        Value::Object(fields) => {
            if KEYED.contains(&key) {
                let old = std::mem::take(fields);
                fields.extend(old.into_iter().map(|(name, value)| (format!("{payload}{name}"), value)));
            }
            fields.iter_mut().for_each(|(name, value)| poison(value, name, payload));
        }
        _ => {}
    }
}

fn fixtures() -> Vec<(String, Value)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/report");
    let names = ["answers", "release", "retrieval", "agreement", "latency", "stability", "hostile"];
    let read = |name: &str| fs::read_to_string(folder.join(format!("{name}.json"))).expect("a fixture");
    names.iter().map(|name| ((*name).to_owned(), serde_json::from_str(&read(name)).expect("JSON"))).collect()
}

/// What a format writes of a poisoned report, alone and as a part of several.
fn rendered(format: &str, fixture: &Value, payload: &str) -> [String; 2] {
    let mut value = fixture.clone();
    poison(&mut value, "", payload);
    let report: Report = serde_json::from_value(value).expect("a report");
    let report = report.of(suites::ALL);
    let format = formats::named(format).expect("a format");
    let alone = (format.render)(&report, &Style::PLAIN);
    let suites = vec![
        CheckedSuite::scored(&format!("{payload}name"), report),
        CheckedSuite::refused(
            &format!("{payload}other"),
            "answers",
            Failure::new(vec![Problem::of_file(
                &problem::UNREADABLE,
                &format!("{payload}file"),
                format!("{payload}problem"),
            )]),
        ),
    ];
    [alone, (format.check)(&Checked::new(suites, None, vec![payload.to_owned()], None), &Style::PLAIN)]
}

#[track_caller]
fn each(format: &str, look: impl Fn(&str, &str)) {
    for (name, fixture) in fixtures() {
        for payload in PAYLOADS {
            for text in rendered(format, &fixture, payload) {
                look(&text, &format!("{name} {payload:?}"));
            }
        }
    }
}

/// Nothing that moves a cursor, hides or turns text.
#[track_caller]
fn plain(text: &str, of: &str) {
    let bad = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{2028}' | '\u{feff}' | '\u{e0041}')
    };
    if let Some(at) = text.find(bad) {
        let line = text[..at].lines().last().unwrap_or_default();
        panic!("{of}: {:?} behind {line:?}", text[at..].chars().next());
    }
}

#[test]
fn in_text() {
    each("text", |text, of| plain(text, of));
}

#[test]
fn in_markdown() {
    each("md", |text, of| {
        plain(text, of);
        let mut words = text.to_owned(); // without code, where nothing becomes a link
        for (event, at) in Parser::new_ext(text, Options::all()).into_offset_iter() {
            match event {
                Event::Code(_) => words.replace_range(at.clone(), &"-".repeat(at.len())),
                Event::Html(html) | Event::InlineHtml(html) => {
                    let own = html.starts_with("<details><summary>")
                        || html.trim() == "</details>"
                        || &*html == "<br>";
                    assert!(own, "{of}: {html}");
                }
                Event::Start(
                    tag @ (Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_) | Tag::BlockQuote(_)),
                ) => {
                    panic!("{of}: {tag:?}")
                }
                Event::TaskListMarker(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {
                    panic!("{of}: {event:?}")
                }
                _ => {}
            }
        }
        let mention = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_digit()); // `recall@5` is none
        assert!(!words.split('@').skip(1).any(mention), "{of}: a mention");
        assert!(!words.contains("https://"), "{of}: an address");
        assert!(!words.contains("www."), "{of}: an address");
    });
}

#[test]
fn tables_of_markdown_keep_their_columns() {
    each("md", |text, of| {
        let mut columns = None;
        for line in text.lines() {
            let cells = line.matches('|').count();
            match (line.starts_with('|'), columns) {
                (false, _) => columns = None,
                (true, None) => columns = Some(cells),
                (true, Some(head)) => assert_eq!(cells, head, "{of}: {line}"),
            }
        }
    });
}

#[test]
fn in_spreadsheets() {
    let armed = |cell: &str| cell.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
    each("csv", |text, of| {
        plain(&text.replace("\r\n", "\n"), of);
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        for row in reader.records() {
            let row = row.unwrap_or_else(|e| panic!("{of}: {e}"));
            for cell in row.iter().filter(|cell| cell.parse::<f64>().is_err()) {
                assert!(!armed(cell), "{of}: {cell:?}");
            }
        }
        // Where a semicolon parts cells, one in a text must be inside quotes.
        let mut quoted = false;
        for c in text.chars() {
            quoted ^= c == '"';
            assert!(quoted || !matches!(c, ';' | '\t'), "{of}");
        }
    });
    each("tsv", |text, of| {
        let widths: Vec<usize> = text.lines().map(|line| line.split('\t').count()).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{of}");
        assert!(text.lines().flat_map(|line| line.split('\t')).all(|cell| !armed(cell)), "{of}: {text}");
        plain(&text.replace('\t', " "), of);
    });
}

#[test]
fn in_junit() {
    each("junit", |text, of| {
        plain(text, of);
        assert!(!text.contains(['\u{fffe}', '\u{ffff}']), "{of}");
        let read = quick_junit::Report::deserialize_from_str(text).unwrap_or_else(|e| panic!("{of}: {e}"));
        assert!(read.tests > 0, "{of}");
        let own = ["testsuites", "testsuite", "testcase", "failure", "error", "skipped", "?xml"];
        for piece in text.split('<').skip(1) {
            let name = piece.trim_start_matches('/').split([' ', '>', '/']).next().unwrap_or_default();
            assert!(own.contains(&name), "{of}: <{name}");
        }
    });
}

#[test]
fn in_json() {
    for format in ["json", "flat", "sarif"] {
        each(format, |text, of| {
            let value: Result<Value, _> = serde_json::from_str(text);
            assert!(value.is_ok(), "{format} {of}");
        });
    }
    each("sarif", |text, of| plain(text, of));
}

#[test]
fn in_annotations() {
    each("github", |text, of| {
        plain(text, of);
        for line in text.lines() {
            let (kind, rest) =
                line.strip_prefix("::").and_then(|line| line.split_once(' ')).unwrap_or_default();
            assert!(["error", "warning", "notice"].contains(&kind), "{of}: {line}");
            let (properties, _) = rest.split_once("::").unwrap_or_else(|| panic!("{of}: {line}"));
            for property in properties.split(',') {
                let name = property.split('=').next().unwrap_or_default();
                assert!(["file", "line", "title"].contains(&name), "{of}: {line}");
            }
        }
    });
}

#[test]
fn long_texts_stay_within_what_readers_take() {
    const LIMITS: [(&str, usize); 4] =
        [("md", 65_536), ("github", 100_000), ("junit", 1 << 20), ("sarif", 1 << 20)];
    let check = |of: &str, value: &Value| {
        let report: Report = serde_json::from_value(value.clone()).expect("a report");
        let mut report = report.of(suites::ALL);
        report.inputs.iter_mut().for_each(|input| input.path = "eval/gold.jsonl".into()); // a path is never cut
        for (format, most) in LIMITS {
            let format = formats::named(format).expect("a format");
            let text = (format.render)(&report, &Style::PLAIN);
            assert!(text.len() < most, "{of}: {} takes {} bytes", format.name, text.len());
            let suites = (0..9).map(|i| CheckedSuite::scored(&format!("s{i}"), report.clone())).collect();
            let text = (format.check)(&Checked::new(suites, None, vec![], None), &Style::PLAIN);
            assert!(
                text.len() < if format.name == "md" { most } else { 9 * most },
                "{of}: check as {}",
                format.name
            );
        }
    };
    for (name, mut value) in fixtures() {
        // A megabyte in the words of a case; much in every field.
        let mut one = value.clone();
        for told in one["offenders"].as_array_mut().expect("offenders").iter_mut().take(1) {
            poison(told, "", &"é|".repeat(1 << 19));
        }
        check(&name, &one);
        poison(&mut value, "", &"é|<".repeat(4096));
        check(&name, &value);
    }
}
