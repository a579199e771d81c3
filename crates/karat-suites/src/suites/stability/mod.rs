//! The suite `stability`, top to bottom: read gold, read every run of every case, aggregate, score, gate, report.

mod aggregate;
mod grid;
pub mod input;
pub mod judge;
pub mod labels;
pub mod metrics;
mod profile;
mod report;
mod runs;

use std::collections::HashMap;

use serde_json::json;

use super::common::Common;
use super::{REFUSAL, refusal};
use crate::gold::Gold;
use crate::group::{Contribution, Groups};
use crate::judge::Rules;
use crate::pipeline::{self, Gates};
use crate::problem::{Failure, Problem};
use crate::report::histogram;
use crate::report::{Body, Report, Section};
use crate::request::key::{Key, Shape};
use crate::request::{Output, Request, RunContext};
use crate::suite::{Reads, Suite};
use crate::text;
use grid::Grid;
use input::Reading;
use judge::{Label, Stage};
use report::Scored;

/// The declaration.
pub const SUITE: Suite = Suite {
    name: "stability",
    about: "Score repeated runs: does a case come out the same, and right, over seeds and jitters?",
    inputs: &[
        Key::new("gold", Shape::File, "The gold set of `answers`: JSON lines, or one JSON array"),
        Key::new(
            "traces",
            Shape::Files,
            "Runs as JSON lines, each a trace with its `seed` and `jitter`: files, patterns such as 'runs/*.jsonl.gz', or - for standard input",
        )
        .flag("trace"),
    ],
    reads: Reads::OneOf(&[&["gold", "traces"]]),
    options: &[
        Key::new(
            "grid",
            Shape::NamedTexts,
            "The runs that every case must have: seeds=0,1,2 jitters=none,ws, or one of the two [default: every seed with every jitter that is seen anywhere]",
        ),
        REFUSAL,
    ],
    examples: "\
  karat stability --gold eval/gold.jsonl --trace runs/stability.jsonl
  karat stability --gold gold.jsonl --trace 'runs/seed-*.jsonl' \\
      --grid seeds=0,1,2 jitters=none,ws,punct
  karat stability --gold gold.jsonl --trace runs.jsonl --gates 'held>=0.95' --slice workflow
  karat stability --gold gold.jsonl --trace runs.jsonl --format flat | jq .details",
    no_slices: None,
    no_partials: Some("the runs of a case belong together"),
    layouts: &[],
    dialects: &[&input::DIALECT],
    profile: profile::profile,
    evaluate,
};

/// Scores repeated runs against gold, and decides.
fn evaluate(request: &Request, context: &RunContext<'_>) -> Result<Output, Failure> {
    let (gold, traces) = (request.needed("gold", context)?, request.sources_of("traces")?);
    let (grid, refusal) = (grid(request)?, refusal(request)?);
    let common = Common::new(request, context);
    // The presets count a case without a run among those that fail, and runs that fail or say nothing; gates of one's own
    // may not look at `fail` at all.
    let always: &[&str] = match common.gates {
        Gates::Explicit(_) => &["missing", "missing_runs", "errored", "silent"],
        Gates::Preset(_) | Gates::Default => &["missing_runs"],
    };
    let gating = common.gating("stable", 0, always)?;
    let slices = pipeline::sliced(&common.slices, &gating.gates)?;
    let gold = Gold::load(&gold, &slices, common.threads)?;
    let reading = Reading { gold: &gold, refusal: &refusal, grid: &grid, common: &common };
    let log = reading.read(&traces)?;
    let verdicts = aggregate::verdicts(&gold.cases, &log.runs, &log.axes, common.threads);

    let mut groups = Groups::new(gold.slice_fields.len(), gating.resamples_slices());
    for (case, verdict) in gold.cases.iter().zip(&verdicts) {
        groups.each(&case.slices, |group| {
            group.missing += u64::from(verdict.runs == 0);
            group.add(verdict, Contribution::Verdict);
        });
    }
    groups.sort();
    let figures = pipeline::figures(&request.metrics(profile::metrics())?, &gating.gates, 0, ());
    let counts = HashMap::from([("malformed", log.malformed)]);
    let concluded = pipeline::conclude(&gating.gates, &figures, &groups, &gold.slice_fields, &counts);
    let nothing = verdicts.iter().all(|verdict| verdict.runs == 0).then_some("no case has a run");
    let scored = Scored { gold: &gold, log: &log, verdicts: &verdicts, traces: &traces, common: &common };
    let drawn = scored.grid();
    let mut report = Report {
        labels: histogram(&verdicts, &Label::ALL, |verdict| Some(verdict.label()), Label::name),
        stages: histogram(&verdicts, &Stage::ALL, |verdict| Some(verdict.stage()), Stage::name),
        hints: scored.hints(&drawn),
        warnings: gold.warnings.iter().map(ToString::to_string).collect(),
        warnings_total: gold.warnings_total,
        offenders_total: Some(verdicts.iter().filter(|v| v.label() != Label::Stable).count() as u64),
        offenders: scored.offenders(),
        sections: vec![Section::new("grid", "Runs by seed and jitter", Body::Grid(drawn))],
        layout: report::layout(&common.profile),
        cases: scored.cases(),
        observed: common.observed(&figures, verdicts.iter().map(Some)),
        inputs: std::iter::once(gold.input()).chain(log.inputs.iter().cloned()).collect(),
        ..common.report(concluded, &gating, [("grid", json!(grid.to_string()))], nothing)
    };
    report.settings.options.extend(Rules { refusal, ..Rules::default() }.setting());
    report.sections.push(Section::data("totals", "How many cases hold", report::totals(&report.counts)));
    let cases = text::count(gold.cases.len() as u64, "case");
    report.scope = format!("{cases}, {}", report.counted("runs", "run"));
    Ok(report.into())
}

/// The runs that every case must have.
fn grid(request: &Request) -> Result<Grid, Problem> {
    let axes = request.given.named("grid").iter();
    let axes: Vec<(&str, Vec<&str>)> =
        axes.map(|(axis, values)| (axis.as_str(), values.iter().map(String::as_str).collect())).collect();
    if axes.is_empty() { Ok(Grid::default()) } else { Grid::of(&axes) }
}
