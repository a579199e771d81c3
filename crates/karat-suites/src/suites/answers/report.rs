//! What the report of answers tells of its cases, and of those that went wrong.

use std::borrow::Cow;
use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::Value;

use crate::columns::{self, Row};
use crate::excerpt::Excerpt;
use crate::gold::Gold;
use crate::judge::{Constraint, Label, Presence, Scu, Stage, Verdict};
use crate::ledger::Entry;
use crate::model::{self, Listed, Needle};
use crate::number;
use crate::pipeline::Cases;
use crate::problem::Severity;
use crate::report::{self, Column, Facts, Kind, Layout, Place, Shown};
use crate::score::Score;
use crate::suites::answers::advice::Symptoms;
use crate::suites::answers::aggregate::{Aggregate, CaseResult, Counts};
use crate::tally::Figure;
use crate::text;

pub(crate) fn symptoms(counts: &Counts, figures: &[Figure<Verdict>], scores: &[Score], k: u32) -> Symptoms {
    let score =
        |name: &str| figures.iter().position(|figure| figure.name == name).and_then(|i| scores.get(i));
    let rate =
        |name: &str| score(name).filter(|s| !s.vacuous).and_then(|s| s.value).map(number::Value::to_f64);
    Symptoms {
        precision: rate("precision"),
        chr: rate("chr"),
        under: rate("under_refusal"),
        over: rate("over_refusal"),
        traced: counts.traced,
        answerable: counts.answerable,
        found: counts.found,
        hallucinations: counts.label(Label::Hallucination),
        miscited: counts.label(Label::AnsNoHit) + counts.label(Label::OutOfScope),
        off_claim: counts.label(Label::NoClaimMatch),
        forbidden: counts.label(Label::Forbidden),
        refused: counts.label(Label::OverRefusal),
        refused_with_evidence: counts.both(Label::OverRefusal, Stage::Refusal),
        missing: counts.label(Label::Missing),
        errored: counts.label(Label::Error),
        broken_constraints: score("scu_violations").and_then(|s| s.num).unwrap_or(0),
        k,
    }
}

pub(crate) fn hints(
    gold: &Gold,
    aggregate: &Aggregate,
    input: &HashMap<&str, u64>,
    rows: u64,
) -> Vec<String> {
    let mut hints = Vec::new();
    if let (near, Some(first)) = aggregate.near_refusals {
        let id = gold.cases[first as usize].id();
        let (claims, count) = match near {
            1 => ("1 shipped claim all but refuses".to_owned(), "it counts as an answer"),
            n => (format!("{n} shipped claims all but refuse"), "they count as answers"),
        };
        hints.push(format!(
            "{claims} (such as {id}): {count}; demand the refusal text to the letter, or name yours with --refusal"
        ));
    }
    let broken = aggregate.entries.iter().zip(&aggregate.cases).filter(|(entry, case)| {
        case.label != Label::ScuViolation
            && entry.as_ref().is_some_and(|entry| !entry.packed.keeps_constraints())
    });
    let broken: Vec<&str> = broken.map(|(_, case)| gold.cases[case.case as usize].id()).collect();
    if !broken.is_empty() {
        let (answers, names) =
            (text::count(broken.len() as u64, "answer"), text::first_few(&broken, 5, ", "));
        hints.push(format!("{answers} with a broken constraint and another label, or none: {names} (--scu enforce makes it count)"));
    }
    if rows == 0 {
        hints.push("the traces have no rows".into());
    }
    let unmatched = input.get("unmatched").copied().unwrap_or(0);
    if unmatched > 0 && aggregate.entries.iter().all(Option::is_none) {
        hints.push(
            "no trace belongs to any gold case: do both files use the same ids (`qid`) or questions?".into(),
        );
    }
    if gold.warnings_total > 0 {
        let mut kinds: IndexMap<&str, u64> = IndexMap::new();
        for warning in gold.warnings.iter().filter(|w| w.kind.severity == Severity::Warning) {
            *kinds.entry(warning.kind.slug).or_default() += 1;
        }
        let first = gold
            .warnings
            .first()
            .map(|w| format!("; the first on line {}: {}", w.line, w.message))
            .unwrap_or_default();
        let slugs: Vec<&str> = kinds.keys().copied().collect();
        hints.push(format!(
            "{} about gold ({}){first}",
            text::count(gold.warnings_total, "warning"),
            slugs.join(", ")
        ));
    }
    hints
}

