//! WRITE: how does one report become bytes for people, for a script, for a pull request?
//!
//! A format is one file with one constant; it sees a [`Report`] and nothing else. The command's `--format` and the
//! endings of `--out` come from [`ALL`].

use crate::report::{Checked, CurvePoint, Report, Stability, StateCounts};
use crate::text::{self as words, shorten, visible};

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod csv;
pub mod flat;
pub mod github;
pub mod html;
pub mod json;
pub mod junit;
pub mod md;
pub mod sarif;
pub mod text;
pub mod tsv;

/// Every format, in alphabetical order.
pub const ALL: &[&Format] = &[
    &csv::FORMAT,
    &flat::FORMAT,
    &github::FORMAT,
    &html::FORMAT,
    &json::FORMAT,
    &junit::FORMAT,
    &md::FORMAT,
    &sarif::FORMAT,
    &text::FORMAT,
    &tsv::FORMAT,
];
// codegen: end

/// A format, declared.
pub struct Format {
    /// The name that users type.
    pub name: &'static str,
    /// The ending of a file name that picks it; empty where it is only printed.
    pub ending: &'static str,
    /// What it is for, in one sentence.
    pub summary: &'static str,
    /// Writes a report.
    pub render: fn(&Report, &Style) -> String,
    /// Writes what `karat check` came to.
    pub check: fn(&Checked, &Style) -> String,
    /// Whether it lists the cases of a suite. Where no format does, a report is made without the list, which is much for
    /// a large gold set.
    pub cases: fn(&str) -> bool,
    /// It shows the paths of cases, which a report has only where it is asked for them ([`crate::tell::Tell`]).
    pub paths: bool,
}

/// How a report may look.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// With colours.
    pub color: bool,
    /// The verdict alone.
    pub brief: bool,
}

impl Style {
    /// For a file: no colours, everything in it.
    pub const PLAIN: Style = Style { color: false, brief: false };
}

/// The format of this name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Format> {
    ALL.iter().copied().find(|format| format.name == name)
}

/// The format that a file's name asks for: the longest ending that fits.
#[must_use]
pub fn for_file(name: &str) -> Option<&'static Format> {
    ALL.iter()
        .copied()
        .filter(|format| !format.ending.is_empty() && name.ends_with(format.ending))
        .max_by_key(|format| format.ending.len())
}

/// A number rounded to four decimals for a table; a dash where there is none.
pub(crate) fn figure(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"))
}

/// A cell that no spreadsheet runs as a formula, in one line that shows all it holds.
pub(crate) fn defused(text: &str) -> String {
    let text = visible(text); // no escape sequence reaches a terminal, no line is broken
    let armed = text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']);
    if armed { format!("'{text}") } else { text.into_owned() }
}

/// A table for people: its heads, then its rows. The first column is text, the others are numbers.
pub(crate) type Table = Vec<Vec<String>>;

/// Precision and recall of each type of content at the cut-off that people look at, beside the baseline's.
pub(crate) fn types(report: &Report) -> Option<Table> {
    let by_type = &report.retrieval.as_ref()?.by_type;
    let names = by_type.first()?.1.metrics.keys();
    let cuts: Vec<&str> = names.filter_map(|name| name.strip_prefix("R@")).collect();
    let cut = cuts.iter().find(|cut| **cut == "5").or(cuts.last())?;
    let shown = [format!("P@{cut}"), format!("R@{cut}")];
    let compared = by_type.values().any(|of_type| !of_type.delta.is_empty());
    let mut table = vec![vec!["type".to_owned()]];
    for name in &shown {
        table[0].push(name.clone());
        if compared {
            table[0].push("Δ".into());
        }
    }
    for (kind, of_type) in by_type {
        let mut row = vec![shorten(&visible(kind), 40).into_owned()];
        for name in &shown {
            row.push(figure(of_type.metrics.get(name).and_then(|figure| figure.value)));
            if compared {
                row.push(signed(of_type.delta.get(name).and_then(|delta| delta.value)));
            }
        }
        table.push(row);
    }
    Some(table)
}

/// What moved against the baseline.
pub(crate) fn moved(report: &Report) -> Option<Table> {
    let before = report.baseline.as_ref()?;
    let mut table = vec![["metric", "baseline", "new", "Δ", "95% interval"].map(str::to_owned).to_vec()];
    for (name, delta) in &report.delta {
        let values = (before.metrics.get(name), report.metrics.get(name));
        let (Some(value), (Some(was), Some(now))) = (delta.value, values) else { continue };
        if crate::number::round4(value) == 0.0 {
            continue;
        }
        let interval = delta.ci95.map_or_else(String::new, |[low, high]| {
            format!("{} – {}", signed(Some(low)), signed(Some(high)))
        });
        // A count is whole, and so is the difference of two.
        let row = match (was.den, now.den) {
            (None, None) => {
                let whole = |value: Option<f64>| value.map_or_else(|| "–".into(), |value| format!("{value}"));
                [whole(was.value), whole(now.value), format!("{value:+}"), interval]
            }
            _ => [figure(was.value), figure(now.value), signed(Some(value)), interval],
        };
        table.push(std::iter::once(name.clone()).chain(row).collect());
    }
    (table.len() > 1).then_some(table)
}

