//! Every case, as data: columns that the page's script searches, filters and sorts, and the paths that its drawer shows.
//!
//! Columns instead of rows, and words by their number: 200,000 cases take a few megabytes and no element of the page.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

use super::marked::marked;
use super::markup::{Markup, clipped, shown};
use super::{View, section};
use crate::number::round4;
use crate::profiles::Term;
use crate::report::{self, Case, CaseView, Kind, Offender, Place, number};
use crate::text;

/// A browser opens so many at once; what is more is left out, good cases first.
const MOST: usize = 200_000;
/// With more cases than these, the figures that only the drawer shows are left out.
const MOST_WITH_FIGURES: usize = 20_000;

/// The column of lines, which the drawer tells with its file.
const LINE: &str = "line";

/// What the script reads.
#[derive(Serialize)]
struct Data<'a> {
    suite: String,
    /// The file whose rows the cases are, and what it is: gold, or pairs of raters.
    rows: String,
    role: String,
    labels: Vec<Word>,
    stages: Vec<Word>,
    /// What a case is first sorted by.
    first: usize,
    /// What the checks that are figures tell.
    meanings: IndexMap<&'a str, &'static str>,
    /// Labels say what came out, not whether it is right.
    neutral: bool,
    columns: Vec<Column>,
    paths: Paths,
}

/// Paths by the place of their case, in its order.
type Paths = IndexMap<usize, Path>;

#[derive(Serialize)]
struct Word {
    name: String,
    meaning: &'static str,
    good: bool,
}

#[derive(Serialize)]
struct Column {
    head: String,
    /// Only the drawer shows it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    hidden: bool,
    #[serde(flatten)]
    values: Values,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Values {
    Text(Vec<String>),
    Count(Vec<Option<u64>>),
    Number(Vec<Option<f64>>),
    Word { words: Vec<String>, at: Vec<Option<usize>> },
}

#[derive(Serialize)]
struct Path {
    question: String,
    claim: Option<Vec<String>>,
    retrieved: Vec<String>,
    cited: Vec<String>,
    gold: Vec<String>,
    phrases: Vec<String>,
    notes: Vec<String>,
    steps: Vec<(String, Option<bool>, String)>,
    trace: String,
    next: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    about: Vec<(String, String)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    staged: Option<Staged>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    claims: Vec<Claimed>,
    /// Whether it is a source, what it is, in how many runs, of how many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    found: Vec<(bool, String, u64, u64)>,
}

/// A claim: its id, its words, and what was checked of it.
type Claimed = (String, String, Vec<(bool, String)>);

/// A chunk: its id, its ranks, and what it is to the case.
type StagedChunk = (String, Vec<Option<u64>>, Vec<(String, bool)>);

/// How chunks went through the stages.
#[derive(Serialize)]
struct Staged {
    stages: Vec<String>,
    chunks: Vec<StagedChunk>,
    more: u64,
}

pub(super) fn cases(m: &mut Markup, view: &View<'_>) {
    if view.report.cases.is_empty() {
        return;
    }
    let (listed, all) = (chosen(view), view.report.cases.len());
    let data = data(view, &listed);
    let told = data.paths.len();
    section(m, "Cases", |m| {
        if listed.len() < all {
            let more = text::group((all - listed.len()) as u64);
            let shown = text::group(listed.len() as u64);
            m.note(&format!("{more} cases are left out of this page, which holds {shown}, wrong ones first: the json and csv reports have them all."));
        }
        if told < listed.len() {
            let (told, all) = (text::group(told as u64), text::group(listed.len() as u64));
            m.note(&format!("The words of {told} of {all} cases are in this page, wrong ones first; `karat explain CASE` tells any other."));
        }
        m.within_with("div.cases", &[("data-cases", &view.key)], |m| {
            m.element(
                "noscript",
                "The table of all cases needs the script of this page; the worst cases are above.",
            );
        });
    });
    m.data(&format!("cases-{}", view.key), &data);
}

/// The cases that the page holds: all, or wrong ones first.
fn chosen<'a>(view: &View<'a>) -> Vec<&'a Case> {
    let all = &view.report.cases;
    if all.len() <= MOST {
        return all.iter().collect();
    }
    let good = view.report.good_label();
    let mut order: Vec<&Case> = all.iter().collect();
    order.sort_by_key(|case| good(&case.label));
    order.truncate(MOST);
    order
}

