//! The suite `agreement`, top to bottom: read what each rater says, pair it, arbitrate, score, gate, report.

pub mod dialect;
pub mod judge;
pub mod metrics;
mod profile;
mod read;

use std::borrow::Cow;
use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::json;

use crate::columns::{Seen, observed};
use crate::detail::Detail;
use crate::group::{Contribution, Groups};
use crate::input::Source;
use crate::metrics::{About, Metric};
use crate::number::Value;
use crate::pipeline::{self, Cases, Gates};
use crate::problem::{self, Failure, Problem};
use crate::profiles::Profile;
use crate::report::histogram;
use crate::report::{
    self, Body, Column, Facts, FaultRule, Kind, Layout, Matrix, Place, Report, Section, Shown, Table,
};
use crate::request::key::{Key, Shape};
use crate::suite::{Reads, Suite};
use crate::suites::agreement::judge::calibration::{self, Calibrated};
use crate::suites::agreement::judge::{Final, Label, Verdict, Why, arbitrate};
use crate::text;
use read::{Item, Ratings, Reading};

/// The declaration.
pub const SUITE: Suite = Suite {
    name: "agreement",
    about: "Score raters against each other: agreement, kappa, abstentions, who overrules whom",
    inputs: &[
        Key::new("pairs", Shape::Files, "Pairs of ratings, a scholar's and an auditor's, as JSON lines"),
        Key::new("raters", Shape::NamedFiles, "A rater and the file of their ratings (twice or more)")
            .flag("rater"),
    ],
    reads: Reads::OneOf(&[&["pairs"], &["raters"]]),
    options: &[Key::new(
        "truth",
        Shape::Text,
        "The rater that the others are measured against, to calibrate a judge on human labels",
    )
    .value("NAME")],
    examples: "\
  karat agreement --pairs consistency_pairs.jsonl
  karat agreement --rater scholar=scholar.jsonl --rater auditor=auditor.jsonl --format tsv
  karat agreement --rater human=labels.jsonl --rater judge=judge.jsonl --truth human --gates 'judge_recall>=0.8'",
    no_slices: Some("ratings have no gold fields to slice by"),
    no_partials: Some("read all ratings at once"),
    layouts: &[],
    dialects: &[&dialect::DIALECT],
    profile: profile::profile,
    evaluate: |request, context| {
        let inputs = if request.has("pairs") {
            Inputs::Pairs(request.sources_of("pairs")?)
        } else {
            Inputs::Raters(request.named_sources("raters"))
        };
        let settings = Settings {
            truth: request.given.text("truth").map(str::to_owned),
            lenient: request.given.flag("lenient"),
            gates: request.gates(),
            cases: request.cases,
            tell: request.detail.clone(),
            threads: request.threads,
            profile: request.profile(),
            metrics: request.metrics(profile::metrics())?,
        };
        Ok(evaluate(&inputs, &settings, context.progress)?.into())
    },
};

/// What is read.
enum Inputs {
    /// Lines that hold the ratings of a scholar and an auditor.
    Pairs(Vec<Source>),
    /// One file for each rater, by name; two or more.
    Raters(Vec<(String, Source)>),
}

/// How it is scored.
struct Settings {
    /// The rater that the others are measured against.
    truth: Option<String>,
    lenient: bool,
    gates: Gates,
    cases: Cases,
    tell: Detail,
    threads: usize,
    profile: Profile,
    metrics: Vec<Metric<Verdict>>,
}

/// An answer that every rater judged.
struct Paired<'a> {
    item: &'a Item,
    verdict: Verdict,
    /// Of two raters: why the answer ends as it does.
    why: Option<Why>,
}