/// Reads again what a trace said, and names its file.
pub(crate) type Replay<'a> = dyn Fn(&model::Case, &Entry) -> (Option<Excerpt>, Option<String>) + 'a;

pub(crate) fn offenders(gold: &Gold, aggregate: &Aggregate, replay: &Replay<'_>) -> Vec<report::Offender> {
    const WORST: usize = 10;
    // The worst so far, in order: nearly every other case differs in its label, so that no id is looked at.
    let mut bad: Vec<&CaseResult> = Vec::with_capacity(WORST + 1);
    let id = |s: &CaseResult| gold.cases[s.case as usize].id();
    let worse = |a: &CaseResult, b: &CaseResult| a.label.cmp(&b.label).then_with(|| id(a).cmp(id(b))).is_lt();
    for result in aggregate.cases.iter().filter(|s| !s.label.is_good() && !s.skipped) {
        if bad.len() < WORST || bad.last().is_some_and(|best| worse(result, best)) {
            bad.insert(bad.partition_point(|other| worse(other, result)), result);
            bad.truncate(WORST);
        }
    }
    bad.into_iter().map(|result| offender(gold, aggregate, result, replay)).collect()
}

/// What was asked and said in one case.
pub(crate) fn offender(
    gold: &Gold,
    aggregate: &Aggregate,
    result: &CaseResult,
    replay: &Replay<'_>,
) -> report::Offender {
    let case = &gold.cases[result.case as usize];
    let entry = aggregate.entries[result.case as usize].as_ref();
    let (said, trace) = entry.map(|entry| replay(case, entry)).unwrap_or_default();
    let notes = notes(case, entry, said.as_ref(), trace.as_deref());
    let said = said.unwrap_or_default();
    report::Offender {
        id: case.id().to_string(),
        label: result.label.name().into(),
        first_failed_stage: result.stage.name().into(),
        line: case.line,
        question: case.question().to_string(),
        claim: said.claim,
        retrieved: said.retrieved,
        cited: said.cited,
        gold_citations: case.citations().map(str::to_owned).collect(),
        gold_phrases: case.phrases().map(str::to_owned).collect(),
        trace,
        trace_line: None,
        notes,
        next_step: result.label.next_step(result.stage).into(),
    }
}

/// What one has to know of an offender beside its ids and its claim.
fn notes(
    case: &model::Case,
    entry: Option<&Entry>,
    said: Option<&Excerpt>,
    trace: Option<&str>,
) -> Vec<String> {
    let Some(verdict) = entry.map(Entry::verdict) else { return Vec::new() };
    let mut notes = Vec::new();
    let mut note = |text: String| notes.push(text);
    if said.is_none() {
        let path = trace.unwrap_or_default();
        note(format!("its words cannot be read again: {path} is gone, has changed, or was a stream"));
    }
    if let Some(reason) =
        said.and_then(|said| said.reason.as_ref()).filter(|_| verdict.presence == Presence::Errored)
    {
        note(format!("the pipeline's reason: {reason}"));
    }
    if verdict.citations == Listed::NotAList {
        note("its citations are not a list".into());
    }
    if verdict.traced() && said.is_some_and(|said| said.claim.is_none()) {
        note("it has no claim, or one that is not a text".into());
    }
    let claim =
        said.and_then(|said| said.claim.as_ref()).map(|claim| claim.to_lowercase()).unwrap_or_default();
    if verdict.forbidden {
        let found: Vec<&str> = case.forbidden().filter(|text| claim.contains(text)).collect();
        note(format!("forbidden: {}", found.join(" | ")));
    }
    match verdict.constraint {
        Constraint::Kept => {}
        Constraint::EchoMismatch => {
            let lock: Vec<&str> = case.constraints().collect();
            let echo = said.map(|said| said.echoed.join(" | ")).filter(|echo| !echo.is_empty());
            note(format!("locked: {}; echoed: {}", lock.join(" | "), echo.as_deref().unwrap_or("nothing")));
        }
        Constraint::Contradiction => {
            let lock: Vec<&str> = case.constraints().collect();
            note(format!("the claim contradicts what is locked: {}", lock.join(" | ")));
        }
    }
    if case.needle == Needle::Never && verdict.answerable {
        note("gold's phrases can never match: each needs five characters".into());
    }
    notes
}

