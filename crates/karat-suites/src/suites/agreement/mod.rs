//! The suite `agreement`, top to bottom: read what each rater says, pair it, arbitrate, score, gate, report.

pub mod input;
pub mod judge;
pub mod labels;
pub mod metrics;
mod profile;
mod report;

use std::collections::HashMap;

use serde_json::json;

use super::common::Common;
use crate::group::{Contribution, Groups};
use crate::input::Source;
use crate::metrics::About;
use crate::pipeline;
use crate::problem::{self, Failure, Problem};
use crate::report::Report;
use crate::report::histogram;
use crate::request::key::{Key, Shape};
use crate::request::{Output, Request, RunContext};
use crate::suite::{Reads, Suite};
use crate::text;
use input::{Item, Ratings};
use judge::calibration::{self, Calibrated};
use judge::{Final, Verdict, Why, arbitrate};

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
    dialects: &[&input::DIALECT],
    profile: profile::profile,
    evaluate,
};

/// An answer that every rater judged.
struct Paired<'a> {
    item: &'a Item,
    verdict: Verdict,
    /// Of two raters: why the answer ends as it does.
    why: Option<Why>,
}

/// Scores how far raters agree, and decides.
fn evaluate(request: &Request, context: &RunContext<'_>) -> Result<Output, Failure> {
    let (pairs, raters) = (request.sources_of("pairs")?, request.named_sources("raters"));
    let (common, truth) = (Common::new(request, context), request.given.text("truth"));
    let gating = common.gating("consistency", 0, &["unpaired"])?;
    gating.unsliced("ratings have no fields to slice by")?;
    if let Some(gate) = gating.gates.iter().find(|gate| against_truth(gate.metric) && truth.is_none()) {
        let message = format!("`{gate}` measures a judge against the truth, and nobody is named as that");
        let problem = Problem::of_file(&problem::RATERS_INVALID, "--gates", message);
        return Err(problem.expecting("expected --truth NAME, the rater whose labels are right").into());
    }
    let ratings = if request.has("pairs") {
        input::pairs(&pairs, &common)?
    } else {
        check(&raters)?;
        input::raters(&raters, &common)?
    };
    let options = [("raters", json!(ratings.raters)), ("truth", json!(truth))];
    let truth = truth.map(|name| find(name, &ratings.raters)).transpose()?;
    let paired: Vec<Paired<'_>> = ratings.items.iter().filter_map(pair).collect();
    let unpaired = ratings.items.len() - paired.len();

    let mut groups = Groups::new(0, false);
    for answer in &paired {
        groups.all.add(&answer.verdict, Contribution::Verdict);
    }
    if ratings.raters.len() > 2 {
        groups.all.cluster();
    }
    let others = (0..ratings.raters.len()).filter(|rater| truth.is_some_and(|truth| truth != *rater));
    let judges: Vec<(usize, Calibrated)> =
        others.map(|rater| (rater, calibrate(&ratings, rater, truth.unwrap_or(rater)))).collect();
    // Where no rater is the truth, there is no figure against it.
    let all = request.metrics(profile::metrics())?;
    let wanted = all.iter().filter(|metric| truth.is_some() || !against_truth(metric));
    let figures = pipeline::figures_at(wanted.map(|metric| (*metric, 0)), &all, &gating.gates, ());
    let counts = HashMap::from([("unpaired", unpaired as u64), ("malformed", ratings.malformed)]);
    let mut scores = groups.all.scores(&figures, &counts);
    let calibrated: Vec<Calibrated> = judges.iter().map(|(_, found)| found.clone()).collect();
    for (score, figure) in scores.iter_mut().zip(&figures) {
        if let Some(of) = metrics::against_truth(&figure.metric) {
            *score = calibration::worst(&calibrated, of);
        }
    }
    let concluded = pipeline::conclude_with(&gating.gates, &figures, &groups, &[], &counts, scores);
    let nothing = paired.is_empty().then_some("no answer was judged by every rater");
    let mut report = Report {
        labels: histogram(&paired, &Final::ALL, |a| a.why.map(Why::outcome), Final::name),
        stages: histogram(&paired, &Why::ALL, |a| a.why, Why::name),
        hints: report::hints(&ratings),
        offenders_total: Some(paired.iter().filter(|answer| !answer.verdict.agrees()).count() as u64),
        offenders: report::offenders(&ratings, &paired),
        sections: report::sections(&ratings, &paired, truth, &judges),
        layout: report::layout(&ratings.raters),
        cases: report::cases(&ratings, &paired, &common),
        observed: common.observed(&figures, paired.iter().map(|answer| Some(&answer.verdict))),
        inputs: ratings.inputs.clone(),
        ..common.report(concluded, &gating, options, nothing)
    };
    let raters = text::count(ratings.raters.len() as u64, "rater");
    report.scope = format!("{} by {raters}", report.counted("n", "answer"));
    Ok(report.into())
}

/// Whether a metric measures a judge against the truth.
fn against_truth(metric: &About) -> bool {
    metrics::against_truth(metric).is_some()
}

/// Checks that there are two raters or more, each under a name of its own.
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
        let problem = Problem::of_file(&problem::RATERS_INVALID, "--truth", message);
        problem.expecting(format!("the raters are: {}", raters.join(", ")))
    })
}

/// Pairs the labels of an answer; `None` where some rater did not judge it.
fn pair(item: &Item) -> Option<Paired<'_>> {
    let labels = item.ratings.iter().map(|rating| Some(rating.as_ref()?.label)).collect::<Option<_>>()?;
    let verdict = Verdict { labels };
    let why = match verdict.labels[..] {
        [scholar, auditor] => Some(arbitrate(scholar, auditor, item.flagged, item.in_scope)),
        _ => None,
    };
    Some(Paired { item, verdict, why })
}

/// Measures a rater against the truth, over the answers that both judged.
fn calibrate(ratings: &Ratings, rater: usize, truth: usize) -> Calibrated {
    let label = |item: &Item, rater: usize| item.ratings[rater].as_ref().map(|rating| rating.label);
    Calibrated::of(ratings.items.iter().filter_map(|item| label(item, rater).zip(label(item, truth))))
}