/// Scores how far raters agree, and decides.
fn evaluate(
    inputs: &Inputs,
    settings: &Settings,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Report, Failure> {
    let profile = settings.profile.clone();
    let gates = match pipeline::chosen(&settings.gates, &profile, 0)? {
        Some(gates) => gates,
        None => profile.preset("consistency")?.gates(&profile.metrics, 0)?,
    };
    let gates = pipeline::with_always(gates, &["unpaired"], &profile);
    if let Some(gate) = gates.iter().find(|gate| gate.slice.is_some()) {
        let message = format!("`{gate}`: ratings have no fields to slice by");
        return Err(Problem::of_file(&problem::GATE_INVALID, "--gates", message).into());
    }
    if let Some(gate) = gates.iter().find(|gate| against_truth(gate.metric) && settings.truth.is_none()) {
        let message = format!("`{gate}` measures a judge against the truth, and nobody is named as that");
        let mut problem = Problem::of_file(&problem::RATERS_INVALID, "--gates", message);
        problem.expected = "expected --truth NAME, the rater whose labels are right".into();
        return Err(problem.into());
    }
    let reading = Reading { lenient: settings.lenient, threads: pipeline::threads(settings.threads) };
    let ratings = match inputs {
        Inputs::Pairs(sources) => reading.pairs(sources, progress)?,
        Inputs::Raters(raters) => {
            check(raters)?;
            reading.raters(raters, progress)?
        }
    };
    let truth = settings.truth.as_deref().map(|name| find(name, &ratings.raters)).transpose()?;
    let paired: Vec<Paired<'_>> = ratings.items.iter().filter_map(pair).collect();
    let unpaired = ratings.items.len() - paired.len();

    let mut groups = Groups::new(0, false);
    for answer in &paired {
        groups.all.add(&answer.verdict, Contribution::Verdict);
    }
    if ratings.raters.len() > 2 {
        groups.all.cluster();
    }
    let judges = truth.into_iter().flat_map(|truth| {
        let others = (0..ratings.raters.len()).filter(move |&rater| rater != truth);
        others.map(|rater| (rater, calibrate(&ratings, rater, truth))).collect::<Vec<_>>()
    });
    let judges: Vec<(usize, Calibrated)> = judges.collect();
    // What is measured against the truth is no figure where nobody is the truth.
    let wanted = settings.metrics.iter().filter(|metric| truth.is_some() || !against_truth(metric));
    let figures = pipeline::figures_at(wanted.map(|metric| (*metric, 0)), &settings.metrics, &gates, ());
    let counts = HashMap::from([("unpaired", unpaired as u64), ("malformed", ratings.malformed)]);
    let mut scores = groups.all.scores(&figures, &counts);
    let calibrated: Vec<Calibrated> = judges.iter().map(|(_, found)| found.clone()).collect();
    for (score, figure) in scores.iter_mut().zip(&figures) {
        if let Some(of) = metrics::against_truth(&figure.metric) {
            *score = calibration::worst(&calibrated, of);
        }
    }
    let concluded = pipeline::conclude_with(&gates, &figures, &groups, &[], &counts, scores);
    let from = pipeline::origin(&settings.gates, "consistency");
    let options = [("raters", json!(ratings.raters)), ("truth", json!(settings.truth))];
    let disagreements = paired.iter().filter(|answer| !answer.verdict.agrees()).count() as u64;
    let mut report = Report {
        labels: histogram(&paired, &Final::ALL, |a| a.why.map(Why::outcome), Final::name),
        stages: histogram(&paired, &Why::ALL, |a| a.why, Why::name),
        hints: hints(&ratings, unpaired),
        offenders_total: Some(disagreements),
        offenders: offenders(&ratings, &paired),
        sections: sections(&ratings, &paired, truth, &judges),
        layout: layout(&ratings.raters),
        cases: cases(&ratings, &paired, settings),
        observed: match settings.cases {
            Cases::All => {
                observed(&figures, paired.iter().map(|answer| Seen::Verdict(Cow::Borrowed(&answer.verdict))))
            }
            _ => IndexMap::new(),
        },
        inputs: ratings.inputs.clone(),
        ..concluded.report(&profile, report::Settings::new(options, &from, pipeline::bootstrap()))
    };
    let raters = text::count(ratings.raters.len() as u64, "rater");
    report.scope = format!("{} by {raters}", report.counted("n", "answer"));
    // Whatever the gates allow, nothing that two raters judged is nothing that may ship.
    if !paired.is_empty() || !report.pass {
        return Ok(report);
    }
    let headline = Some("no answer was judged by every rater, so that nothing was measured".to_owned());
    Ok(Report { pass: false, verdict: report::Decision::Inconclusive, headline, ..report })
}

/// Whether a metric measures a judge against the truth.
fn against_truth(metric: &About) -> bool {
    metrics::against_truth(metric).is_some()
}

/// Two raters at least, each under a name of its own.
fn check(raters: &[(String, Source)]) -> Result<(), Problem> {
    let bad = |message: String| Problem::of_file(&problem::RATERS_INVALID, "--rater", message);
    if raters.len() < 2 {
        return Err(bad("one rater agrees with everybody: two are needed".into()));
    }
    for (i, (name, _)) in raters.iter().enumerate() {
        if raters[..i].iter().any(|(other, _)| other == name) {
            return Err(bad(format!("two raters are called \"{}\"", text::visible(name))));
        }
    }
    Ok(())
}

fn find(name: &str, raters: &[String]) -> Result<usize, Problem> {
    raters.iter().position(|rater| rater == name).ok_or_else(|| {
        let message = format!("no rater is called \"{}\"", text::visible(name));
        let mut problem = Problem::of_file(&problem::RATERS_INVALID, "--truth", message);
        problem.expected = format!("the raters are: {}", raters.join(", "));
        problem
    })
}

/// An answer that nobody lacks.
fn pair(item: &Item) -> Option<Paired<'_>> {
    let labels = item.ratings.iter().map(|rating| Some(rating.as_ref()?.label)).collect::<Option<_>>()?;
    let verdict = Verdict { labels };
    let why = match verdict.labels[..] {
        [scholar, auditor] => Some(arbitrate(scholar, auditor, item.flagged, item.in_scope)),
        _ => None,
    };
    Some(Paired { item, verdict, why })
}

