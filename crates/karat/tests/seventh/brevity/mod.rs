//! The suite `brevity`: does an answer keep to the number of words that gold allows? As small as a suite can be, and whole.

mod input;
mod judge;
mod metrics;

use std::collections::HashMap;

use karat_engine::columns::{Row, observed};
use karat_engine::dialect::Dialect;
use karat_engine::group::{Contribution, Groups};
use karat_engine::pipeline::{self, Cases};
use karat_engine::problem::Failure;
use karat_engine::profile::{Preset, Profile, Term};
use karat_engine::report::{self, Column, Kind, Layout, Place, histogram};
use karat_engine::request::key::{Key, Shape};
use karat_engine::request::{Output, Request, RunContext};
use karat_engine::suite::{Reads, Suite};
use serde_json::json;

use judge::{Label, Verdict};

/// The declaration.
pub(crate) const SUITE: Suite = Suite {
    name: "brevity",
    about: "Score how short answers are",
    inputs: &[
        Key::new("gold", Shape::File, "The gold set: a `qid` and its `most_words`"),
        Key::new("traces", Shape::Files, "Traces with a `qid` and a `claim`").flag("trace"),
    ],
    reads: Reads::OneOf(&[&["gold", "traces"]]),
    options: &[Key::new("slack", Shape::Number(0, 100), "How many words more are let pass").or("0")],
    examples: "  karat brevity --gold gold.jsonl --trace trace.jsonl --slack 2",
    no_slices: Some("its cases have no fields to slice by"),
    no_partials: Some("it is a toy"),
    layouts: &[],
    dialects: &[&DIALECT],
    profile,
    evaluate,
};

const DIALECT: Dialect = Dialect {
    name: "counted",
    summary: "A claim, and how many words it may have.",
    source: "a test",
    gold: input::GOLD.fields,
    trace: input::TRACE.fields,
    ..Dialect::PLAIN
};

fn profile() -> Profile {
    Profile {
        suite: SUITE.name,
        summary: "short answers",
        metrics: karat_engine::metrics::abouts(&metrics::all()),
        flat: &["brief", "missing", "gates", "pass", "verdict"],
        slices: &[("brief", "brief")],
        sets: "w the words of a claim",
        labels: terms,
        stages: terms,
        presets: &[Preset { name: "brief", toml: include_str!("presets/brief.toml") }],
        ..Profile::default()
    }
}

fn terms() -> Vec<Term> {
    let term = |label: Label| Term {
        name: label.name(),
        meaning: label.meaning(),
        steps: vec![("", "ask for fewer words")],
        good: label == Label::Brief,
    };
    Label::ALL.map(term).to_vec()
}

fn evaluate(request: &Request, context: &RunContext<'_>) -> Result<Output, Failure> {
    let profile = request.profile();
    let chosen = pipeline::chosen(&request.gates(), &profile, 0)?;
    let gates = match chosen {
        Some(gates) => gates,
        None => profile.preset("brief")?.gates(&profile.metrics, 0)?,
    };
    let gates = pipeline::with_always(gates, &["missing"], &profile);
    let (gold, gold_read) = input::gold(&request.needed("gold", context)?)?;
    let (claims, traces_read) = input::traces(&request.sources_of("traces")?)?;
    let slack = request.number("slack");
    let verdicts: Vec<Verdict> =
        gold.iter().map(|case| judge::judge(case, claims.get(&case.id), slack)).collect();

    let mut groups = Groups::new(0, false);
    for verdict in &verdicts {
        groups.all.missing += u64::from(verdict.words.is_none());
        groups.all.add(verdict, Contribution::Verdict);
    }
    let figures = pipeline::figures(&request.metrics(metrics::all())?, &gates, 0, ());
    let concluded = pipeline::conclude(&gates, &figures, &groups, &[], &HashMap::new());
    let settings = report::Settings::new(
        [("slack", json!(slack))],
        &pipeline::origin(&request.gates(), "brief"),
        pipeline::bootstrap(),
    );
    let cases = gold.iter().zip(&verdicts).map(|(case, verdict)| report::Case {
        id: case.id.clone(),
        label: verdict.label().name().into(),
        first_failed_stage: verdict.label().name().into(),
        line: case.line,
        facts: report::Facts::known([("words", json!(verdict.words))]),
        view: None,
    });
    let mut report = report::Report {
        labels: histogram(&verdicts, &Label::ALL, |verdict| Some(verdict.label()), Label::name),
        stages: histogram(&verdicts, &Label::ALL, |verdict| Some(verdict.label()), Label::name),
        cases: if request.cases == Cases::None { Vec::new() } else { cases.collect() },
        observed: observed(&figures, verdicts.iter().map(|v| Row::Verdict(std::borrow::Cow::Borrowed(v)))),
        layout: Layout {
            case: "question".into(),
            columns: vec![Column::named("words", Kind::Count, &[Place::Csv, Place::Md, Place::Page])],
            ..Layout::default()
        },
        inputs: std::iter::once(gold_read).chain(traces_read).collect(),
        ..concluded.report(&profile, settings)
    };
    report.scope = format!("{} claims", claims.len());
    Ok(report.into())
}
