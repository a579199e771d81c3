//! A seventh suite is one folder (`brevity/`) and one line in a list: it appears in help, karat.toml, docs, explain, compare,
//! every format and the schema, and nothing else has to know of it.
//!
//! Called by itself with `KARAT_SEVENTH` set, this test is the command with seven suites.
#![allow(clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod brevity;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

use karat_engine::Suite;
use karat_report::{docs, formats, schema};
use karat_suites::suites::{agreement, answers, latency, release, retrieval, stability};

const SUITES: &[&Suite] = &[
    &answers::SUITE,
    &retrieval::SUITE,
    &release::SUITE,
    &latency::SUITE,
    &agreement::SUITE,
    &stability::SUITE,
    &brevity::SUITE,
];

fn main() -> ExitCode {
    if env::var_os("KARAT_SEVENTH").is_some() {
        return karat::run(SUITES);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let tool = Tool { folder: folder.path() };
    tool.lay_down();
    for (name, check) in CHECKS {
        check(&tool);
        println!("{name}: ok");
    }
    ExitCode::SUCCESS
}

/// Asserts something about the command.
type Check = fn(&Tool<'_>);

/// What is tried, by name.
const CHECKS: &[(&str, Check)] = &[
    ("help", help),
    ("verdict", verdict),
    ("karat.toml", config),
    ("explain", explain),
    ("compare", compare),
    ("formats", every_format),
    ("docs and schemas", pages),
];

struct Tool<'a> {
    folder: &'a Path,
}

impl Tool<'_> {
    fn lay_down(&self) {
        let write = |name: &str, text: &str| fs::write(self.folder.join(name), text).expect("a file");
        write("gold.jsonl", "{\"qid\":\"A\",\"most_words\":\"3\"}\n{\"qid\":\"B\",\"most_words\":\"2\"}\n");
        write("good.jsonl", "{\"qid\":\"A\",\"claim\":\"one two\"}\n{\"qid\":\"B\",\"claim\":\"one\"}\n");
        write(
            "bad.jsonl",
            "{\"qid\":\"A\",\"claim\":\"one two\"}\n{\"qid\":\"B\",\"claim\":\"one two three\"}\n",
        );
        let suite = "[suites.short]\nkind = \"brevity\"\ngold = \"gold.jsonl\"\ntraces = \"bad.jsonl\"\n";
        write("karat.toml", suite);
    }

    /// What a call prints, standard error behind it, and its exit status.
    fn call(&self, words: &str) -> (String, i32) {
        let mut command = Command::new(env::current_exe().expect("this test"));
        let made = command.env("KARAT_SEVENTH", "1").env("NO_COLOR", "1").current_dir(self.folder);
        let out = made.args(words.split(' ')).output().expect("the command runs");
        let text = [out.stdout, out.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (text.concat(), out.status.code().expect("an exit status"))
    }

    #[track_caller]
    fn says(&self, words: &str, status: i32, parts: &[&str]) -> String {
        let (said, code) = self.call(words);
        assert_eq!(code, status, "karat {words}\n{said}");
        for part in parts {
            assert!(said.contains(part), "karat {words} does not say {part:?}:\n{said}");
        }
        said
    }
}

fn help(tool: &Tool<'_>) {
    tool.says("--help", 0, &["brevity", "Score how short answers are"]);
    tool.says("brevity --help", 0, &["--slack <N>", "How many words more are let pass", "[default: 0]"]);
    tool.says("explain --help", 0, &["--slack"]);
    tool.says("completions bash", 0, &["brevity", "--slack"]);
    tool.says("man brevity", 0, &["slack"]);
}

fn verdict(tool: &Tool<'_>) {
    tool.says("brevity --gold gold.jsonl --trace good.jsonl", 0, &["SHIP", "brief"]);
    tool.says("brevity --gold gold.jsonl --trace bad.jsonl", 1, &["NO-SHIP"]);
    tool.says("brevity --gold gold.jsonl --trace bad.jsonl --slack 1", 0, &["SHIP"]);
    tool.says("brevity --gold gold.jsonl --trace bad.jsonl --slac 1", 2, &["--slack"]);
    tool.says("brevity --gold gold.jsonl --trace good.jsonl --slice team", 2, &["no fields to slice by"]);
}

fn config(tool: &Tool<'_>) {
    tool.says("check", 1, &["NO-SHIP", "short", "brevity"]);
    fs::write(tool.folder.join("other.toml"), "[suites.short]\nkind = \"brevity\"\nslak = 1\n")
        .expect("a file");
    tool.says("check --config other.toml", 2, &["other.toml:3:1", "slack"]);
}

fn explain(tool: &Tool<'_>) {
    tool.says("explain brief", 0, &["metric", "karat brevity", "w ≤ most_words"]);
    tool.says("explain WORDY", 0, &["label of `karat brevity`", "ask for fewer words"]);
    tool.says("explain B", 0, &["WORDY  B"]);
    tool.says("explain B --gold gold.jsonl --trace bad.jsonl --slack 1", 0, &["BRIEF  B"]);
    tool.says("brevity --gold gold.jsonl --trace bad.jsonl --slack 1 --out last.json", 0, &[]);
    tool.says("explain B --report last.json", 0, &["BRIEF  B"]);
}

fn compare(tool: &Tool<'_>) {
    tool.says("brevity --gold gold.jsonl --trace good.jsonl --out good.json", 0, &[]);
    tool.says("brevity --gold gold.jsonl --trace bad.jsonl --out bad.json", 1, &[]);
    tool.says("compare good.json bad.json", 1, &["NO-SHIP", "brief", "WORDY"]);
    tool.says("compare good.json good.jsonl", 0, &["SHIP"]);
    tool.says("compare good.jsonl bad.jsonl --gold gold.jsonl --suite brevity", 1, &["NO-SHIP"]);
}

fn every_format(tool: &Tool<'_>) {
    for format in formats::ALL.iter().filter(|format| !format.ending.is_empty()) {
        let call = format!("brevity --gold gold.jsonl --trace bad.jsonl --format {}", format.name);
        let said = tool.says(&call, 1, &[]);
        // Flat objects list no case, tables of cases no figure.
        let parts: &[&str] = match format.name {
            "flat" => &["brief"],
            "csv" => &["B,WORDY"],
            "tsv" => &["B\tWORDY"],
            _ => &["brief", "WORDY"],
        };
        assert!(parts.iter().all(|part| said.contains(part)), "{}:\n{said}", format.name);
    }
}

fn pages(tool: &Tool<'_>) {
    tool.says("schema", 0, &["brevity.gold", "brevity.trace"]);
    tool.says("schema brevity.gold", 0, &["most_words"]);
    tool.says("schema config", 0, &["slack"]);
    let names: Vec<String> = schema::all(SUITES).into_iter().map(|schema| schema.name).collect();
    assert!(names.contains(&"brevity.trace".to_owned()), "{names:?}");
    for (path, part) in [
        ("docs/metrics.md", "## `brief`"),
        ("docs/labels.md", "`WORDY`"),
        ("docs/files.md", "`most_words`"),
        ("docs/config.md", "`slack`"),
    ] {
        let page = docs::PAGES.iter().find(|page| page.path == path).expect("a page");
        assert!((page.text)(SUITES).contains(part), "{path} lacks {part}");
    }
}