/// How the runs of each jitter and of each seed ended, where there are several: a title and a table each.
pub(crate) fn repeated(report: &Report) -> Vec<(&'static str, Table)> {
    const MOST: usize = 12;
    let Some(Stability { seeds, jitters, grid }) = &report.stability else { return Vec::new() };
    let sum = |counts: &mut dyn Iterator<Item = &StateCounts>| {
        counts.fold(StateCounts::default(), |mut sum, counts| {
            sum.add(counts);
            sum
        })
    };
    let table = |axis: &str, names: &[String], of: &dyn Fn(usize) -> StateCounts| {
        let heads = [axis, "held", "wrong", "refused", "errored", "missing"];
        let mut table = vec![heads.map(str::to_owned).to_vec()];
        for (i, name) in names.iter().enumerate().take(MOST) {
            let StateCounts { held, wrong, refused, errored, missing } = of(i);
            let name = crate::text::visible(&crate::text::shorten(name, 24)).into_owned();
            let counts = [held, wrong, refused, errored, missing].map(crate::text::group);
            table.push(std::iter::once(name).chain(counts).collect());
        }
        table
    };
    let column = |at: usize| sum(&mut grid.iter().filter_map(|row| row.get(at)));
    let row = |at: usize| sum(&mut grid[at].iter());
    let mut tables = Vec::new();
    if !grid.is_empty() && jitters.len() > 1 {
        tables.push(("Runs by jitter", table("jitter", jitters, &column)));
    }
    if grid.len() > 1 {
        tables.push(("Runs by seed", table("seed", seeds, &row)));
    }
    tables
}

/// The points of a curve: which is selected, which no other beats, and what stands in the way of each.
pub(crate) fn curve(report: &Report) -> Option<Table> {
    const MOST: usize = 20;
    const NAME: usize = 26;
    let curve = &report.latency.as_ref()?.curve;
    let loaded = curve.points.iter().any(|point| point.load.is_some());
    let mut table = vec![vec!["   point".to_owned()]];
    table[0].extend(loaded.then(|| "rps".to_owned()));
    table[0].extend(["samples", "p50", "p95", "p99", "precision", "gates"].map(str::to_owned));
    // Of many points, those that one would choose from.
    let few = curve.points.len() <= MOST;
    let shown = curve.points.iter().filter(|point| few || point.on_frontier || point.selected);
    for point in shown.take(MOST) {
        let (arrow, star) =
            (if point.selected { '→' } else { ' ' }, if point.on_frontier { '*' } else { ' ' });
        let mut row = vec![format!("{arrow}{star} {}", shorten(&visible(&point.name), NAME))];
        row.extend(loaded.then(|| point.load.map_or_else(|| "–".into(), |load| load.to_string())));
        row.push(words::group(point.times.samples));
        row.extend([point.times.p50, point.times.p95, point.times.p99].map(milliseconds));
        row.push(figure(point.accuracy.get("precision").and_then(|figure| figure.value)));
        row.push(if point.passes { "pass".into() } else { format!("{} stuck", point.stuck.len()) });
        table.push(row);
    }
    if !few {
        let left = words::group((curve.points.len() + 1 - table.len()) as u64);
        table.push(vec![format!("   … and {left} more in the json and csv reports")]);
    }
    (table.len() > 1).then_some(table)
}

/// How long each stage of the selected point takes.
pub(crate) fn stage_times(report: &Report) -> Option<Table> {
    let point = report.latency.as_ref()?.curve.chosen()?;
    let heads = ["stage", "samples", "p50", "p90", "p95", "p99", "p99/p50"];
    let mut table = vec![heads.map(str::to_owned).to_vec()];
    let whole = ("question to answer".to_owned(), &point.times);
    for (name, times) in point.stages.iter().map(|(name, times)| (name.clone(), times)).chain([whole]) {
        let mut row = vec![name, words::group(times.samples)];
        row.extend([times.p50, times.p90, times.p95, times.p99].map(milliseconds));
        row.push(times.tail_amplification.map_or_else(|| "–".into(), |tail| format!("{tail:.2}")));
        table.push(row);
    }
    (table.len() > 2).then_some(table)
}

/// The selected point beside the baseline's.
pub(crate) fn against(report: &Report) -> Option<Table> {
    let latency = report.latency.as_ref()?;
    let (new, old) = (latency.curve.chosen()?, latency.baseline.as_ref()?.chosen()?);
    let mut table = vec![["", "baseline", "new", "Δ"].map(str::to_owned).to_vec()];
    let times = |point: &CurvePoint| [point.times.p50, point.times.p95, point.times.p99];
    for (head, (was, now)) in ["p50", "p95", "p99"].into_iter().zip(times(old).into_iter().zip(times(new))) {
        let change = was.zip(now).filter(|(was, _)| *was > 0.0);
        let change =
            change.map_or_else(|| "–".into(), |(was, now)| format!("{:+.1}%", (now - was) / was * 100.0));
        table.push(vec![head.into(), milliseconds(was), milliseconds(now), change]);
    }
    for (head, now) in &new.accuracy {
        let (was, now) = (old.accuracy.get(head).and_then(|figure| figure.value), now.value);
        let change = was.zip(now).map(|(was, now)| now - was);
        table.push(vec![head.clone(), figure(was), figure(now), signed(change)]);
    }
    Some(table)
}

/// A time for a table: whole milliseconds, or a tenth where that is much.
fn milliseconds(time: Option<f64>) -> String {
    time.map_or_else(
        || "–".to_owned(),
        |time| if time < 100.0 { format!("{time:.1}") } else { format!("{time:.0}") },
    )
}

/// A difference with its sign; a dash where there is none.
fn signed(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{:+.4}", value + 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_endings_are_unique_and_endings_pick_the_longest() {
        for (i, format) in ALL.iter().enumerate() {
            assert!(ALL[i + 1..].iter().all(|f| f.name != format.name && f.ending != format.ending));
            if format.ending.is_empty() {
                continue; // only printed
            }
            assert_eq!(for_file(&format!("x{}", format.ending)).map(|found| found.name), Some(format.name));
        }
        assert_eq!(for_file("a/last.flat.json").map(|f| f.name), Some("flat"));
        assert!(for_file("report").is_none());
    }
}
