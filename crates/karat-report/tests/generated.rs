//! Generated files are those that the declarations make. `cargo xtask codegen` writes them (it sets `KARAT_WRITE`).
#![allow(clippy::expect_used, clippy::panic)]

use std::path::{Path, PathBuf};
use std::{env, fs};

use karat_engine::metrics::{self, About};
use karat_report::{docs, formats, schema};
use karat_suites::{lints, suites};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[track_caller]
fn check(path: &str, text: &str) {
    let file = root().join(path);
    if env::var_os("KARAT_WRITE").is_some() {
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file that can be written");
    } else {
        let there = fs::read_to_string(file).unwrap_or_default();
        assert!(there == text, "{path} is stale: run `cargo xtask codegen`");
    }
}

#[test]
fn pages_are_fresh() {
    for page in docs::PAGES {
        check(page.path, &(page.text)(suites::ALL));
    }
}

#[test]
fn schemas_are_fresh() {
    for schema in schema::all(suites::ALL) {
        check(&format!("docs/schemas/{}.json", schema.name), &format!("{:#}\n", schema.schema));
    }
}

/// A file is named after its constant, and every file is in the list.
#[track_caller]
fn check_folder(folder: &str, mut names: Vec<String>) {
    let entries = fs::read_dir(root().join("crates").join(folder)).expect("a folder");
    let mut files: Vec<String> = entries
        .filter_map(|entry| {
            entry.expect("an entry").file_name().into_string().ok()?.strip_suffix(".rs").map(str::to_owned)
        })
        .filter(|name| name != "mod")
        .collect();
    files.sort();
    names.sort();
    assert_eq!(files, names, "{folder}: run `cargo xtask codegen`, and name files after their constants");
}

#[test]
fn registries_list_their_folders() {
    use karat_suites::suites::{agreement, answers, latency, release, retrieval, stability};
    let file = |about: &About| about.name.replace('@', "_at_").to_lowercase();
    check_folder(
        "karat-engine/src/metrics/input",
        metrics::input::ALL.iter().map(|about| file(about)).collect(),
    );
    check_folder(
        "karat-suites/src/suites/agreement/metrics",
        agreement::metrics::ALL.iter().map(|m| file(m)).collect(),
    );
    check_folder(
        "karat-suites/src/suites/answers/metrics",
        answers::metrics::ALL.iter().map(|m| file(m)).collect(),
    );
    check_folder(
        "karat-suites/src/suites/latency/metrics",
        latency::metrics::ALL.iter().map(|m| file(&m.about)).collect(),
    );
    check_folder(
        "karat-suites/src/suites/release/metrics",
        release::metrics::ALL.iter().map(|m| file(m)).collect(),
    );
    check_folder(
        "karat-suites/src/suites/retrieval/metrics",
        retrieval::metrics::ALL.iter().map(|m| file(m)).collect(),
    );
    check_folder(
        "karat-suites/src/suites/stability/metrics",
        stability::metrics::ALL.iter().map(|m| file(m)).collect(),
    );
    check_folder("karat-suites/src/lints", lints::ALL.iter().map(|lint| lint.name.to_owned()).collect());
    check_folder("karat-report/src/formats", formats::ALL.iter().map(|f| f.name.to_owned()).collect());
}