/// One case of a report.
pub(crate) fn case(gold: &Gold, aggregate: &Aggregate, result: &CaseResult) -> report::Case {
    let case = &gold.cases[result.case as usize];
    let entry = aggregate.entries[result.case as usize].as_ref();
    let verdict = entry.map(Entry::verdict);
    let verdict = verdict.as_ref();
    let constraint = match verdict.map(|verdict| verdict.constraint) {
        None | Some(Constraint::Kept) => Value::Null,
        Some(Constraint::EchoMismatch) => "echo_mismatch".into(),
        Some(Constraint::Contradiction) => "contradiction".into(),
    };
    report::Case {
        id: case.id().to_string(),
        label: result.label.name().into(),
        first_failed_stage: result.stage.name().into(),
        line: case.line,
        facts: Facts::known([
            ("answerable", case.answerable.into()),
            ("answered", verdict.is_none_or(Verdict::shipped).into()),
            ("refusal", verdict.is_some_and(|verdict| verdict.refused).into()),
            ("hit", verdict.is_some_and(Verdict::hit).into()),
            ("runs", entry.map_or(0, |entry| entry.runs).into()),
            ("constraint", constraint),
            ("skipped", if result.skipped { true.into() } else { Value::Null }),
        ]),
        view: None,
    }
}

/// How formats speak of cases that are answers to questions.
pub(crate) fn layout() -> Layout {
    use Place::{Csv, Md, Page};
    Layout {
        case: "question".into(),
        fault: None,
        worst: vec![Shown::Claim, Shown::Citations],
        columns: vec![
            Column::new("id", "qid", Kind::Text, &[Md]),
            Column::named("answerable", Kind::Flag, &[Csv, Page]),
            Column::named("answered", Kind::Flag, &[Csv, Md, Page]),
            Column::named("hit", Kind::Flag, &[Md, Page]),
            Column::named("refusal", Kind::Flag, &[Csv, Md, Page]),
            Column::named("hit", Kind::Flag, &[Csv]),
            Column::named("constraint", Kind::Word, &[Page]),
            Column::named("runs", Kind::Count, &[Csv, Page]),
            Column::named("skipped", Kind::Mark, &[Csv]),
        ],
    }
}

/// The columns of answers, where all cases are listed. A case without a trace adds what it is scored as.
pub(crate) fn observed(
    gold: &Gold,
    aggregate: &Aggregate,
    (which, scu): (Cases, Scu),
    figures: &[Figure<Verdict>],
) -> IndexMap<String, String> {
    if which != Cases::All {
        return IndexMap::new();
    }
    let cases = gold.cases.iter().zip(aggregate.cases.iter().zip(&aggregate.entries));
    let rows = cases.map(|(case, (result, entry))| match entry {
        Some(entry) => {
            entry.tally().map_or_else(|| Row::<Verdict>::Verdict(Cow::Owned(entry.verdict())), Row::Runs)
        }
        None if result.skipped => Row::Skipped,
        None => Row::Verdict(Cow::Owned(Verdict::missing(case, scu))),
    });
    columns::observed(figures, rows)
}
