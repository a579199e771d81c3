//! `cargo xtask bench`: karat beside what one would use instead, on the same files, with the figures checked equal.
//!
//! Everything runs in one go on one machine, in turn and several times, and the best run of each counts: what is worth
//! reading are the ratios. The page and its plot are written to docs/.

pub(crate) mod data;
pub(crate) mod floor;
mod page;
pub(crate) mod trec;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::{Outcome, cargo, root, run};
use data::{Data, Shape};

/// What is measured on one file.
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) bytes: u64,
    pub(crate) gold_bytes: u64,
    pub(crate) rows: Vec<Row>,
}

/// One contender's best run.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) wall: Duration,
    /// Peak anonymous memory in KiB, where the system tells.
    pub(crate) memory: Option<u64>,
    /// It computes the figures, rather than being a floor.
    pub(crate) scores: bool,
}

const ROUNDS: usize = 5;

pub(crate) fn run_all(quick: bool) -> Outcome {
    let folder = root().join("target/bench");
    let python = venv(&folder)?;
    run(cargo().args(["build", "--release", "--locked", "--package", "karat", "--package", "xtask"]))?;
    let scale = if quick { 20 } else { 1 };
    let mut tables = Vec::new();
    for (shape, cases, traces) in
        [(Shape::Lean, 200_000 / scale, 1_000_000 / scale), (Shape::Fat, 200_000 / scale, 80_000 / scale)]
    {
        let data = data::make(&folder, shape, cases, traces).map_err(|e| e.to_string())?;
        tables.push(table(&data, shape, cases, traces, &python)?);
    }
    let rankings = trec::table(&folder, &python, 10_000 / scale)?;
    let growth = growth(&folder, scale)?;
    let small = small()?;
    let page = page::render(&tables, &rankings, &growth, small);
    if quick {
        eprintln!("{page}");
        return Ok(());
    }
    let write =
        |name: &str, text: &str| fs::write(root().join("docs").join(name), text).map_err(|e| e.to_string());
    write("benchmarks.md", &page)?;
    write("benchmarks.svg", &page::plot(&tables))?;
    eprintln!("{page}");
    Ok(())
}

/// The programs of this build.
fn built(name: &str) -> PathBuf {
    root().join("target/release").join(name)
}

/// A Python with the engines that others use.
fn venv(folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("venv/bin/python");
    if !python.exists() {
        fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        run(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "orjson", "duckdb", "polars"]))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(trec::PACKAGES))?;
    }
    Ok(python)
}

fn table(data: &Data, shape: Shape, cases: u64, traces: u64, python: &Path) -> Result<Table, String> {
    let script = |name: &str, more: &[&str]| {
        let mut command = Command::new(python);
        command.arg(root().join("bench").join(name)).arg(&data.gold).arg(&data.trace).args(more);
        command
    };
    let karat = |threads: &str| karat(data, &["--threads", threads]);
    let floor = |kind: &str, threads: &str| {
        let mut command = Command::new(built("xtask"));
        command.args(["floor", kind, threads]).arg(&data.trace);
        command
    };
    let mut contenders: Vec<(&'static str, bool, Command)> = vec![
        ("newline search, 2 threads", false, floor("newline", "2")),
        ("parse and discard, 2 threads", false, floor("skip", "2")),
        ("karat, 2 threads", true, karat("2")),
        ("karat, 1 thread", true, karat("1")),
        ("DuckDB query", true, script("score_duckdb.py", &[])),
        ("Polars query", true, script("score_polars.py", &[])),
        ("Python, orjson", true, script("score.py", &["--orjson"])),
        ("Python, standard library", true, script("score.py", &[])),
    ];
    let rows = contest(&mut contenders, five)?;
    let size = |path: &Path| fs::metadata(path).map(|m| m.len()).unwrap_or(0);
    let title = format!(
        "{} traces: {} of {} bytes on average, {} gold rows",
        shape.name(),
        group(traces),
        data.bytes / traces.max(1),
        group(cases)
    );
    Ok(Table { title, bytes: data.bytes, gold_bytes: size(&data.gold), rows })
}

