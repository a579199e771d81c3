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
    ("formats", "FORMAT", "Format", "format"),
    ("lints", "LINT", "Lint", "lint"),
    ("suites/agreement/metrics", "METRIC", "Metric", "metric of the suite"),
    ("suites/answers/metrics", "METRIC", "Metric", "metric of the suite"),
    ("metrics/input", "METRIC", "Metric", "count"),
    ("suites/latency/metrics", "METRIC", "Metric", "metric of the suite"),
    ("suites/release/metrics", "METRIC", "Metric", "metric of the suite"),
    ("suites/retrieval/metrics", "METRIC", "Metric", "metric of the suite"),
    ("suites/stability/metrics", "METRIC", "Metric", "metric of the suite"),
];

const BEGIN: &str = "// codegen: begin (cargo xtask codegen writes these lines from the folder)\n";
const END: &str = "// codegen: end";

pub(crate) fn write() -> Outcome {
    for (folder, constant, kind, noun) in REGISTRIES {
        let folder = root().join("crates/karat-core/src").join(folder);
        list(&folder, constant, kind, noun).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    run(cargo().args(["fmt", "--all"]))?;
    // For the whole workspace, as the tests are built: with a package alone, dependencies would be built once more.
    run(cargo()
        .args(["test", "--quiet", "--workspace", "--test", "generated", "--test", "fixtures"])
        .env("KARAT_WRITE", "1"))
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
    names.iter().for_each(|name| _ = writeln!(lines, "pub mod {name};"));
    let all: Vec<String> = names.iter().map(|name| format!("    &{name}::{constant},\n")).collect();
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