fn data<'a>(view: &View<'_>, cases: &[&'a Case]) -> Data<'a> {
    let report = view.report;
    let labels =
        words((view.profile.labels)(), report.labels.keys().chain(cases.iter().map(|case| &case.label)));
    let stages = words(
        (view.profile.stages)(),
        report.stages.keys().chain(cases.iter().map(|case| &case.first_failed_stage)),
    );
    let names = |words: &[Word]| words.iter().map(|word| word.name.clone()).collect::<Vec<_>>();
    let column = |head: &str, values: Values| Column { head: head.into(), hidden: false, values };
    let stage = cases.iter().map(|case| Some(case.first_failed_stage.as_str()));
    let mut columns = vec![
        column("label", worded(names(&labels), cases.iter().map(|case| Some(case.label.as_str())))),
        column("case", Values::Text(cases.iter().map(|case| id(&case.id)).collect())),
        column("stage", worded(names(&stages), stage)),
    ];
    facts(&mut columns, view, cases);
    // What the suite calls a fault comes first, whatever came of it.
    let fault = report.layout.fault.as_ref();
    let first = fault.and_then(|fault| columns.iter().position(|column| column.head == fault.column));
    let lines = cases.iter().map(|case| (case.line > 0).then_some(case.line)).collect();
    columns.push(Column { head: LINE.into(), hidden: true, values: Values::Count(lines) });
    let offenders: HashMap<&str, &Offender> =
        report.offenders.iter().map(|case| (case.id.as_str(), case)).collect();
    let path = |(at, case): (usize, &&Case)| match &case.view {
        Some(whole) => Some((at, path(&whole.summary, whole))),
        None => Some((at, path(offenders.get(case.id.as_str())?, &CaseView::default()))),
    };
    let steps = cases.iter().filter_map(|case| case.view.as_ref()).flat_map(|view| &view.steps);
    let meant = steps.filter(|step| !step.meaning.is_empty());
    let meanings = meant.map(|step| (step.name.as_str(), step.meaning)).collect();
    Data {
        suite: id(view.name.unwrap_or(&report.suite)),
        rows: report.inputs.first().map(|input| shown(&input.path)).unwrap_or_default(),
        role: report.inputs.first().map(|input| shown(&input.role)).unwrap_or_default(),
        paths: cases.iter().enumerate().filter_map(path).collect(),
        labels: labels.into_iter().map(cleaned).collect(),
        stages: stages.into_iter().map(cleaned).collect(),
        first: first.unwrap_or(0),
        neutral: fault.is_some(),
        columns,
        meanings,
    }
}

/// What a suite knows of its cases beside label and stage: a column each, where it tells cases apart.
fn facts(columns: &mut Vec<Column>, view: &View<'_>, cases: &[&Case]) {
    let (few, layout) = (cases.len() <= MOST_WITH_FIGURES, &view.report.layout);
    for column in &layout.columns {
        let (page, drawer) = (column.on.contains(&Place::Page), column.on.contains(&Place::Drawer));
        // Counts that only the drawer shows take little room; a text or a number for each of many cases takes much.
        if !page && !(drawer && (few || column.kind == Kind::Count)) {
            continue;
        }
        let values = || cases.iter().map(|case| case.facts.get(&column.key));
        let any = |holds: fn(&Value) -> bool| values().flatten().any(holds);
        let (head, hidden) = (id(&column.title), !page);
        let made = match column.kind {
            Kind::Flag if any(Value::is_boolean) => {
                let words = ["yes", "no"].map(str::to_owned).to_vec();
                let at = values().map(|value| Some(usize::from(!value?.as_bool()?))).collect();
                Values::Word { words, at }
            }
            Kind::Word if any(Value::is_string) => {
                let fault = layout.fault.iter().filter(|fault| fault.column == column.key);
                worded(fault.map(|fault| fault.value.clone()).collect(), values().map(|v| v?.as_str()))
            }
            Kind::Rating => worded(Vec::new(), values().map(|value| value?.as_str())),
            Kind::Reasons if any(|_| true) => Values::Text(values().map(reason).collect()),
            Kind::Text if any(|_| true) => Values::Text(values().map(|value| id(&joined(value))).collect()),
            // A count says something where it is of several.
            Kind::Count if any(|n| n.as_u64() > Some(1)) || (hidden && any(Value::is_u64)) => {
                Values::Count(values().map(|value| value?.as_u64()).collect())
            }
            Kind::Number => Values::Number(values().map(|value| number(value).map(round4)).collect()),
            _ => continue,
        };
        columns.push(Column { head, hidden, values: made });
    }
}

/// The first reason, and what is at fault.
fn reason(reasons: Option<&Value>) -> String {
    let part = |key: &str| reasons.and_then(|list| list.pointer(key)?.as_str());
    let first = part("/0/reason").map(|reason| [reason, part("/0/at").unwrap_or("")].join(" "));
    first.map(|first| id(&first)).unwrap_or_default()
}

/// A text, or the texts of a list.
fn joined(value: Option<&Value>) -> String {
    let texts = value.into_iter().flat_map(|value| match value {
        Value::Array(list) => list.as_slice(),
        value => std::slice::from_ref(value),
    });
    texts.filter_map(Value::as_str).collect::<Vec<_>>().join(" / ")
}

fn cleaned(word: Word) -> Word {
    Word { name: id(&word.name), ..word }
}

/// A suite's words, and any other that its cases have.
fn words<'a>(terms: Vec<Term>, used: impl Iterator<Item = &'a String>) -> Vec<Word> {
    let mut words: Vec<Word> = terms
        .into_iter()
        .map(|term| Word { name: term.name.into(), meaning: term.meaning, good: term.good })
        .collect();
    for name in used {
        if words.last().is_none_or(|word| word.name != *name) && words.iter().all(|word| word.name != *name) {
            words.push(Word { name: name.clone(), meaning: "", good: false });
        }
    }
    words
}

