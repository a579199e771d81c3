//! How does a section become a table that a terminal and a Markdown report can show?

use serde::Deserialize;
use serde_json::Value;

use crate::formats::figure;
use crate::report::{Body, Curve, Grid, Kind, Matrix, Place, Report, Section, Table, listed, number};
use crate::text::{group, shorten, visible};

/// A table for people: its title, its heads, then its rows. The first column is text, the others are numbers.
pub(in crate::formats) struct TextTable {
    pub(in crate::formats) title: String,
    /// What its signs mean.
    pub(in crate::formats) legend: &'static str,
    pub(in crate::formats) rows: Vec<Vec<String>>,
}

/// The tables of a section: none of what only a page can draw.
pub(in crate::formats) fn tables(section: &Section) -> Vec<TextTable> {
    match &section.body {
        _ if !section.is_on(Place::Text) => Vec::new(),
        Body::Table(table) => of_table(&section.title, table).into_iter().collect(),
        Body::Curve(curve) => of_curve(&section.title, curve).into_iter().collect(),
        Body::Grid(grid) => of_grid(grid),
        Body::Matrix(_) | Body::Lines(_) | Body::Histogram { .. } | Body::Text { .. } => Vec::new(),
    }
}

/// A value as a table shows it; a dash where there is none.
pub(in crate::formats) fn cell(kind: Kind, value: Option<&Value>) -> String {
    let value = value.filter(|value| !value.is_null());
    let own = value.and_then(|value| value.get("kind"));
    let kind = own.and_then(|own| Kind::deserialize(own).ok()).unwrap_or(kind);
    let shown = |of: &dyn Fn(f64) -> String| number(value).map_or_else(|| "–".into(), of);
    match kind {
        Kind::Number => figure(number(value)),
        Kind::Delta => shown(&|value| format!("{:+.4}", value + 0.0)),
        Kind::Percent => shown(&|value| format!("{value:+.1}%")),
        Kind::Ratio => shown(&|value| format!("{value:.2}")),
        // Whole milliseconds, or a tenth where that is much.
        Kind::Milliseconds => {
            shown(&|time| if time < 100.0 { format!("{time:.1}") } else { format!("{time:.0}") })
        }
        Kind::Count => match value.and_then(Value::as_u64) {
            Some(count) => group(count),
            None => shown(&|value| value.to_string()),
        },
        _ => match value {
            Some(Value::String(text)) => visible(text).into_owned(),
            Some(value) => value.to_string(),
            None => "–".into(),
        },
    }
}

fn of_table(title: &str, table: &Table) -> Option<TextTable> {
    let columns = || listed(&table.columns, Place::Text);
    let mut rows = vec![columns().map(|column| column.title.clone()).collect::<Vec<_>>()];
    for row in &table.rows {
        let cells = table.columns.iter().zip(row).filter(|(column, _)| column.on.contains(&Place::Text));
        let cells = cells.enumerate().map(|(i, (column, value))| match cell(column.kind, Some(value)) {
            name if i == 0 => shorten(&name, 40).into_owned(),
            cell => cell,
        });
        rows.push(cells.collect());
    }
    (rows.len() > 1).then(|| TextTable { title: title.to_owned(), legend: "", rows })
}

/// The points of a curve: which is selected, which no other beats, and how many gates stand in the way of each.
fn of_curve(title: &str, curve: &Curve) -> Option<TextTable> {
    const MOST: usize = 20;
    const NAME: usize = 26;
    let columns = || listed(&curve.columns, Place::Text);
    let heads = columns().map(|column| column.title.clone());
    let mut rows = vec![
        ["   point".to_owned()].into_iter().chain(heads).chain(["gates".to_owned()]).collect::<Vec<_>>(),
    ];
    // Of many points, those that one would choose from.
    let few = curve.points.len() <= MOST;
    let shown = curve.points.iter().filter(|point| few || point.on_frontier || point.selected);
    for point in shown.take(MOST) {
        let (arrow, star) =
            (if point.selected { '→' } else { ' ' }, if point.on_frontier { '*' } else { ' ' });
        let name = format!("{arrow}{star} {}", shorten(&visible(&point.name), NAME));
        let cells = columns().map(|column| cell(column.kind, point.facts.get(&column.key)));
        let gates = if point.passes { "pass".into() } else { format!("{} stuck", point.stuck.len()) };
        rows.push([name].into_iter().chain(cells).chain([gates]).collect());
    }
    if !few {
        let left = group((curve.points.len() + 1 - rows.len()) as u64);
        rows.push(vec![format!("   … and {left} more in the json and csv reports")]);
    }
    let legend = " (→ selected, * on the frontier)";
    (rows.len() > 1).then(|| TextTable { title: title.to_owned(), legend, rows })
}

/// How runs ended by each of the two properties, where it has several values.
fn of_grid(grid: &Grid) -> Vec<TextTable> {
    const MOST: usize = 12;
    let table = |axis: &str, names: &[String], of: &dyn Fn(usize) -> Vec<u64>| {
        let states = grid.states.iter().map(|state| state.name.clone());
        let mut rows = vec![[axis.to_owned()].into_iter().chain(states).collect::<Vec<_>>()];
        for (i, name) in names.iter().enumerate().take(MOST) {
            let name = visible(&shorten(name, 24)).into_owned();
            rows.push([name].into_iter().chain(of(i).into_iter().map(group)).collect());
        }
        TextTable { title: format!("Runs by {axis}"), legend: "", rows }
    };
    let mut tables = Vec::new();
    if !grid.cells.is_empty() && grid.columns.len() > 1 {
        tables.push(table(&grid.across, &grid.columns, &|at| grid.of_column(at)));
    }
    if grid.cells.len() > 1 {
        tables.push(table(&grid.down, &grid.rows, &|at| grid.of_row(at)));
    }
    tables
}

/// The title of a matrix, which says what stands down and what across.
pub(in crate::formats) fn matrix_title(title: &str, matrix: &Matrix) -> String {
    match &matrix.across {
        Some(across) => {
            format!("{title}: {} down, {} across", shorten(&matrix.down, 24), shorten(across, 24))
        }
        None => title.to_owned(),
    }
}

/// What moved against the baseline.
pub(in crate::formats) fn moved(report: &Report) -> Option<TextTable> {
    let before = report.baseline.as_ref()?;
    let mut rows = vec![["metric", "baseline", "new", "Δ", "95% interval"].map(str::to_owned).to_vec()];
    let signed = |value: f64| format!("{:+.4}", value + 0.0);
    for (name, delta) in &report.delta {
        let values = (before.metrics.get(name), report.metrics.get(name));
        let (Some(value), (Some(was), Some(now))) = (delta.value, values) else { continue };
        if crate::number::round4(value) == 0.0 {
            continue;
        }
        let interval =
            delta.ci95.map_or_else(String::new, |[low, high]| format!("{} – {}", signed(low), signed(high)));
        // A count is whole, and so is the difference of two.
        let row = match (was.den, now.den) {
            (None, None) => {
                let whole = |value: Option<f64>| value.map_or_else(|| "–".into(), |value| format!("{value}"));
                [whole(was.value), whole(now.value), format!("{value:+}"), interval]
            }
            _ => [figure(was.value), figure(now.value), signed(value), interval],
        };
        rows.push(std::iter::once(name.clone()).chain(row).collect());
    }
    (rows.len() > 1).then(|| TextTable { title: "Compared with the baseline".into(), legend: "", rows })
}
