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

/// What every case has.
const SHARED: [&str; 4] = ["id", "label", "first_failed_stage", "line"];

fn shared_cells(case: &Case) -> [String; 4] {
    [cell(&case.id), cell(&case.label), cell(&case.first_failed_stage), case.line.to_string()]
}

fn csv(report: &Report) -> String {
    let curve = report.sections.iter().filter(|section| section.is_on(Place::Csv)).find_map(|s| s.curve());
    if let Some(curve) = curve {
        return points(curve);
    }
    let columns: Vec<&Column> = listed(&report.layout.columns, Place::Csv).collect();
    let heads = SHARED.map(str::to_owned).into_iter().chain(columns.iter().map(|column| cell(&column.title)));
    let rows = report.cases.iter().map(|case| {
        let own = columns.iter().map(|column| value(column.kind, case.facts.get(&column.key)));
        line(shared_cells(case).into_iter().chain(own))
    });
    line(heads) + &rows.collect::<String>()
}

/// One row for each point of a curve.
fn points(curve: &Curve) -> String {
    let columns: Vec<&Column> = listed(&curve.columns, Place::Csv).collect();
    let rows = curve.points.iter().map(|point| line(columns.iter().map(|column| of_point(column, point))));
    line(columns.iter().map(|column| cell(&column.title))) + &rows.collect::<String>()
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

/// One row of cells.
pub(crate) fn line(cells: impl IntoIterator<Item = String>) -> String {
    cells.into_iter().collect::<Vec<_>>().join(",") + "\r\n"
}

/// The cases of several suites, under what they share.
fn shared(checked: &Checked) -> String {
    let cases =
        checked.reports().flat_map(|(suite, report)| report.cases.iter().map(move |case| (suite, case)));
    let rows = cases.map(|(suite, case)| line([cell(suite)].into_iter().chain(shared_cells(case))));
    format!("suite,{}\r\n{}", SHARED.join(","), rows.collect::<String>())
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
