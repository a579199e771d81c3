//! Every case, as data: columns that the page's script searches, filters and sorts, and the paths that its drawer shows.
//!
//! Columns instead of rows, and words by their number: 200,000 cases take a few megabytes and no element of the page.

use std::collections::HashMap;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};

use super::marked::marked;
use super::markup::{Markup, clipped, shown};
use super::{View, section};
use crate::number::round4;
use crate::profile::Term;
use crate::report::{Case, CaseView, ChunkPath, ClaimView, Kind, Offender, Place, RunCount, Step, number};
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
    /// What the drawer shows, by the place of its case.
    paths: IndexMap<usize, Value>,
}

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
        Some(view) => Some((at, path(&view.summary, view))),
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

/// A case from question to verdict; what only some suites know is left out where there is none.
fn path(case: &Offender, view: &CaseView) -> Value {
    let ids = |ids: &[String]| ids.iter().take(200).map(|text| id(text)).collect::<Vec<_>>();
    let texts = |texts: &[String], most: usize| {
        texts.iter().take(50).map(|text| clipped(text, most)).collect::<Vec<_>>()
    };
    let step = |step: &Step| json!([id(&step.name), step.pass, clipped(&step.says.join("\n"), 2_000)]);
    let mut path = json!({
        "question": clipped(&case.question, 4_000),
        "claim": case.claim.as_ref().map(|claim| marked(&clipped(claim, 20_000), &case.gold_phrases)),
        "retrieved": ids(&case.retrieved),
        "cited": ids(&case.cited),
        "gold": ids(&case.gold_citations),
        "phrases": texts(&case.gold_phrases, 400),
        "notes": texts(&case.notes, 2_000),
        "steps": view.steps.iter().map(step).collect::<Vec<_>>(),
        "trace": shown(&case.place()),
        "next": shown(&case.next_step),
    });
    let claim = |claim: &ClaimView| {
        let checks = claim.checks.iter().map(|(holds, why)| json!([holds, clipped(why, 2_000)]));
        let words = clipped(claim.words.as_deref().unwrap_or_default(), 4_000);
        json!([id(&claim.id), words, checks.collect::<Vec<_>>()])
    };
    let chunk = |chunk: &ChunkPath| {
        let tags = chunk.tags.iter().map(|(tag, good)| json!([shown(tag), good]));
        json!([id(&chunk.id), chunk.ranks, tags.collect::<Vec<_>>()])
    };
    let counted =
        |counted: &RunCount| json!([counted.source, clipped(&counted.text, 400), counted.runs, counted.of]);
    let staged = view.evidence.as_ref().map(|evidence| {
        let stages: Vec<String> = evidence.stages.iter().map(|stage| shown(stage)).collect();
        let chunks: Vec<Value> = evidence.chunks.iter().map(chunk).collect();
        json!({ "stages": stages, "chunks": chunks, "more": evidence.more })
    });
    let about: Vec<_> = view.about.iter().map(|(name, text)| (shown(name), clipped(text, 2_000))).collect();
    let further: [(&str, Value); 4] = [
        ("about", json!(about)),
        ("staged", json!(staged)),
        ("claims", view.claims.iter().map(claim).collect()),
        ("found", view.counted.iter().map(counted).collect()),
    ];
    for (key, value) in further.into_iter().filter(|(_, value)| !value.is_null() && *value != json!([])) {
        path[key] = value;
    }
    path
}

/// A name of the input, which one line holds.
pub(super) fn id(name: &str) -> String {
    text::visible(&text::shorten(name, 300)).into_owned()
}
