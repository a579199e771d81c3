//! The recipes of docs/ci.md and the scripts of the GitHub Action, as far as a shell can run them.
#![allow(clippy::expect_used, clippy::panic)]
#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A project to check, with karat and a pretended cargo on the path.
fn project(name: &str, traces: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("ci").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("bin")).expect("a folder");
    for file in ["gold.jsonl", traces] {
        fs::copy(common::root().join("examples/answers").join(file), folder.join(file)).expect("an example");
    }
    let config =
        format!("[suites.answers]\nkind = \"answers\"\ngold = \"gold.jsonl\"\ntraces = [\"{traces}\"]\n");
    fs::write(folder.join("karat.toml"), config).expect("a configuration");
    // Installing takes minutes and a network: the call is written down instead.
    let cargo = folder.join("bin/cargo");
    fs::write(&cargo, "#!/bin/sh\necho \"cargo $*\" >> \"$CALLS\"\n").expect("a script");
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("a script that runs");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_karat"), folder.join("bin/karat")).expect("karat");
    folder
}

/// A shell in a project, with nothing of this machine's CI in its environment.
fn shell(folder: &Path) -> Command {
    let mut bash = Command::new("bash");
    let path = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    bash.current_dir(folder).env("PATH", path).env("CALLS", folder.join("calls.txt"));
    for name in
        ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT", "GITHUB_PATH", "KARAT_ARGS", "KARAT_CONFIG", "KARAT_REPORTS"]
    {
        bash.env_remove(name);
    }
    bash
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_default()
}

/// The action's script, as a runner starts it.
fn act(folder: &Path, variables: &[(&str, &str)]) -> (String, String, i32) {
    let mut bash = shell(folder);
    bash.arg(common::root().join("ci/action.sh"));
    bash.env("GITHUB_STEP_SUMMARY", folder.join("summary.md"))
        .env("GITHUB_OUTPUT", folder.join("output.txt"));
    common::text(bash.envs(variables.iter().copied()).output().expect("bash runs"))
}

#[test]
fn the_action_says_what_karat_says() {
    for (traces, status, verdict) in [("trace.jsonl", 0, "SHIP"), ("regressed.jsonl", 1, "NO-SHIP")] {
        let folder = project(&format!("action-{verdict}"), traces);
        fs::write(folder.join("summary.md"), "before\n").expect("a summary");
        let (out, err, exit) = act(&folder, &[]);
        assert_eq!(exit, status, "{out}{err}");
        // Of two outputs of a name, the last counts.
        let said = read(&folder, "output.txt");
        assert!(said.ends_with(&format!("verdict={verdict}\nreport=karat-report\n")), "{said}");
        let summary = read(&folder, "summary.md");
        assert!(summary.starts_with("before\n") && summary.contains("karat check"), "{summary}");
        assert!(out.lines().all(|line| line.starts_with("::")), "{out}");
        assert_eq!(out.contains("::error "), status == 1, "{out}");
        for ending in ["html", "json", "md", "junit.xml", "sarif"] {
            assert!(!read(&folder, &format!("karat-report/report.{ending}")).is_empty(), "{ending}: {err}");
        }
    }
}

#[test]
fn the_action_takes_another_call_and_expands_nothing() {
    let folder = project("action-args", "trace.jsonl");
    let call = "answers --gold gold.jsonl --trace 'trace.jsonl' --gates 'precision>=0.5 chr>=0.5' --refusal '$(touch pwned)`touch pwned`'";
    let (out, err, exit) = act(&folder, &[("KARAT_ARGS", call), ("KARAT_REPORTS", "out dir")]);
    assert_eq!(exit, 0, "{out}{err}");
    assert!(!folder.join("pwned").exists() && folder.join("out dir/report.json").exists());
    assert!(read(&folder, "output.txt").contains("report=out dir\n"));
    let (out, _, exit) = act(&folder, &[("KARAT_ARGS", "answers --gold 'gold.jsonl")]);
    assert!(exit == 2 && out.contains("is a quote missing"), "{out}");
    // Nothing is uploaded then: an empty folder would be the whole checkout.
    assert!(read(&folder, "output.txt").ends_with("verdict=ERROR\nreport=\n"));
}

#[test]
fn the_action_fails_closed() {
    let folder = project("action-wrong", "trace.jsonl");
    act(&folder, &[]);
    fs::remove_file(folder.join("output.txt")).expect("outputs");
    let (_, err, exit) = act(&folder, &[("KARAT_CONFIG", "absent.toml")]);
    assert_eq!(exit, 2, "{err}");
    assert!(
        read(&folder, "output.txt").starts_with("verdict=ERROR\n"),
        "the report of an earlier step is no verdict"
    );
    assert!(!folder.join("karat-report/report.json").exists());
}

#[test]
fn the_action_installs_its_own_code_once() {
    let folder = project("install", "trace.jsonl");
    let install = |version: &str, root: &str| {
        let mut bash = shell(&folder);
        bash.arg(common::root().join("ci/install.sh"))
            .env("KARAT_SOURCE", "/source")
            .env("KARAT_VERSION", version);
        bash.env("KARAT_ROOT", folder.join(root)).env("GITHUB_PATH", folder.join("path.txt"));
        let (out, err, exit) = common::text(bash.output().expect("bash runs"));
        assert_eq!(exit, 0, "{out}{err}");
    };
    install("", "new");
    install("0.1.0", "new");
    let root = folder.join("new").display().to_string();
    let calls = format!(
        "cargo install --path /source/crates/karat --locked --root {root}\ncargo install karat --version 0.1.0 --locked --root {root}\n"
    );
    assert_eq!(read(&folder, "calls.txt"), calls);
    install("", "."); // bin/karat is there: as from a cache
    assert_eq!(read(&folder, "calls.txt"), calls);
    assert_eq!(
        read(&folder, "path.txt").lines().last(),
        Some(folder.join("./bin").display().to_string().as_str())
    );
}

