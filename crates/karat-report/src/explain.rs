//! How would a person tell the path of one case, from question to verdict? For every suite whose report tells paths.

use std::fmt::{self, Write};

use serde_json::Value;

use crate::problem::{self, Failure, Problem};
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

/// What two runs of one request must share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// Everything.
    All,
    /// Everything but the traces.
    AllButTraces,
}

/// Refuses a run that is not what a report was made from: files that have changed since, and a request that was edited,
/// so that its suite, settings or gates are not the report's.
pub fn same_run(name: &str, before: &Report, now: &Report, shared: Shared) -> Result<(), Failure> {
    let of = |report: &Report| -> Vec<(String, String)> {
        let inputs = report.inputs.iter().filter(|input| shared == Shared::All || input.role != "trace");
        inputs.map(|input| (input.path.clone(), input.fingerprint())).collect()
    };
    let (old, new) = (of(before), of(now));
    let differing = new.iter().filter(|i| !old.contains(i)).chain(old.iter().filter(|i| !new.contains(i)));
    let mut paths: Vec<&String> = differing.map(|(path, _)| path).collect();
    paths.sort();
    paths.dedup();
    let changed = paths.into_iter().map(|path| {
        let message = format!("{} is not what {} was made from", text::visible(path), text::visible(name));
        Problem::of_file(&problem::REPORT_STALE, path, message)
    });
    let mut problems: Vec<Problem> = changed.collect();
    let gates = |report: &Report| -> Vec<(String, Option<String>)> {
        report.gates.iter().map(|gate| (gate.text.clone(), gate.slice.clone())).collect()
    };
    let options = |report: &Report| (report.settings.options.clone(), report.settings.gates.clone());
    let checks = [
        ("suite is", before.suite == now.suite),
        ("settings, or the rules that they name, are", options(before) == options(now)),
        // The slices that there are depend on the files.
        ("gates are", !problems.is_empty() || shared != Shared::All || gates(before) == gates(now)),
    ];
    for (what, _) in checks.into_iter().filter(|(_, same)| !same) {
        let message = format!("its {what} not what its request asks for");
        problems.push(Problem::of_file(&problem::REPORT_STALE, name, message));
    }
    if problems.is_empty() { Ok(()) } else { Err(Failure::new(problems)) }
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
    let labels = (report.profile.labels)();
    let label = labels.iter().find(|label| label.name == case.label);
    writeln!(out)?;
    if let Some(label) = label {
        writeln!(out, "{}", crate::text::capital(label.meaning))?;
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
