//! What divides the raters, one answer a line, tab-separated: the list that goes to a third person.
//!
//! Of a suite without raters: the cases that went wrong, by id, label and stage.

use super::{Format, defused};
use crate::profiles::Profile;
use crate::report::{Case, Report, divided};

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
    let raters: Vec<&str> =
        report.agreement.iter().flat_map(|agreement| agreement.raters.iter().map(String::as_str)).collect();
    let labels = Profile::named(&report.suite).map(|profile| (profile.labels)()).unwrap_or_default();
    let good = |case: &Case| labels.iter().any(|label| label.name == case.label && label.good);
    let line =
        |cells: &mut dyn Iterator<Item = &str>| cells.map(defused).collect::<Vec<_>>().join("\t") + "\n";
    let rated = report.agreement.is_some();
    let head = if rated { ["qid", "final", "why"] } else { ["id", "label", "first_failed_stage"] };
    let mut out = line(&mut [head[0]].into_iter().chain(raters.iter().copied()).chain([head[1], head[2]]));
    for case in report.cases.iter().filter(|case| if rated { divided(case) } else { !good(case) }) {
        let said = raters.iter().map(|rater| case.ratings.get(*rater).map_or("", String::as_str));
        let cells = [case.id.as_str()].into_iter().chain(said);
        out.push_str(&line(&mut cells.chain([case.label.as_str(), case.first_failed_stage.as_str()])));
    }
    out
}
