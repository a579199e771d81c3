//! How agreement is reported: who says what, what divides the raters, how well a rater finds what the truth rejects.

use serde_json::json;

use super::Paired;
use super::input::Ratings;
use super::judge::Verdict;
use super::judge::calibration::Calibrated;
use super::labels::{Final, Label, Why};
use crate::number::Value;
use crate::report::{
    self, Body, CaseView, Column, Facts, FaultRule, Kind, Layout, Matrix, Place, Section, Shown, Table,
};
use crate::suites::common::Common;
use crate::text;

/// Who says what, and how well each rater finds what the truth rejects.
pub(super) fn sections(
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
pub(super) fn layout(raters: &[String]) -> Layout {
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

/// The word for an answer: what becomes of it, or whether raters agree where there are more than two.
fn word(answer: &Paired<'_>) -> (&'static str, &'static str) {
    match (answer.why, answer.verdict.agrees()) {
        (Some(why), _) => (why.outcome().name(), why.name()),
        (None, true) => ("AGREED", "agreed"),
        (None, false) => ("DIVIDED", "divided"),
    }
}

pub(super) fn cases(ratings: &Ratings, paired: &[Paired<'_>], common: &Common<'_>) -> Vec<report::Case> {
    let case = |answer: &&Paired<'_>| {
        let (label, why) = word(answer);
        let said = answer.verdict.labels.iter().map(|label| json!(label.name()));
        report::Case {
            id: answer.item.id.to_string(),
            label: label.into(),
            first_failed_stage: why.into(),
            line: answer.item.line,
            facts: Facts::known([
                (RATERS, json!(if answer.verdict.agrees() { AGREE } else { DIVIDED })),
                ("ratings", ratings.raters.iter().cloned().zip(said).collect()),
            ]),
            view: None,
        }
    };
    let agrees = |answer: &&Paired<'_>| answer.verdict.agrees();
    let view = |answer: &&Paired<'_>| CaseView { summary: offender(ratings, answer), ..CaseView::default() };
    common.cases(paired.iter(), agrees, case, view)
}

/// Answers that divide the raters: what was vetoed and what needs a person first.
pub(super) fn offenders(ratings: &Ratings, paired: &[Paired<'_>]) -> Vec<report::Offender> {
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

/// Remarks that change no figure.
pub(super) fn hints(ratings: &Ratings) -> Vec<String> {
    let lacking = ratings.items.iter().filter(|item| item.ratings.iter().any(Option::is_none));
    let unpaired: Vec<&str> = lacking.map(|item| &*item.id).collect();
    let skipped = if ratings.malformed > 0 { ", or whose line was skipped" } else { "" };
    let (answers, names) =
        (text::count(unpaired.len() as u64, "answer"), text::first_few(&unpaired, 5, ", "));
    let hint = format!("{answers} that some rater did not judge{skipped}: {names}");
    (!unpaired.is_empty()).then_some(hint).into_iter().collect()
}
