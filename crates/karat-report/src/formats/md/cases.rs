//! The cases: the worst ones with what was said, and all of them in a line each, folded when they are many.

use serde_json::Value;

use super::super::figure;
use super::{cell, rows};
use crate::report::{Case, Column, Kind, Place, Report, Shown, listed, number};
use crate::text;

/// More cases than this are folded away.
const OPEN: usize = 20;
/// More rows than this are for the json and csv reports.
const MOST: usize = 500;

/// The worst cases, with what was said and what to do.
pub(super) fn offenders(out: &mut String, room: usize, report: &Report) {
    if report.offenders.is_empty() {
        return;
    }
    // The title of a column, the fact of a case that it shows, and how many characters of it.
    type Shows = (&'static str, &'static str, usize);
    let columns = report.layout.worst.iter().flat_map(|shown| match shown {
        Shown::Claim => vec![("claim", "said", 160)],
        Shown::Notes => vec![("what happened", "note", 200)],
        Shown::Citations => vec![("cited", "cited", 80), ("gold", "gold", 80)],
    });
    let columns: Vec<Shows> =
        [("question", "asked", 120)].into_iter().chain(columns).chain([("do", "do", 200)]).collect();
    let heads: Vec<&str> = columns.iter().map(|(head, ..)| *head).collect();
    let (heads, rules) = (heads.join(" | "), "---|".repeat(columns.len()));
    out.push_str(&format!("\n## Worst cases\n\n| id | label | stage | {heads} |\n|---|---|---|{rules}\n"));
    let lines = report.offenders.iter().map(|case| {
        let facts = case.worst_facts(&report.layout);
        let told = columns.iter().map(|(_, shown, most)| {
            let texts = facts.iter().filter(|(name, _)| name == shown).take(4);
            let texts: Vec<String> = texts.map(|(_, text)| cell(text, *most)).collect();
            if texts.is_empty() { "–".to_owned() } else { texts.join("<br>") }
        });
        let told = told.collect::<Vec<_>>().join(" | ");
        let (label, stage) = (plain(&case.label), plain(&case.first_failed_stage));
        format!("| {} (line {}) | **{label}** | {stage} | {told} |", cell(&case.id, 80), case.line)
    });
    rows(out, room, (report.offenders.len(), "case"), lines);
}

/// Every case, a row each.
pub(super) fn all(out: &mut String, room: usize, report: &Report) {
    if report.cases.is_empty() {
        return;
    }
    let folded = report.cases.len() > OPEN;
    out.push_str(&format!("\n## Per {}\n\n", plain(&report.layout.case)));
    if folded {
        let cases = text::count(report.cases.len() as u64, "case");
        out.push_str(&format!("<details><summary>{cases}</summary>\n\n"));
    }
    let columns: Vec<&Column> = listed(&report.layout.columns, Place::Md).collect();
    let heads: Vec<String> = columns.iter().map(|column| cell(&column.title, 60)).collect();
    out.push_str(&format!("| {} | label |\n|{}---|\n", heads.join(" | "), "---|".repeat(heads.len())));
    let lines = report.cases.iter().take(MOST).map(|case| row(&columns, case));
    rows(out, room, (report.cases.len(), "case"), lines);
    out.push_str(if folded { "\n</details>\n" } else { "" });
}

fn row(columns: &[&Column], case: &Case) -> String {
    let label = if case.is_skipped() { "MISSING (skipped)".into() } else { plain(&case.label) };
    let facts = columns.iter().map(|column| fact(column.kind, case.get(&column.key).as_deref()));
    format!("| {} | **{label}** |", facts.collect::<Vec<_>>().join(" | "))
}

fn fact(kind: Kind, value: Option<&Value>) -> String {
    match (kind, value) {
        (Kind::Number, value) => figure(number(value)),
        (Kind::Word, Some(Value::String(word))) => plain(word),
        (_, Some(Value::String(text))) => cell(text, 80),
        (Kind::Reasons, Some(reasons)) => {
            let first = |key: &str| reasons.pointer(key).and_then(Value::as_str);
            let at = first("/0/at").map(|at| format!(" {}", cell(at, 60))).unwrap_or_default();
            format!("{}{at}", plain(first("/0/reason").unwrap_or_default()))
        }
        // Of a group every value that is there, under its name.
        (Kind::Group, Some(Value::Object(group))) => {
            let said = group.iter().filter_map(|(name, value)| {
                Some(format!("{}: {}", cell(name, 60), cell(value.as_str()?, 60)))
            });
            let said: Vec<String> = said.take(8).collect();
            let numbers = group.iter().filter_map(|(name, value)| {
                Some(cell(&format!("{name} {}", figure(Some(value.as_f64()?))), 80))
            });
            if said.is_empty() { numbers.collect::<Vec<_>>().join(" · ") } else { said.join("<br>") }
        }
        (_, Some(value)) if !value.is_null() => value.to_string(),
        _ => String::new(),
    }
}

/// One of karat's own words, which have nothing to escape; from elsewhere, anything may come.
fn plain(word: &str) -> String {
    let own = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if own { word.to_owned() } else { cell(word, 60) }
}