/// Runs every contender in turn, up to five times; those that score must agree on the figures they print.
pub(crate) fn contest(
    contenders: &mut [(&'static str, bool, Command)],
    figures_of: fn(&str) -> Option<Vec<String>>,
) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Vec::new();
    let mut figures: Option<(&str, Vec<String>)> = None;
    for round in 0..ROUNDS {
        for (i, (name, scores, command)) in contenders.iter_mut().enumerate() {
            // The slow ones are not waited for five times.
            if round > 1 && rows[i].wall > Duration::from_secs(3) {
                continue;
            }
            let (wall, memory, out) = measure(command).map_err(|e| format!("{name}: {e}"))?;
            if round == 0 {
                rows.push(Row { name, wall, memory, scores: *scores });
            }
            rows[i].wall = rows[i].wall.min(wall);
            rows[i].memory = rows[i].memory.max(memory);
            if *scores {
                let got = figures_of(&out).ok_or_else(|| format!("{name} printed no figures: {out}"))?;
                match &figures {
                    None => figures = Some((name, got)),
                    Some((first, expected)) if *expected != got => {
                        return Err(format!("{name} and {first} disagree: {got:?} against {expected:?}"));
                    }
                    Some(_) => {}
                }
            }
            eprintln!("  {:<30} {:>8.3} s", name, wall.as_secs_f64());
        }
    }
    Ok(rows)
}

fn karat(data: &Data, more: &[&str]) -> Command {
    let mut command = Command::new(built("karat"));
    command
        .args(["answers", "--format", "flat", "--scu", "off", "--gold"])
        .arg(&data.gold)
        .arg("--trace")
        .arg(&data.trace);
    command.args(more);
    command
}

/// Traces, bytes, wall time, and peak memory in KiB.
pub(crate) type Point = (u64, u64, Duration, Option<u64>);

/// Wall time and peak memory of karat as the traces grow.
fn growth(folder: &Path, scale: u64) -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    for millions in [1, 2, 4, 8] {
        let (cases, traces) = (200_000 / scale, millions * 1_000_000 / scale);
        let data = data::make(folder, Shape::Lean, cases, traces).map_err(|e| e.to_string())?;
        let mut best: Option<(Duration, Option<u64>)> = None;
        for _ in 0..3 {
            let (wall, memory, _) = measure(&mut karat(&data, &["--threads", "2"]))?;
            best = Some(best.map_or((wall, memory), |(w, m)| (w.min(wall), m.max(memory))));
        }
        if let Some((wall, memory)) = best {
            points.push((traces, data.bytes, wall, memory));
        }
    }
    Ok(points)
}

/// From start to exit on the twelve cases of the example: the median of 50 runs.
fn small() -> Result<Duration, String> {
    let mut times = Vec::new();
    for _ in 0..50 {
        let mut command = Command::new(built("karat"));
        command.current_dir(root()).args([
            "answers",
            "--gold",
            "examples/answers/gold.jsonl",
            "--trace",
            "examples/answers/trace.jsonl",
        ]);
        let start = Instant::now();
        command.stdout(Stdio::null()).status().map_err(|e| e.to_string())?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok(times[times.len() / 2])
}

/// Runs a command; its wall time, its peak anonymous memory in KiB, and what it printed.
fn measure(command: &mut Command) -> Result<(Duration, Option<u64>, String), String> {
    let start = Instant::now();
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|e| e.to_string())?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = None;
    let wall = loop {
        let anonymous = fs::read_to_string(&status).ok().and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"))?.trim().to_owned();
            line.trim_end_matches(" kB").parse::<u64>().ok()
        });
        peak = peak.max(anonymous);
        if child.try_wait().map_err(|e| e.to_string())?.is_some() {
            break start.elapsed();
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let out = child.wait_with_output().map_err(|e| e.to_string())?;
    Ok((wall, peak, String::from_utf8_lossy(&out.stdout).into_owned()))
}

/// The five figures in a flat JSON object, as text.
fn five(out: &str) -> Option<Vec<String>> {
    ["precision", "chr", "under_refusal", "over_refusal", "recall@k"]
        .iter()
        .map(|name| {
            let (_, rest) = out.split_once(&format!("\"{name}\":"))?;
            let number: f64 = rest.trim_start().split([',', '}', '\n']).next()?.trim().parse().ok()?;
            Some(format!("{name} {number:.4}"))
        })
        .collect()
}

pub(crate) fn group(n: u64) -> String {
    let digits = n.to_string();
    let parts: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|part| std::str::from_utf8(part).ok()).collect();
    parts.join(",")
}
