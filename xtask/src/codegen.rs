//! Writes what follows from the declarations: the list of each registry from its folder, then the pages and schemas,
//! and the reports that formats are tried on.
//!
//! Lists are plain `mod` lines, because rustfmt skips modules that a macro declares. A test fails when any of it is stale.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::{Outcome, cargo, root, run};

/// Folder, the constant in each file, its type, and what the things are called.
const REGISTRIES: [(&str, &str, &str, &str); 9] = [
    ("karat-report/src/formats", "FORMAT", "Format", "format"),
    ("karat-suites/src/lints", "LINT", "Lint", "lint"),
    ("karat-suites/src/suites/agreement/metrics", "METRIC", "Metric", "metric of the suite"),
    ("karat-suites/src/suites/answers/metrics", "METRIC", "Metric", "metric of the suite"),
    ("karat-engine/src/metrics/input", "METRIC", "About", "count"),
    ("karat-suites/src/suites/latency/metrics", "METRIC", "PointMetric", "metric of the suite"),
    ("karat-suites/src/suites/release/metrics", "METRIC", "Metric", "metric of the suite"),
    ("karat-suites/src/suites/retrieval/metrics", "METRIC", "Metric", "metric of the suite"),
    ("karat-suites/src/suites/stability/metrics", "METRIC", "Metric", "metric of the suite"),
];

const BEGIN: &str = "// codegen: begin (cargo xtask codegen writes these lines from the folder)\n";
const END: &str = "// codegen: end";

pub(crate) fn write() -> Outcome {
    for (folder, constant, kind, noun) in REGISTRIES {
        let folder = root().join("crates").join(folder);
        list(&folder, constant, kind, noun).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    run(cargo().args(["fmt", "--all"]))?;
    // For the whole workspace, as the tests are built: with a package alone, dependencies would be built once more.
    run(cargo()
        .args(["test", "--quiet", "--workspace", "--test", "generated", "--test", "fixtures"])
        .env("KARAT_WRITE", "1"))
}

/// Files that a feature of the same name switches on, because they cost a build.
const FEATURES: [&str; 2] = ["html", "junit"];

/// The attribute of what a feature switches on.
fn switch(name: &str) -> String {
    if FEATURES.contains(&name) { format!("#[cfg(feature = \"{name}\")]\n") } else { String::new() }
}

fn list(folder: &Path, constant: &str, kind: &str, noun: &str) -> Result<(), String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .map_err(|e| e.to_string())?
        .filter_map(|entry| {
            entry.ok()?.file_name().into_string().ok()?.strip_suffix(".rs").map(str::to_owned)
        })
        .filter(|name| name != "mod")
        .collect();
    names.sort();
    let mut lines = String::new();
    names.iter().for_each(|name| _ = writeln!(lines, "{}pub mod {name};", switch(name)));
    let all: Vec<String> =
        names.iter().map(|name| format!("{}    &{name}::{constant},\n", switch(name))).collect();
    let _ = write!(
        lines,
        "\n/// Every {noun}, in alphabetical order.\npub const ALL: &[&{kind}] = &[\n{}];\n",
        all.concat()
    );
    let file = folder.join("mod.rs");
    let text = fs::read_to_string(&file).map_err(|e| e.to_string())?;
    let (before, rest) = text.split_once(BEGIN).ok_or("no `codegen: begin` line")?;
    let (_, after) = rest.split_once(END).ok_or("no `codegen: end` line")?;
    fs::write(&file, format!("{before}{BEGIN}{lines}{END}{after}")).map_err(|e| e.to_string())
}
