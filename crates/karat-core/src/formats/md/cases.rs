//! The cases: the worst ones with what was said, and all of them in a line each, folded when they are many.

use std::fmt::Write;

use super::super::figure;
use super::{cell, rows};
use crate::report::{Case, Report};
use crate::text;

/// More cases than this are folded away.
const OPEN: usize = 20;
/// More rows than this are for the json and csv reports.
const MOST: usize = 500;

/// The worst cases, with what was said and what to do.
pub(super) fn offenders(out: &mut String, room: usize, report: &Report) -> std::fmt::Result {
    if report.offenders.is_empty() {
        return Ok(());
    }
    let notes_only = matches!(report.suite.as_str(), "release" | "agreement" | "stability");
    let claims = matches!(report.suite.as_str(), "answers" | "latency");
    let (head, rules) = match report.suite.as_str() {
        "release" | "agreement" | "stability" => ("what happened", "---|"),
        "retrieval" => ("what happened | cited | gold", "---|---|---|"),
        _ => ("claim | cited | gold", "---|---|---|"),
    };
    writeln!(
        out,
        "\n## Worst cases\n\n| id | label | stage | question | {head} | do |\n|---|---|---|---|{rules}---|"
    )?;
    let ids = |ids: &[String]| if ids.is_empty() { "–".to_owned() } else { cell(&ids.join(", "), 80) };
    let lines = report.offenders.iter().map(|case| {
        let notes: Vec<String> = case.notes.iter().take(4).map(|note| cell(note, 200)).collect();
        let said = if claims {
            case.claim.as_deref().map_or_else(|| "–".into(), |claim| cell(claim, 160))
        } else {
            notes.join("<br>")
        };
        let facts = if notes_only {
            said
        } else {
            format!("{said} | {} | {}", ids(&case.cited), ids(&case.gold_citations))
        };
        format!(
            "| {} (line {}) | **{}** | {} | {} | {facts} | {} |",
            cell(&case.id, 80),
            case.line,
            plain(&case.label),
            plain(&case.first_failed_stage),
            cell(&case.question, 120),
            cell(&case.next_step, 200)
        )
    });
    rows(out, room, (report.offenders.len(), "case"), lines)
}

/// Every case, a row each.
pub(super) fn all(out: &mut String, room: usize, report: &Report) -> std::fmt::Result {
    if report.cases.is_empty() {
        return Ok(());
    }
    let folded = report.cases.len() > OPEN;
    let questions = matches!(report.suite.as_str(), "retrieval" | "answers" | "latency");
    writeln!(out, "\n## {}\n", if questions { "Per question" } else { "Per case" })?;
    if folded {
        writeln!(out, "<details><summary>{}</summary>\n", text::count(report.cases.len() as u64, "case"))?;
    }
    let head = match report.suite.as_str() {
        "release" => "id | released | stage | reason",
        "retrieval" => "qid | runs | stage | coverage",
        "agreement" => "qid | ratings | | why",
        "stability" => "qid | runs | stage | measures",
        _ => "qid | answered | hit | refusal",
    };
    writeln!(out, "| {head} | label |\n|---|---|---|---|---|")?;
    let lines = report.cases.iter().take(MOST).map(|case| row(report, case));
    rows(out, room, (report.cases.len(), "case"), lines)?;
    if folded {
        writeln!(out, "\n</details>")?;
    }
    Ok(())
}

fn row(report: &Report, case: &Case) -> String {
    let label = if case.skipped { "MISSING (skipped)".into() } else { plain(&case.label) };
    let fact = |fact: Option<bool>| fact.map(|fact| fact.to_string()).unwrap_or_default();
    let stage = plain(&case.first_failed_stage);
    let facts = match report.suite.as_str() {
        "release" => [fact(case.released), stage, reason(case)],
        "retrieval" => {
            let coverage = figure(case.figures.get("coverage").copied().flatten());
            [case.runs.unwrap_or(0).to_string(), stage, coverage]
        }
        "stability" => {
            let shown =
                |(name, value): (&String, &Option<f64>)| value.map(|_| format!("{name} {}", figure(*value)));
            let measures: Vec<String> =
                case.figures.iter().filter_map(shown).map(|text| cell(&text, 80)).collect();
            [case.runs.unwrap_or(0).to_string(), stage, measures.join(" · ")]
        }
        "agreement" => {
            let said = case.ratings.iter().take(8);
            let said: Vec<String> =
                said.map(|(rater, label)| format!("{}: {}", cell(rater, 60), cell(label, 60))).collect();
            [said.join("<br>"), String::new(), stage]
        }
        _ => [fact(case.answered), fact(case.hit), fact(case.refusal)],
    };
    format!("| {} | {} | **{label}** |", cell(&case.id, 80), facts.join(" | "))
}

/// One of karat's own words, which have nothing to escape; from elsewhere, anything may come.
fn plain(word: &str) -> String {
    let own = word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if own { word.to_owned() } else { cell(word, 60) }
}

/// Why an evidence path is not admissible, and where: the first reason.
fn reason(case: &Case) -> String {
    let Some(first) = case.reasons.first() else { return String::new() };
    let at = first.at.as_deref().map(|at| format!(" {}", cell(at, 60))).unwrap_or_default();
    format!("{}{at}", plain(&first.reason))
}
