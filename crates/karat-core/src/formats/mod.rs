//! WRITE: how does one report become bytes for people, for a script, for a pull request?
//!
//! A format is one file with one constant; it sees a [`Report`] and nothing else. The command's `--format` and the
//! endings of `--out` come from [`ALL`].

use crate::report::{Checked, Report};
use crate::text::{shorten, visible};

// codegen: begin (cargo xtask codegen writes these lines from the folder)
pub mod csv;
pub mod flat;
pub mod github;
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
