//! `answers`: a gold set and logged traces, lean and fat, beside Python, orjson, DuckDB and Polars.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::data::{self, Data, Shape};
use super::{Contender, Ground, Table, built, contest, floors, group, measure, page};
use crate::{Outcome, root};

pub(crate) fn run(ground: &Ground) -> Outcome {
    let scale = ground.scale();
    let mut tables = Vec::new();
    for (shape, cases, traces) in
        [(Shape::Lean, 200_000 / scale, 1_000_000 / scale), (Shape::Fat, 200_000 / scale, 200_000 / scale)]
    {
        let data = data::make(&ground.folder, shape, cases, traces).map_err(|e| e.to_string())?;
        tables.push(table(&data, shape, cases, traces, &ground.python)?);
    }
    let growth = growth(&ground.folder, scale)?;
    let small = small()?;
    ground.publish("benchmarks", &page::render(&tables, &growth, small), &page::plot(&tables))
}

fn table(data: &Data, shape: Shape, cases: u64, traces: u64, python: &Path) -> Result<Table, String> {
    let script = |name: &str, more: &[&str]| {
        let mut command = Command::new(python);
        command.arg(root().join("bench").join(name)).arg(&data.gold).arg(&data.trace).args(more);
        command
    };
    let karat = |threads: &str| karat(&data.gold, &[&data.trace], threads);
    let mut contenders = floors(&data.trace);
    contenders.extend([
        Contender::new("karat, 2 threads", karat("2")),
        Contender::new("karat, 1 thread", karat("1")),
        Contender::new("DuckDB query", script("score_duckdb.py", &[])),
        Contender::new("Polars query", script("score_polars.py", &[])),
        Contender::new("Python, orjson", script("score.py", &["--orjson"])),
        Contender::new("Python, standard library", script("score.py", &[])),
    ]);
    let rows = contest(contenders, five)?;
    let gold_bytes = fs::metadata(&data.gold).map(|m| m.len()).unwrap_or(0);
    let title = format!(
        "{} traces: {} of {} bytes on average, {} gold rows",
        shape.name(),
        group(traces),
        data.bytes / traces.max(1),
        group(cases)
    );
    let mut note = format!("The gold set is {:.1} MB.", gold_bytes as f64 / 1e6);
    let wall = |name: &str| rows.iter().find(|row| row.name == name).map(|row| row.wall.as_secs_f64());
    if let (Some(all), Some(floor)) = (wall("karat, 2 threads"), wall("parse and discard, 2 threads")) {
        let alone = gold_alone(data)?.as_secs_f64();
        note.push_str(&format!(
            " Reading gold and writing the report take {:.0} % of karat's time with two threads; what the traces take is at {:.0} % \
             of the throughput of parsing and discarding.",
            100.0 * alone / all,
            100.0 * floor / (all - alone)
        ));
    }
    Ok(Table { title, bytes: data.bytes, note, rows })
}

fn karat(gold: &Path, traces: &[&Path], threads: &str) -> Command {
    let mut command = Command::new(built("karat"));
    command.args(["answers", "--format", "flat", "--scu", "off", "--threads", threads, "--gold"]).arg(gold);
    for trace in traces {
        command.arg("--trace").arg(trace);
    }
    command
}

/// The best of five runs with no trace at all.
fn gold_alone(data: &Data) -> Result<Duration, String> {
    let none = data.trace.with_file_name("none.jsonl");
    fs::write(&none, "").map_err(|e| e.to_string())?;
    let mut best = Duration::MAX;
    for _ in 0..5 {
        best = best.min(measure(&mut karat(&data.gold, &[&none], "2"))?.0);
    }
    Ok(best)
}

/// Traces, bytes, wall time, and peak memory in KiB.
pub(crate) type Point = (u64, u64, Duration, Option<u64>);

/// Wall time and peak memory of karat as the traces grow.
fn growth(folder: &Path, scale: u64) -> Result<Vec<Point>, String> {
    let mut points = Vec::new();
    // Twenty million are four million read five times: what they cost is the same, and it spares ten gigabytes of disk.
    for (millions, times) in [(1, 1), (2, 1), (4, 1), (8, 1), (4, 5)] {
        let (cases, traces) = (200_000 / scale, millions * 1_000_000 / scale);
        let data = data::make(folder, Shape::Lean, cases, traces).map_err(|e| e.to_string())?;
        let paths = vec![data.trace.as_path(); times];
        let mut best: Option<(Duration, Option<u64>)> = None;
        for _ in 0..3 {
            let (wall, memory, _) = measure(&mut karat(&data.gold, &paths, "2"))?;
            best = Some(best.map_or((wall, memory), |(w, m)| (w.min(wall), m.max(memory))));
        }
        if let Some((wall, memory)) = best {
            points.push((traces * times as u64, data.bytes * times as u64, wall, memory));
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
