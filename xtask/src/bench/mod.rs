//! `cargo xtask bench`: karat beside what one would use instead, on the same files, with the figures checked equal.
//!
//! Everything runs in one go on one machine, one behind the other and several times, and the best run of each counts: what is
//! worth reading are the ratios. Each suite writes a page and a plot to docs/.

mod answers;
mod data;
pub(crate) mod floor;
pub(crate) mod instructions;
mod page;
mod release;
mod retrieval;
mod stability;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::{Outcome, cargo, root, run};

/// A suite by its name, and how it is measured.
type Suite = (&'static str, fn(&Ground) -> Outcome);

/// The suites that are measured.
const SUITES: [Suite; 4] = [
    ("answers", answers::run),
    ("release", release::run),
    ("retrieval", retrieval::run),
    ("stability", stability::run),
];

/// Where a suite is measured, and how much of it.
pub(crate) struct Ground {
    /// The data, made once.
    pub(crate) folder: PathBuf,
    /// A Python with the engines that others use.
    pub(crate) python: PathBuf,
    /// A twentieth of the data; the page is shown and not written.
    quick: bool,
}

impl Ground {
    /// By how much the data is smaller than it should be.
    pub(crate) fn scale(&self) -> u64 {
        if self.quick { 20 } else { 1 }
    }

    /// Writes a page of docs/ and its plot.
    pub(crate) fn publish(&self, name: &str, page: &str, plot: &str) -> Outcome {
        eprintln!("{page}");
        if self.quick {
            return Ok(());
        }
        let write = |end: &str, text: &str| {
            fs::write(root().join("docs").join(format!("{name}.{end}")), text).map_err(|e| e.to_string())
        };
        write("md", page)?;
        write("svg", plot)
    }
}

/// What is measured on one file.
pub(crate) struct Table {
    pub(crate) title: String,
    pub(crate) bytes: u64,
    /// A last sentence.
    pub(crate) note: String,
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

/// Somebody who runs.
pub(crate) struct Contender {
    name: &'static str,
    scores: bool,
    command: Command,
}

impl Contender {
    pub(crate) fn new(name: &'static str, command: Command) -> Self {
        Contender { name, scores: true, command }
    }
}

const ROUNDS: usize = 5;

/// Measures the suites that are named, or all; with the word `quick`, on less data.
pub(crate) fn run_all(args: &[&str]) -> Outcome {
    let quick = args.contains(&"quick");
    let names: Vec<&str> = args.iter().copied().filter(|arg| *arg != "quick").collect();
    if let Some(unknown) = names.iter().find(|name| SUITES.iter().all(|(suite, _)| suite != *name)) {
        let known = SUITES.map(|(suite, _)| suite).join("|");
        return Err(format!("no benchmark is called {unknown}; usage: cargo xtask bench [{known}] [quick]"));
    }
    let folder = root().join("target/bench");
    let python = venv(&folder)?;
    build()?;
    let ground = Ground { folder, python, quick };
    let chosen = SUITES.iter().filter(|(suite, _)| names.is_empty() || names.contains(suite));
    chosen.into_iter().try_for_each(|(_, measured)| measured(&ground))
}

/// Builds what is measured, as it is shipped.
fn build() -> Outcome {
    run(cargo().args(["build", "--profile", "dist", "--locked", "--workspace"]))
}

/// The programs of this build.
fn built(name: &str) -> PathBuf {
    root().join("target/dist").join(name)
}

/// A Python with the engines that others use.
fn venv(folder: &Path) -> Result<PathBuf, String> {
    let python = folder.join("venv/bin/python");
    if !python.exists() {
        fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        run(Command::new("python3").args(["-m", "venv"]).arg(folder.join("venv")))?;
    }
    // Quick where all of them are there, and right where an older run made the environment.
    let packages =
        ["orjson", "duckdb", "polars"].into_iter().chain(retrieval::PACKAGES).chain(stability::PACKAGES);
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    Ok(python)
}

/// How fast a file can be read at all, how fast with each byte checked and fingerprinted, and how fast with every value skipped.
pub(crate) fn floors(path: &Path) -> Vec<Contender> {
    let floor = |name, kind| {
        let mut command = Command::new(built("xtask"));
        command.args(["floor", kind, "2"]).arg(path);
        Contender { name, scores: false, command }
    };
    vec![
        floor("newline search, 2 threads", "newline"),
        floor("UTF-8 check and fingerprint, 2 threads", "check"),
        floor("parse and discard, 2 threads", "skip"),
    ]
}

/// Runs everybody several times; those who score must print the same figures. The runs of one are in a row: memory that
/// nobody used for a while is slow to come back on a shared machine, and that would be counted to whoever is next.
pub(crate) fn contest(
    contenders: Vec<Contender>,
    figures: fn(&str) -> Option<Vec<String>>,
) -> Result<Vec<Row>, String> {
    let mut rows: Vec<Row> = Vec::new();
    let mut agreed: Option<(&str, Vec<String>)> = None;
    for Contender { name, scores, mut command } in contenders {
        let mut row = Row { name, wall: Duration::MAX, memory: None, scores };
        for round in 0..ROUNDS {
            // The slow ones are not waited for five times.
            if round > 1 && row.wall > Duration::from_secs(10) {
                break;
            }
            let (wall, memory, out) = measure(&mut command).map_err(|e| format!("{name}: {e}"))?;
            row.wall = row.wall.min(wall);
            row.memory = row.memory.max(memory);
            if scores {
                let got = figures(&out).ok_or_else(|| format!("{name} printed no figures: {out}"))?;
                match &agreed {
                    None => agreed = Some((name, got)),
                    Some((first, expected)) if *expected != got => {
                        return Err(format!("{name} and {first} disagree: {got:?} against {expected:?}"));
                    }
                    Some(_) => {}
                }
            }
            eprintln!("  {name:<40} {:>8.3} s", wall.as_secs_f64());
        }
        rows.push(row);
    }
    Ok(rows)
}

/// Runs a command; its wall time, its peak anonymous memory in KiB, and what it printed.
fn measure(command: &mut Command) -> Result<(Duration, Option<u64>, String), String> {
    let start = Instant::now();
    let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(|e| e.to_string())?;
    let status = format!("/proc/{}/status", child.id());
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Not more often: looking costs those who are looked at.
        let looking = scope.spawn(|| {
            let mut peak = None;
            while !ended.load(Ordering::Relaxed) {
                let anonymous = fs::read_to_string(&status).ok().and_then(|text| {
                    let line = text.lines().find_map(|line| line.strip_prefix("RssAnon:"))?.trim().to_owned();
                    line.trim_end_matches(" kB").parse::<u64>().ok()
                });
                peak = peak.max(anonymous);
                std::thread::sleep(Duration::from_millis(10));
            }
            peak
        });
        let out = child.wait_with_output();
        let wall = start.elapsed();
        ended.store(true, Ordering::Relaxed);
        let peak = looking.join().map_err(|_| "nobody looked at its memory".to_owned())?;
        Ok((wall, peak, String::from_utf8_lossy(&out.map_err(|e| e.to_string())?.stdout).into_owned()))
    })
}

pub(crate) fn group(n: u64) -> String {
    let digits = n.to_string();
    let parts: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|part| std::str::from_utf8(part).ok()).collect();
    parts.join(",")
}
