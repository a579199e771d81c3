//! One row for each case, or for each point where the suite draws a curve, for spreadsheets. A cell that a spreadsheet would run as a formula is defused with an apostrophe.

use serde_json::Value;

use super::{Format, defused};
use crate::report::{Case, Checked, Column, Curve, Kind, Place, Point, Report, listed, number};

/// The declaration.
pub const FORMAT: Format = Format {
    name: "csv",
    ending: ".csv",
    summary: "one row per case (of a curve: per point), for spreadsheets",
    render: |report, _| csv(report),
    check: |checked, _| shared(checked),
    cases: |_| true,
    paths: false,
};

type SharedColumn = (&'static str, fn(&Case) -> String);

const SHARED: &[SharedColumn] = &[
    ("id", |case| case.id.clone()),
    ("label", |case| case.label.clone()),
    ("first_failed_stage", |case| case.first_failed_stage.clone()),
    ("line", |case| case.line.to_string()),
];

fn csv(report: &Report) -> String {
    let curve = report.sections.iter().filter(|section| section.is_on(Place::Csv)).find_map(|s| s.curve());
    if let Some(curve) = curve {
        return points(curve);
    }
    let columns: Vec<&Column> = listed(&report.layout.columns, Place::Csv).collect();
    let names = SHARED.iter().map(|(name, _)| (*name).to_owned());
    let mut out = line(names.chain(columns.iter().map(|column| cell(&column.title))));
    for case in &report.cases {
        let shared = SHARED.iter().map(|(_, text)| cell(&text(case)));
        let own = columns.iter().map(|column| value(column.kind, case.facts.get(&column.key)));
        out.push_str(&line(shared.chain(own)));
    }
    out
}

/// One row for each point of a curve.
fn points(curve: &Curve) -> String {
    let columns: Vec<&Column> = listed(&curve.columns, Place::Csv).collect();
    let mut out = line(columns.iter().map(|column| cell(&column.title)));
    for point in &curve.points {
        out.push_str(&line(columns.iter().map(|column| of_point(column, point))));
    }
    out
}

/// A value of a point; what every point has is asked for by the name of its field.
fn of_point(column: &Column, point: &Point) -> String {
    match column.key.as_str() {
        "on_frontier" => point.on_frontier.to_string(),
        "selected" => point.selected.to_string(),
        "passes" => point.passes.to_string(),
        "stuck" => cell(&point.stuck.join(" ")),
        key => value(column.kind, point.facts.get(key)),
    }
}

/// A value as a spreadsheet takes it: nothing where there is none, numbers to the last digit.
fn value(kind: Kind, value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) if kind == Kind::Mark => "false".into(),
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => cell(text),
        Some(Value::Number(count)) if !count.is_f64() => count.to_string(),
        Some(Value::Bool(flag)) => flag.to_string(),
        value => number(value).map(|number| number.to_string()).unwrap_or_default(),
    }
}

fn line(cells: impl Iterator<Item = String>) -> String {
    cells.collect::<Vec<_>>().join(",") + "\r\n"
}

/// The cases of several suites, under what they share.
fn shared(checked: &Checked) -> String {
    let names = ["suite"].into_iter().chain(SHARED.iter().map(|(name, _)| *name));
    let mut out = line(names.map(str::to_owned));
    for (suite, report) in checked.reports() {
        for case in &report.cases {
            let cells = SHARED.iter().map(|(_, text)| cell(&text(case)));
            out.push_str(&line([cell(suite)].into_iter().chain(cells)));
        }
    }
    out
}

/// One cell: quoted where it must be, and never a formula.
#[must_use]
pub fn cell(text: &str) -> String {
    let text = defused(text);
    // A semicolon parts cells where a comma is the decimal sign.
    if text.contains([',', ';', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn cells_are_quoted_and_defused() {
        assert_eq!(cell("A1"), "A1");
        assert_eq!(cell("a,\"b\"\n"), "\"a,\"\"b\"\"␊\"");
        assert_eq!(cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(cell("-1"), "'-1");
        assert_eq!(cell("a;＝1"), "\"a;＝1\"");
    }
}