#[test]
fn a_cache_is_of_one_code_only() {
    let folder = project("key", "trace.jsonl");
    let key = |source: &Path, version: &str| {
        let mut bash = shell(&folder);
        bash.arg(common::root().join("ci/install.sh")).arg("key").env("KARAT_SOURCE", source);
        bash.env("KARAT_VERSION", version).env("GITHUB_OUTPUT", folder.join("key.txt"));
        let (out, err, exit) = common::text(bash.output().expect("bash runs"));
        assert_eq!(exit, 0, "{out}{err}");
        read(&folder, "key.txt").lines().last().expect("a key").to_owned()
    };
    let source = folder.join("source");
    fs::create_dir_all(source.join("crates")).expect("a folder");
    ["Cargo.lock", "Cargo.toml", "crates/a.rs"]
        .iter()
        .for_each(|name| fs::write(source.join(name), name).expect("a file"));
    let before = key(&source, "");
    assert_eq!(before, key(&source, ""));
    fs::write(source.join("crates/a.rs"), "other").expect("a file");
    assert_ne!(before, key(&source, ""));
    assert_eq!(key(&source, "0.1.0"), "key=0.1.0");
}

/// The shell parts of a page: `sh` blocks, `run` and `script` of YAML, `sh` steps of Groovy, under their headings.
fn recipes(page: &str) -> Vec<(String, String)> {
    let (mut found, mut heading, mut language, mut deep) = (Vec::new(), String::new(), String::new(), None);
    let mut add = |heading: &str, line: &str| match found.last_mut() {
        Some((title, text)) if title == heading => *text = format!("{text}{line}\n"),
        _ => found.push((heading.to_owned(), format!("{line}\n"))),
    };
    for line in page.lines() {
        if let Some(fence) = line.strip_prefix("```") {
            (language, deep) = (fence.to_owned(), None);
        } else if let Some(title) = line.strip_prefix("## ") {
            heading = title.to_owned();
        }
        let (indent, text) = (line.len() - line.trim_start().len(), line.trim());
        match language.as_str() {
            "sh" if !line.starts_with("```") => add(&heading, line),
            "groovy" => {
                let step = text.strip_prefix("sh '").and_then(|text| text.strip_suffix('\''));
                step.into_iter().for_each(|step| add(&heading, step));
            }
            "yaml" => {
                deep = deep.filter(|at| indent > *at);
                if text == "script:" || text.ends_with("run: |") {
                    deep = Some(indent);
                } else if let (Some(_), script) = (deep, text.trim_start_matches("- ")) {
                    add(&heading, script);
                } else if let Some((_, step)) = text.split_once("run: ") {
                    add(&heading, step);
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn every_recipe_runs() {
    let page = fs::read_to_string(common::root().join("docs/ci.md")).expect("the page");
    let recipes = recipes(&page);
    let names: Vec<&str> = recipes.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["GitHub, with the action", "GitHub, by hand", "GitLab", "Jenkins", "Any other"]);
    for (i, (name, script)) in recipes.iter().enumerate() {
        for (traces, status) in [("trace.jsonl", 0), ("regressed.jsonl", 1)] {
            let folder = project(&format!("recipe-{i}-{status}"), traces);
            // Runners stop at the first command that fails.
            let mut bash = shell(&folder);
            bash.args(["-e", "-o", "pipefail", "-c", script])
                .env("GITHUB_STEP_SUMMARY", folder.join("summary.md"));
            let (out, err, exit) = common::text(bash.output().expect("bash runs"));
            let told = name == "Any other";
            let expected = if told || name == "GitHub, with the action" { 0 } else { status };
            assert_eq!(exit, expected, "{name}: {out}{err}");
            let said = if status == 0 { "ship" } else { "no-ship, or inconclusive: see report.md" };
            assert!(!told || out.lines().last() == Some(said), "{out}");
            for file in script
                .split_whitespace()
                .filter(|word| word.starts_with("karat.") || word.starts_with("report."))
            {
                let file = file.trim_end_matches(['"', '\'']);
                assert!(!read(&folder, file).is_empty(), "{name}: {file} was not written: {out}{err}");
            }
            assert_eq!(script.contains("--format github"), folder.join("summary.md").exists(), "{name}");
        }
    }
}

#[test]
fn the_action_uses_what_is_there() {
    let action = fs::read_to_string(common::root().join("action.yml")).expect("the action");
    let page = fs::read_to_string(common::root().join("docs/ci.md")).expect("the page");
    for script in ["ci/install.sh", "ci/action.sh"] {
        assert!(action.contains(script), "{script}");
        let mode = fs::metadata(common::root().join(script)).expect("the script").permissions().mode();
        assert!(mode & 0o111 != 0, "{script} cannot be run");
    }
    let inputs = action.split("\noutputs:").next().expect("inputs");
    let names = inputs.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for name in names.map(|line| line.trim().trim_end_matches(':')) {
        assert!(action.contains(&format!("inputs.{name}")), "{name} is read by nobody");
        assert!(page.contains(&format!("| `{name}` |")), "docs/ci.md does not tell of {name}");
    }
    // No expression stands inside a shell line: what a user writes comes in by the environment.
    assert!(
        action.lines().filter(|line| line.trim_start().starts_with("run:")).all(|line| !line.contains("${{"))
    );
}
