//! How many instructions does a trace cost? Callgrind counts them, and the count hardly depends on the machine's load: a figure
//! that two commits can be compared by, where seconds are too noisy. Counted is the hot path, from the bytes of a line to its
//! verdict in the ledger; fingerprints are left out, as callgrind knows no instructions for hashing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::data::{self, Shape};
use super::{build, built, group};
use crate::{Outcome, root, setup};

/// What is counted: a name, the traces of one shape, and how many of them.
const LOADS: [(&str, Shape, u64); 2] = [("lean", Shape::Lean, 20_000), ("fat", Shape::Fat, 2_000)];
const CASES: u64 = 4_000;

/// Counts, compares with the page that is there, and writes it anew.
pub(crate) fn count() -> Outcome {
    setup::provide(&[&setup::VALGRIND])?;
    build()?;
    let folder = root().join("target/bench");
    let page = root().join("docs/instructions.md");
    let before = fs::read_to_string(&page).unwrap_or_default();
    let mut rows = Vec::new();
    for (name, shape, traces) in LOADS {
        let data = data::make(&folder, shape, CASES, traces).map_err(|e| e.to_string())?;
        rows.push((name, counted(&data.gold, &data.trace)? / traces, data.bytes / traces));
    }
    let text = render(&rows);
    eprintln!("{text}");
    for (old, new) in before.lines().zip(text.lines()).filter(|(old, new)| old != new) {
        eprintln!("was: {old}\nnow: {new}");
    }
    fs::write(page, text).map_err(|e| e.to_string())
}

/// The instructions of one run on one thread.
fn counted(gold: &Path, trace: &Path) -> Result<u64, String> {
    let out: PathBuf = root().join("target/bench/callgrind.out");
    let ran = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*Batches*batch*"])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(built("karat"))
        .args(["answers", "--format", "flat", "--scu", "off", "--threads", "1", "--gold"])
        .arg(gold)
        .arg("--trace")
        .arg(trace)
        .output()
        .map_err(|e| format!("valgrind: {e}"))?;
    let said = String::from_utf8_lossy(&ran.stderr);
    let found = said.lines().find_map(|line| line.split("Collected : ").nth(1)?.trim().parse().ok());
    found.ok_or_else(|| format!("valgrind counted nothing:\n{said}"))
}

fn render(rows: &[(&str, u64, u64)]) -> String {
    let mut text = String::from(
        "<!-- Written by `cargo xtask instructions`. -->\n\n# Instructions\n\n\
         What a trace costs `karat answers` on one thread, from the bytes of its line to its verdict, counted by callgrind. \
         `cargo xtask instructions` counts again, says what changed, and writes this page. Not a time: memory that is waited for \
         costs no instruction.\n\n| trace | bytes | instructions | a byte |\n|---|--:|--:|--:|\n",
    );
    for (name, each, bytes) in rows {
        let a_byte = *each as f64 / (*bytes).max(1) as f64;
        text.push_str(&format!("| {name} | {} | {} | {a_byte:.2} |\n", group(*bytes), group(*each)));
    }
    text
}
