//! `release`: evidence paths over a store far larger than what they touch, beside the same definitions in Python.
//!
//! The same cases are judged against the store and against the half of it: memory should follow the cases alone.

mod chunk;
mod data;
mod rows;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{Contender, Ground, Table, built, contest, floors, group, page};
use crate::{Outcome, root};
use data::{Data, Size};

pub(crate) fn run(ground: &Ground) -> Outcome {
    let scale = ground.scale();
    let size = Size { chunks: 2_000_000 / scale, cases: 10_000 / scale, rows: 100_000 / scale };
    let data = data::make(&ground.folder, size).map_err(|e| e.to_string())?;
    let mut tables = Vec::new();
    for (store, chunks) in data.stores.iter().zip([size.chunks, size.chunks / 2]) {
        tables.push(table(&data, store, chunks, size.rows, &ground.python)?);
    }
    ground.publish("benchmarks-release", &render(&tables, &data, size), &page::plot(&tables))
}

fn table(data: &Data, store: &Path, chunks: u64, rows: u64, python: &Path) -> Result<Table, String> {
    let script = |more: &[&str]| {
        let mut command = Command::new(python);
        command
            .arg(root().join("bench/score_release.py"))
            .arg(&data.gold)
            .arg(&data.trace)
            .arg(store)
            .args(more);
        command
    };
    let karat = |threads: &str| {
        let mut command = Command::new(built("karat"));
        command.args(["release", "--format", "flat", "--quiet", "--threads", threads, "--gold"]);
        command.arg(&data.gold).arg("--trace").arg(&data.trace).arg("--evidence").arg(store);
        command
    };
    let mut contenders = floors(store);
    contenders.extend([
        Contender::new("karat, 2 threads", karat("2")),
        Contender::new("karat, 1 thread", karat("1")),
        Contender::new("Python, orjson", script(&["--orjson"])),
        Contender::new("Python, standard library", script(&[])),
    ]);
    let bytes = size_of(store);
    let title = format!(
        "{} cases over a store of {:.2} GB, {} chunks",
        group(rows),
        bytes as f64 / 1e9,
        group(chunks)
    );
    let note = "The floors read the store alone; the others read the cases and gold too.".to_owned();
    Ok(Table { title, bytes, note, rows: contest(contenders, figures)? })
}

/// Every figure that both print, as text.
fn figures(out: &str) -> Option<Vec<String>> {
    const COUNTS: [&str; 3] = ["cases", "released", "blocked"];
    const RATES: [&str; 8] = [
        "release_correct",
        "candidate_recall",
        "context_recall",
        "context_precision",
        "faithfulness",
        "citation_coverage",
        "citation_support",
        "point_coverage",
    ];
    let flat: Value = serde_json::from_str(out).ok()?;
    let mut all = Vec::new();
    for name in COUNTS {
        all.push(format!("{name} {}", flat[name].as_u64()?));
    }
    for name in RATES {
        all.push(format!("{name} {:.4}", flat[name].as_f64()?));
    }
    let stages = flat["first_failed_stage"].as_object()?.iter();
    let mut stages: Vec<String> = stages.map(|(stage, cases)| format!("{stage} {cases}")).collect();
    stages.sort();
    all.append(&mut stages);
    Some(all)
}

fn size_of(path: &Path) -> u64 {
    fs::metadata(path).map(|m| m.len()).unwrap_or(0)
}

fn render(tables: &[Table], data: &Data, size: Size) -> String {
    let mut out = format!(
        "<!-- Written by `cargo xtask bench release`. -->\n\n# Benchmarks: release\n\n`cargo xtask bench release` makes the \
         data (fixed seed): an evidence store, {} gold cases ({:.1} MB) and {} cases to judge ({:.0} MB; twenty candidates \
         each, three selected, two to four claims; a third of them broken, in every way that has a stage or a reason). Every \
         contender runs on this machine, its runs in a row, and all of them must agree on every figure of `--format flat` and on the \
         histogram of stages. The best of up to five runs counts. Machines differ and are shared: read the ratios, not the \
         seconds. MB/s are those of the store. The script of the others is \
         [bench/score_release.py](../bench/score_release.py); [benchmarks.md](benchmarks.md) measures `karat answers`.\n\n\
         ![Throughput by contender](benchmarks-release.svg)\n",
        group(size.cases),
        size_of(&data.gold) as f64 / 1e6,
        group(size.rows),
        size_of(&data.trace) as f64 / 1e6,
    );
    for table in tables {
        page::section(&mut out, table);
    }
    let _ = writeln!(
        out,
        "\n## Memory\n\nThe two stores are read for the same cases; the larger one has as many chunks again that no case \
         names. Peak anonymous memory of karat:\n\n| store, MB | 2 threads | 1 thread |\n|--:|--:|--:|"
    );
    for table in tables {
        let memory = |name: &str| {
            let row = table.rows.iter().find(|row| row.name == name);
            row.and_then(|row| row.memory).map_or_else(|| "–".into(), |kib| format!("{} MiB", kib / 1024))
        };
        let bytes = table.bytes as f64 / 1e6;
        let _ =
            writeln!(out, "| {bytes:.0} | {} | {} |", memory("karat, 2 threads"), memory("karat, 1 thread"));
    }
    let _ = writeln!(
        out,
        "\nIt follows the cases and what they touch, not the store: a chunk that nobody names is checked and forgotten, and \
         of one that somebody names only the phrases that a claim needs are looked for and its text is not kept."
    );
    out
}
