//! What divides the raters, one answer a line, tab-separated: the list that goes to a third person.
//!
//! Of a suite without raters: the cases that went wrong, by id, label and stage.

use super::{Format, defused};
use crate::report::{Column, Faults, Kind, Place, Report, listed};

/// The declaration.
pub const FORMAT: Format = Format {
    name: "tsv",
    ending: ".tsv",
    summary: "disagreements of raters, or cases that went wrong, one per line",
    render: |report, _| tsv(report),
    check: |checked, _| {
        let of = |(suite, report): (&str, &Report)| {
            let suite = defused(suite);
            tsv(report).lines().skip(1).map(|line| format!("{suite}\t{}\n", outer(line))).collect::<String>()
        };
        "suite\tid\tlabel\tfirst_failed_stage\n".to_owned() + &checked.reports().map(of).collect::<String>()
    },
    cases: |_| true,
    paths: false,
};

/// The first cell and the last two: what the raters said stays out where suites stand together.
fn outer(line: &str) -> String {
    let cells: Vec<&str> = line.split('\t').collect();
    let last = cells.len().saturating_sub(2).max(1);
    cells[..1].iter().chain(&cells[last..]).copied().collect::<Vec<_>>().join("\t")
}

fn tsv(report: &Report) -> String {
    let own: Vec<&Column> = listed(&report.layout.columns, Place::Tsv).collect();
    let shared = ["id", "label", "first_failed_stage"].map(|key| Column::named(key, Kind::Text, &[]));
    let columns = if own.is_empty() { shared.iter().collect() } else { own };
    let line = |cells: &mut dyn Iterator<Item = String>| cells.collect::<Vec<_>>().join("\t") + "\n";
    let mut out = line(&mut columns.iter().map(|column| defused(&column.title)));
    let faults = Faults::of(report);
    for case in report.cases.iter().filter(|case| faults.is_wrong(case)) {
        let text = |column: &&Column| case.get(&column.key).and_then(|v| v.as_str().map(defused));
        out.push_str(&line(&mut columns.iter().map(|column| text(column).unwrap_or_default())));
    }
    out
}
