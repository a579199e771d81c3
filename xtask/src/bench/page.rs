//! docs/benchmarks.md, and what the pages of all suites share: a table, and a plot.

use std::fmt::Write;
use std::time::Duration;

use super::answers::Point;
use super::{Row, Table, group};

pub(crate) fn render(tables: &[Table], growth: &[Point], small: Duration) -> String {
    let mut out = String::from(
        "<!-- Written by `cargo xtask bench`. -->\n\n# Benchmarks\n\n`cargo xtask bench` makes the data (fixed seed), runs \
         every contender on this machine, checks that all of them agree on precision, chr, under-refusal, \
         over-refusal and recall@5, and writes this page. The best of up to five runs in a row counts. Machines differ and are \
         shared: read the ratios, not the seconds. The scripts of the others are in [bench/](../bench). \
         What karat does to a trace, and what limits it, is told in [speed.md](speed.md). This page measures `karat answers`; [benchmarks-release.md](benchmarks-release.md) measures `karat release`.\n\n\
         ![Throughput by contender](benchmarks.svg)\n",
    );
    for table in tables {
        section(&mut out, table);
    }
    let _ = writeln!(
        out,
        "\n## Growth\n\nLean traces, two threads: time follows the bytes, memory follows the gold set. The last row reads four million traces five times.\n\n| traces | MB | s per million traces, relative to the first | peak anonymous memory |\n|--:|--:|--:|--:|"
    );
    let per = |(traces, _, wall, _): &Point| wall.as_secs_f64() / *traces as f64;
    let first = growth.first().map_or(f64::NAN, per);
    for point in growth {
        let memory = point.3.map_or_else(|| "–".into(), |kib| format!("{} MiB", kib / 1024));
        let _ = writeln!(
            out,
            "| {} | {:.0} | {:.2} | {memory} |",
            group(point.0),
            point.1 as f64 / 1e6,
            per(point) / first
        );
    }
    let _ = writeln!(
        out,
        "\nA small run (the twelve cases of examples/answers, from start to exit) takes {:.1} ms.",
        small.as_secs_f64() * 1e3
    );
    out
}

/// A throughput; one below 1 is not shown as none.
fn shown(rate: f64) -> String {
    if rate < 1.0 { format!("{rate:.3}") } else { format!("{rate:.0}") }
}

/// One table and what it comes to.
pub(crate) fn section(out: &mut String, table: &Table) {
    let find = |name: &str| table.rows.iter().find(|row| row.name == name).map(|row| row.wall.as_secs_f64());
    let karat = find("karat, 2 threads").unwrap_or(f64::NAN);
    let _ = writeln!(
        out,
        "\n## {}\n\n| | MB/s | karat is faster by | peak anonymous memory |\n|---|--:|--:|--:|",
        capital(&table.title)
    );
    for row in &table.rows {
        let memory = row.memory.map_or_else(|| "–".into(), |kib| format!("{} MiB", kib / 1024));
        let name = if row.scores { row.name.to_owned() } else { format!("*{}* (floor)", row.name) };
        let _ = writeln!(
            out,
            "| {name} | {} | {:.2}× | {memory} |",
            shown(rate(table, row)),
            row.wall.as_secs_f64() / karat
        );
    }
    let share = |name: &str| find(name).map(|floor| format!("{:.0} %", 100.0 * floor / karat));
    let threads = find("karat, 1 thread").unwrap_or(f64::NAN) / karat;
    let floors = match (share("parse and discard, 2 threads"), share("newline search, 2 threads")) {
        (Some(parsing), Some(searching)) => format!(
            "karat with two threads reaches {parsing} of the throughput of parsing and discarding and {searching} of that of a \
             mere newline search. "
        ),
        _ => String::new(),
    };
    let _ = writeln!(out, "\n{floors}Two threads of karat are {threads:.2}× one. {}", table.note);
}

fn rate(table: &Table, row: &Row) -> f64 {
    table.bytes as f64 / 1e6 / row.wall.as_secs_f64()
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Bars of throughput, one group a table.
pub(crate) fn plot(tables: &[Table]) -> String {
    const WIDTH: f64 = 760.0;
    const BAR: f64 = 20.0;
    const LEFT: f64 = 270.0;
    let height: f64 =
        tables.iter().map(|table| 44.0 + (BAR + 4.0) * table.rows.len() as f64).sum::<f64>() + 10.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"Throughput in megabytes a second by contender\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <style>text{{fill:#333}}@media(prefers-color-scheme:dark){{text{{fill:#ddd}}}}</style>\n"
    );
    let mut y = 24.0;
    for table in tables {
        let best = table.rows.iter().map(|row| rate(table, row)).fold(0.0, f64::max);
        let _ = writeln!(
            out,
            "<text x=\"8\" y=\"{y}\" font-weight=\"bold\">{} (MB/s)</text>",
            capital(&table.title)
        );
        y += 10.0;
        for row in &table.rows {
            let width = (WIDTH - LEFT - 70.0) * rate(table, row) / best;
            let fill = match (row.name.starts_with("karat"), row.scores) {
                (true, _) => "#d4a017",
                (false, true) => "#8a8f98",
                (false, false) => "#c9ccd1",
            };
            let _ = writeln!(
                out,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BAR}\" fill=\"{fill}\"/><text x=\"{:.1}\" y=\"{:.1}\">{:.0}</text>",
                LEFT - 8.0,
                y + 14.0,
                row.name,
                LEFT + width + 6.0,
                y + 14.0,
                rate(table, row)
            );
            y += BAR + 4.0;
        }
        y += 34.0;
    }
    out.push_str("</svg>\n");
    out
}