/// Who says what, and how well each rater finds what the truth rejects.
fn sections(
    ratings: &Ratings,
    paired: &[Paired<'_>],
    truth: Option<usize>,
    judges: &[(usize, Calibrated)],
) -> Vec<Section> {
    let count =
        |of: &dyn Fn(&Verdict) -> bool| paired.iter().filter(|answer| of(&answer.verdict)).count() as u64;
    let labels = || Label::ALL.into_iter();
    let says = |rater: usize, label: Label| move |verdict: &Verdict| verdict.labels[rater] == label;
    let (down, across, rows) = match ratings.raters.as_slice() {
        [first, second] => {
            let row = |down: Label| {
                let both = |across: Label| count(&|v| says(0, down)(v) && says(1, across)(v));
                (down.name().to_owned(), labels().map(both).collect())
            };
            (first.clone(), Some(second.clone()), labels().map(row).collect())
        }
        raters => {
            let row = |(i, name): (usize, &String)| {
                (name.clone(), labels().map(|label| count(&says(i, label))).collect())
            };
            ("rater".to_owned(), None, raters.iter().enumerate().map(row).collect())
        }
    };
    let columns = labels().map(|label| label.name().to_owned()).collect();
    let matrix = Body::Matrix(Matrix { down, across, columns, rows });
    let mut sections =
        vec![Section { first: true, ..Section::new("who_says_what", "Who says what", matrix) }];
    if let Some(truth) = truth {
        use Place::{Flat, Page, Text};
        let title = format!("Against {}: what of its rejections each finds", ratings.raters[truth]);
        let figures = ["precision", "recall", "f1", "kappa"];
        let mut columns = vec![
            Column::named("rater", Kind::Text, &[Text, Page]),
            Column::named("n", Kind::Count, &[Text, Page, Flat]),
        ];
        columns.extend(figures.map(|name| Column::named(name, Kind::Number, &[Text, Page, Flat])));
        let row = |(rater, found): &(usize, Calibrated)| {
            let scores = [found.precision(), found.recall(), found.f1(), found.kappa()];
            let values = scores.map(|score| json!(score.value.map(Value::to_f64)));
            [json!(ratings.raters[*rater]), json!(found.n)].into_iter().chain(values).collect()
        };
        let table = Table { columns, rows: judges.iter().map(row).collect(), bars: false };
        sections.push(Section { first: true, ..Section::new("truth", title, Body::Table(table)) });
    }
    sections
}

/// How formats speak of answers that raters judged: what divides the raters is what is wrong, whatever came of it.
fn layout(raters: &[String]) -> Layout {
    use Place::{Csv, Md, Page, Tsv};
    let rater =
        |name: &String| Column::new(format!("ratings/{name}"), name.clone(), Kind::Rating, &[Csv, Page, Tsv]);
    let mut columns = vec![
        Column::new("id", "qid", Kind::Text, &[Md, Tsv]),
        Column::named("ratings", Kind::Group, &[Md]),
        Column::new("first_failed_stage", "why", Kind::Word, &[Md]),
        Column::named(RATERS, Kind::Word, &[Page]),
    ];
    columns.extend(raters.iter().map(rater));
    columns.push(Column::new("label", "final", Kind::Word, &[Tsv]));
    columns.push(Column::new("first_failed_stage", "why", Kind::Word, &[Tsv]));
    let fault = FaultRule {
        name: "disagreement".into(),
        meaning: "The raters do not say the same of an answer.".into(),
        column: RATERS.into(),
        value: DIVIDED.into(),
    };
    Layout { case: "case".into(), fault: Some(fault), worst: vec![Shown::Notes], columns }
}

/// The fact of an answer that says whether its raters agree, and its values.
const RATERS: &str = "raters";
const DIVIDED: &str = "divided";
const AGREE: &str = "agree";

/// A rater against the truth, over the answers that both judged.
fn calibrate(ratings: &Ratings, rater: usize, truth: usize) -> Calibrated {
    let label = |item: &Item, rater: usize| item.ratings[rater].as_ref().map(|rating| rating.label);
    Calibrated::of(ratings.items.iter().filter_map(|item| label(item, rater).zip(label(item, truth))))
}

/// The word for an answer: what becomes of it, or whether raters agree where there are more than two.
fn word(answer: &Paired<'_>) -> (&'static str, &'static str) {
    match (answer.why, answer.verdict.agrees()) {
        (Some(why), _) => (why.outcome().name(), why.name()),
        (None, true) => ("AGREED", "agreed"),
        (None, false) => ("DIVIDED", "divided"),
    }
}

fn cases(ratings: &Ratings, paired: &[Paired<'_>], settings: &Settings) -> Vec<report::Case> {
    let listed = paired.iter().filter(|answer| match settings.cases {
        Cases::All => true,
        Cases::Offenders => !answer.verdict.agrees(),
        Cases::None => false,
    });
    let listed: Vec<&Paired<'_>> = listed.collect();
    let case = |answer: &&Paired<'_>| {
        let (label, why) = word(answer);
        report::Case {
            id: answer.item.id.to_string(),
            label: label.into(),
            first_failed_stage: why.into(),
            line: answer.item.line,
            facts: Facts::known([
                (RATERS, json!(if answer.verdict.agrees() { AGREE } else { DIVIDED })),
                (
                    "ratings",
                    ratings
                        .raters
                        .iter()
                        .cloned()
                        .zip(answer.verdict.labels.iter().map(|l| json!(l.name())))
                        .collect(),
                ),
            ]),
            view: None,
        }
    };
    let mut cases: Vec<report::Case> = listed.iter().map(case).collect();
    settings.tell.to(
        &mut cases,
        |i| listed[i].verdict.agrees(),
        |i| report::CaseView { summary: offender(ratings, listed[i]), ..report::CaseView::default() },
    );
    cases
}

/// Answers that divide the raters: what was vetoed and what needs a person first.
fn offenders(ratings: &Ratings, paired: &[Paired<'_>]) -> Vec<report::Offender> {
    const WORST: usize = 10;
    let mut divided: Vec<&Paired<'_>> = paired.iter().filter(|answer| !answer.verdict.agrees()).collect();
    divided.sort_by_key(|answer| (answer.why.map(Why::outcome) != Some(Final::Review), answer.why));
    divided.into_iter().take(WORST).map(|answer| offender(ratings, answer)).collect()
}

fn offender(ratings: &Ratings, answer: &Paired<'_>) -> report::Offender {
    let (label, why) = word(answer);
    let notes = ratings.raters.iter().zip(&answer.item.ratings).filter_map(|(rater, rating)| {
        let rating = rating.as_ref()?;
        let reason = rating.reason.as_deref().filter(|reason| !reason.is_empty());
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        Some(format!("{rater} says {}{reason}", rating.label.name()))
    });
    let next_step = match answer.verdict.agrees() {
        true => "nothing",
        false => "have a third person judge it, and write down the rule that decides it",
    };
    report::Offender {
        id: answer.item.id.to_string(),
        label: label.into(),
        first_failed_stage: why.into(),
        line: answer.item.line,
        notes: notes.collect(),
        next_step: next_step.into(),
        ..report::Offender::default()
    }
}

fn hints(ratings: &Ratings, unpaired: usize) -> Vec<String> {
    let mut hints = Vec::new();
    if unpaired > 0 {
        let lacking = |item: &&Item| item.ratings.iter().any(Option::is_none);
        let first: Vec<&str> = ratings.items.iter().filter(lacking).take(5).map(|item| &*item.id).collect();
        let more = if unpaired > first.len() { ", …" } else { "" };
        let answers = text::count(unpaired as u64, "answer");
        let skipped = if ratings.malformed > 0 { ", or whose line was skipped" } else { "" };
        hints.push(format!("{answers} that some rater did not judge{skipped}: {}{more}", first.join(", ")));
    }
    hints
}