/// Words by their number, these first.
fn worded<'a>(mut words: Vec<String>, of: impl Iterator<Item = Option<&'a str>>) -> Values {
    let mut known: HashMap<String, usize> = words.iter().cloned().zip(0..).collect();
    let at = of.map(|word| {
        word.map(|word| {
            *known.entry(word.to_owned()).or_insert_with(|| {
                words.push(word.to_owned());
                words.len() - 1
            })
        })
    });
    let at = at.collect();
    Values::Word { words: words.iter().map(|word| id(word)).collect(), at }
}

/// A case's way from question to verdict.
fn path(case: &Offender, whole: &CaseView) -> Path {
    let list = |ids: &[String]| ids.iter().take(200).map(|text| id(text)).collect::<Vec<_>>();
    let claim = case.claim.as_ref().map(|claim| marked(&clipped(claim, 20_000), &case.gold_phrases));
    Path {
        question: clipped(&case.question, 4_000),
        claim,
        retrieved: list(&case.retrieved),
        cited: list(&case.cited),
        gold: list(&case.gold_citations),
        phrases: case.gold_phrases.iter().take(50).map(|phrase| clipped(phrase, 400)).collect(),
        notes: case.notes.iter().take(50).map(|note| clipped(note, 2_000)).collect(),
        steps: whole
            .steps
            .iter()
            .map(|step| (id(&step.name), step.pass, clipped(&step.says.join("\n"), 2_000)))
            .collect(),
        trace: shown(&case.place()),
        next: shown(&case.next_step),
        about: whole.about.iter().map(|(name, text)| (shown(name), clipped(text, 2_000))).collect(),
        staged: whole.evidence.as_ref().map(staged),
        claims: whole.claims.iter().map(claimed).collect(),
        found: whole
            .counted
            .iter()
            .map(|found| (found.source, clipped(&found.text, 400), found.runs, found.of))
            .collect(),
    }
}

fn staged(staged: &report::EvidencePath) -> Staged {
    let tags = |tags: &[(String, bool)]| tags.iter().map(|(tag, good)| (shown(tag), *good)).collect();
    Staged {
        stages: staged.stages.iter().map(|stage| shown(stage)).collect(),
        chunks: staged
            .chunks
            .iter()
            .map(|chunk| (id(&chunk.id), chunk.ranks.clone(), tags(&chunk.tags)))
            .collect(),
        more: staged.more,
    }
}

fn claimed(claim: &report::ClaimView) -> Claimed {
    let checks = claim.checks.iter().map(|(holds, why)| (*holds, clipped(why, 2_000))).collect();
    (id(&claim.id), claim.words.as_ref().map(|words| clipped(words, 4_000)).unwrap_or_default(), checks)
}

/// A name of the input, which one line holds.
pub(super) fn id(name: &str) -> String {
    text::visible(&text::shorten(name, 300)).into_owned()
}
