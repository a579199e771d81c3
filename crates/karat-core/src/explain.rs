//! How would a person tell the path of one case, from question to verdict? For every suite whose report tells paths.

use std::fmt::{self, Write};

use serde_json::Value;

use crate::problem::{self, Failure, Problem};
use crate::profiles::Profile;
use crate::report::{Case, CaseView, Report};
use crate::text::{self, shorten, visible};

/// Every case of this name, one after the other; `None` where the report has none. The report must tell it
/// ([`crate::detail::Detail::Named`]).
#[must_use]
pub fn case(report: &Report, name: &str) -> Option<String> {
    let told: Vec<String> =
        report.cases.iter().filter(|case| case.is_called(name)).map(|case| tell(report, case)).collect();
    (!told.is_empty()).then(|| told.join("\n"))
}

/// The names of cases that are nearest to one that no case has.
#[must_use]
pub fn nearest(report: &Report, name: &str) -> Vec<String> {
    let known = report.cases.iter().take(10_000).map(|case| case.id.as_str());
    text::nearest(name, known).into_iter().map(str::to_owned).collect()
}

/// Refuses to explain a report by files that have changed since it was made.
pub fn same_inputs(name: &str, before: &Report, now: &Report) -> Result<(), Failure> {
    let of = |report: &Report| -> Vec<(String, String)> {
        report.inputs.iter().map(|input| (input.path.clone(), input.fingerprint())).collect()
    };
    let (before, now) = (of(before), of(now));
    let (new, gone) =
        (now.iter().filter(|i| !before.contains(i)), before.iter().filter(|i| !now.contains(i)));
    let mut paths: Vec<&String> = new.chain(gone).map(|(path, _)| path).collect();
    paths.sort();
    paths.dedup();
    let changed = paths.into_iter().map(|path| {
        let message = format!("{} is not what {} was made from", text::visible(path), text::visible(name));
        Problem::of_file(&problem::REPORT_STALE, path, message)
    });
    let changed: Vec<Problem> = changed.collect();
    if changed.is_empty() { Ok(()) } else { Err(Failure::new(changed)) }
}

fn tell(report: &Report, case: &Case) -> String {
    let mut out = String::new();
    write_case(&mut out, report, case).unwrap_or_default();
    out
}

fn write_case(out: &mut String, report: &Report, case: &Case) -> fmt::Result {
    let gold = report.inputs.first().map(|input| input.path.as_str()).unwrap_or_default();
    writeln!(out, "{}  {}", case.label, visible(&case.id))?;
    let none = CaseView::default();
    let path = case.view.as_deref().unwrap_or(&none);
    let told = &path.told;
    line(out, "asked", &told.question)?;
    line(out, "stands in", &if case.line > 0 { format!("{gold}:{}", case.line) } else { gold.to_owned() })?;
    match (&told.trace, told.trace_line) {
        (Some(trace), Some(number)) => line(out, "trace", &format!("{trace}:{number}"))?,
        (Some(trace), None) => line(out, "trace", trace)?,
        (None, _) => {}
    }
    if let Some(answerable) = case.flag("answerable") {
        line(out, "gold says", if answerable { "it can be answered" } else { "it cannot be answered" })?;
    }
    line(out, "gold ids", &told.gold_citations.join("  "))?;
    line(out, "phrases", &told.gold_phrases.join(" | "))?;
    let ranked = told.retrieved.iter().enumerate().map(|(at, id)| {
        let mark = if told.gold_citations.contains(id) { " (gold)" } else { "" };
        format!("{} {id}{mark}", at + 1)
    });
    line(out, "retrieved", &ranked.collect::<Vec<_>>().join("  "))?;
    line(out, "cited", &told.cited.join("  "))?;
    if let Some(claim) = &told.claim {
        line(out, "said", if claim.is_empty() { "(an empty claim)" } else { claim })?;
    }
    for note in &told.notes {
        line(out, "note", note)?;
    }
    let figures = case.facts.get("figures").and_then(Value::as_object).into_iter().flatten();
    let figures = figures.filter_map(|(name, value)| Some(format!("{name} {:.4}", value.as_f64()?)));
    line(out, "figures", &figures.collect::<Vec<_>>().join("  "))?;
    if !path.steps.is_empty() {
        writeln!(out)?;
    }
    let width = path.steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
    for step in &path.steps {
        let mark = match step.pass {
            Some(true) => "✓",
            Some(false) => "✗",
            None => "·",
        };
        writeln!(out, "{mark} {:<width$}  {}", step.name, visible(&step.says))?;
    }
    let profile = Profile::named(&report.suite);
    let labels = profile.as_ref().map(|profile| (profile.labels)()).unwrap_or_default();
    let label = labels.iter().find(|label| label.name == case.label);
    writeln!(out)?;
    if let Some(label) = label {
        writeln!(out, "{}", crate::docs::capital(label.meaning))?;
    }
    if label.is_none_or(|label| !label.good) {
        writeln!(out, "First broken: {}.", case.first_failed_stage)?;
        if !told.next_step.is_empty() {
            let stop = if told.next_step.ends_with('?') { "" } else { "." };
            writeln!(out, "What to do: {}{stop}", told.next_step)?;
        }
    }
    Ok(())
}

fn line(out: &mut String, name: &str, value: &str) -> fmt::Result {
    if value.is_empty() {
        return Ok(());
    }
    writeln!(out, "  {name:<11}{}", shorten(&visible(value), 2000))
}
