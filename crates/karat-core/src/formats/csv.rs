//! One row a case, of a curve a point, for spreadsheets. A cell that a spreadsheet would run as a formula is defused with an apostrophe.

use super::{Format, defused};
use crate::judge::latency::Stage;
use crate::report::{Case, Checked, Latency, Report, Times};

/// The declaration.
pub const FORMAT: Format = Format {
    name: "csv",
    ending: ".csv",
    summary: "one row per case (`latency`: per point), for spreadsheets",
    render: |report, _| csv(report),
    check: |checked, _| shared(checked),
    cases: |_| true,
    paths: false,
};

type Column = (&'static str, fn(&Case) -> String);

const SHARED: &[Column] = &[
    ("id", |case| case.id.clone()),
    ("label", |case| case.label.clone()),
    ("first_failed_stage", |case| case.first_failed_stage.clone()),
    ("line", |case| case.line.to_string()),
];

const ANSWERS: &[Column] = &[
    ("answerable", |case| yes_or_no(case.answerable)),
    ("answered", |case| yes_or_no(case.answered)),
    ("refusal", |case| yes_or_no(case.refusal)),
    ("hit", |case| yes_or_no(case.hit)),
    ("runs", |case| case.runs.unwrap_or(0).to_string()),
    ("skipped", |case| case.skipped.to_string()),
];

const RELEASE: &[Column] = &[
    ("case_id", |case| case.case_id.clone().unwrap_or_default()),
    ("released", |case| yes_or_no(case.released)),
    ("should_release", |case| yes_or_no(case.should_release)),
    ("reason", |case| case.reasons.first().map(|reason| reason.reason.clone()).unwrap_or_default()),
    ("at", |case| case.reasons.first().and_then(|reason| reason.at.clone()).unwrap_or_default()),
    ("trace", |case| case.trace.clone().unwrap_or_default()),
    ("trace_line", |case| case.trace_line.map(|line| line.to_string()).unwrap_or_default()),
];

const RETRIEVAL: &[Column] = &[("runs", |case| case.runs.unwrap_or(0).to_string())];

const STABILITY: &[Column] = &[
    ("answerable", |case| yes_or_no(case.answerable)),
    ("holds", |case| yes_or_no(case.holds)),
    ("runs", |case| case.runs.unwrap_or(0).to_string()),
    ("missing_runs", |case| case.missing_runs.unwrap_or(0).to_string()),
];

/// A row a point of the curve, its stages behind it.
fn points(latency: &Latency) -> String {
    const TIMES: [&str; 5] = ["p50", "p90", "p95", "p99", "tail_amplification"];
    const ACCURACY: [&str; 4] = ["precision", "chr", "under_refusal", "over_refusal"];
    let cells = |times: Option<&Times>| {
        let of = |times: &Times| [times.p50, times.p90, times.p95, times.p99, times.tail_amplification];
        times.map_or([None; 5], of).map(number)
    };
    let stages = Stage::ALL.map(Stage::name);
    let heads = stages.iter().flat_map(|stage| TIMES.map(|head| format!("{stage}_{head}")));
    let owned = |heads: &[&str]| heads.iter().map(|head| (*head).to_owned()).collect::<Vec<_>>();
    let mut line = owned(&["knobs", "load_rps", "samples"]);
    line.extend(owned(&TIMES));
    line.extend(owned(&ACCURACY));
    line.extend(owned(&["missing", "errored", "untimed", "on_frontier", "selected", "passes", "stuck"]));
    line.extend(heads);
    let mut out = line.join(",") + "\r\n";
    for point in &latency.curve.points {
        let mut line = vec![cell(&point.knobs), number(point.load), point.times.samples.to_string()];
        line.extend(cells(Some(&point.times)));
        line.extend(ACCURACY.map(|name| number(point.accuracy.get(name).and_then(|figure| figure.value))));
        line.extend([point.missing, point.errored, point.untimed].map(|n| n.to_string()));
        line.extend([point.on_frontier, point.selected, point.passes].map(|fact| fact.to_string()));
        line.push(cell(&point.stuck.join(" ")));
        line.extend(stages.iter().flat_map(|stage| cells(point.stages.get(*stage))));
        out.push_str(&line.join(","));
        out.push_str("\r\n");
    }
    out
}

fn number(value: Option<f64>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

fn csv(report: &Report) -> String {
    if let Some(latency) = &report.latency {
        return points(latency);
    }
    let own = match report.suite.as_str() {
        "release" => RELEASE,
        "retrieval" => RETRIEVAL,
        "stability" => STABILITY,
        "agreement" => &[],
        _ => ANSWERS,
    };
    let columns = || SHARED.iter().chain(own);
    // A suite whose cases have figures of their own, or ratings, has a column for each.
    let first = || report.cases.first();
    let figures: Vec<&String> = first().iter().flat_map(|case| case.figures.keys()).collect();
    let raters: Vec<&String> = first().iter().flat_map(|case| case.ratings.keys()).collect();
    let further = figures.iter().chain(&raters).map(|name| cell(name));
    let names = columns().map(|(name, _)| (*name).to_owned()).chain(further);
    let mut out = names.collect::<Vec<_>>().join(",") + "\r\n";
    for case in &report.cases {
        let figure = |name: &&String| case.figures.get(*name).copied().flatten();
        let figures =
            figures.iter().map(|name| figure(name).map(|value| value.to_string()).unwrap_or_default());
        let ratings =
            raters.iter().map(|rater| case.ratings.get(*rater).map_or_else(String::new, |said| cell(said)));
        let cells = columns().map(|(_, text)| cell(&text(case))).chain(figures).chain(ratings);
        out.push_str(&cells.collect::<Vec<_>>().join(","));
        out.push_str("\r\n");
    }
    out
}

/// The cases of several suites, under what they share.
fn shared(checked: &Checked) -> String {
    let names: Vec<&str> = ["suite"].into_iter().chain(SHARED.iter().map(|(name, _)| *name)).collect();
    let mut out = names.join(",") + "\r\n";
    for (suite, report) in checked.reports() {
        for case in &report.cases {
            let cells = SHARED.iter().map(|(_, text)| cell(&text(case)));
            out.push_str(&[cell(suite)].into_iter().chain(cells).collect::<Vec<_>>().join(","));
            out.push_str("\r\n");
        }
    }
    out
}

fn yes_or_no(value: Option<bool>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
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
