//! The suite `stability`, top to bottom: read gold, read every run of every case, settle, score, gate, report.

mod aggregate;
pub mod dialect;
mod grid;
pub mod judge;
pub mod labels;
pub mod metrics;
mod profile;
mod read;
mod report;
mod runs;

use std::borrow::Cow;
use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::json;

use super::{REFUSAL, refusal};
use crate::columns::{Seen, observed};
use crate::detail::Detail;
use crate::gold::Gold;
use crate::group::{Contribution, Groups};
use crate::input::Source;
use crate::judge::{Refusal, Rules};
use crate::metrics::Metric;
use crate::pipeline::{self, Cases, Gates};
use crate::problem::Failure;
use crate::profiles::Profile;
use crate::report::histogram;
use crate::report::{Body, Report, Section};
use crate::request::Request;
use crate::request::key::{Key, Shape};
use crate::suite::{Reads, Suite};
use crate::suites::stability::judge::{Label, Stage, Verdict};
use crate::text;
use grid::Grid;
use read::Reading;
use report::Told;

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
    dialects: &[&dialect::DIALECT],
    profile: profile::profile,
    evaluate: |request, context| {
        let inputs =
            Inputs { gold: request.needed("gold", context)?, traces: request.sources_of("traces")? };
        Ok(evaluate(&inputs, &Settings::new(request)?, context.progress)?.into())
    },
};

/// What is read.
struct Inputs {
    /// The gold set of `answers`.
    gold: Source,
    /// The runs, in their order: the last of a case, seed, jitter and wording counts.
    traces: Vec<Source>,
}

/// How it is scored.
struct Settings {
    /// The runs that every case must have.
    grid: Grid,
    refusal: Refusal,
    lenient: bool,
    gates: Gates,
    slices: Vec<String>,
    cases: Cases,
    tell: Detail,
    threads: usize,
    profile: Profile,
    metrics: Vec<Metric<Verdict>>,
}

impl Settings {
    fn new(request: &Request) -> Result<Settings, Failure> {
        let axes = request.given.named("grid").iter();
        let axes: Vec<(&str, Vec<&str>)> =
            axes.map(|(axis, values)| (axis.as_str(), values.iter().map(String::as_str).collect())).collect();
        Ok(Settings {
            grid: if axes.is_empty() { Grid::default() } else { Grid::of(&axes)? },
            refusal: refusal(request)?,
            lenient: request.given.flag("lenient"),
            gates: request.gates(),
            slices: request.given.texts("slices").to_vec(),
            cases: request.cases,
            tell: request.detail.clone(),
            threads: request.threads,
            profile: request.profile(),
            metrics: request.metrics(profile::metrics())?,
        })
    }
}

/// Scores repeated runs against gold, and decides.
fn evaluate(
    inputs: &Inputs,
    settings: &Settings,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Report, Failure> {
    let (profile, threads) = (settings.profile.clone(), pipeline::threads(settings.threads));
    let gates = match pipeline::chosen(&settings.gates, &profile, 0)? {
        Some(gates) => gates,
        None => profile.preset("stable")?.gates(&profile.metrics, 0)?,
    };
    // The preset counts a case without a run among those that fail, and one of runs that fail or say nothing; gates of one's
    // own may not look at `fail` at all.
    let always: &[&str] = match settings.gates {
        Gates::Explicit(_) => &["missing", "missing_runs", "errored", "silent"],
        Gates::Preset(_) | Gates::Default => &["missing_runs"],
    };
    let gates = pipeline::with_always(gates, always, &profile);
    let slices = pipeline::sliced(&settings.slices, &gates)?;
    let gold = Gold::load(&inputs.gold, &slices, threads)?;
    let Settings { refusal, grid, lenient, .. } = settings;
    let reading = Reading { gold: &gold, refusal, grid, lenient: *lenient, threads };
    let log = reading.read(&inputs.traces, progress)?;
    let verdicts = aggregate::settle(&gold.cases, &log.runs, &log.axes, threads);

    let resample_slices = gates.iter().any(|gate| gate.confident && gate.slice.is_some());
    let mut groups = Groups::new(gold.slice_fields.len(), resample_slices);
    for (case, verdict) in gold.cases.iter().zip(&verdicts) {
        groups.each(&case.slices, |group| {
            group.missing += u64::from(verdict.runs == 0);
            group.add(verdict, Contribution::Verdict);
        });
    }
    groups.sort();
    let figures = pipeline::figures(&settings.metrics, &gates, 0, ());
    let counts = HashMap::from([("malformed", log.malformed)]);
    let concluded = pipeline::conclude(&gates, &figures, &groups, &gold.slice_fields, &counts);
    let from = pipeline::origin(&settings.gates, "stable");
    let (traces, tell) = (&inputs.traces, &settings.tell);
    let told = Told { gold: &gold, log: &log, verdicts: &verdicts, traces, tell };
    let grid = told.grid();
    let gold_read =
        crate::report::Input::new("gold", &gold.name, gold.cases.len() as u64, gold.fingerprint.clone());
    let options = [("grid", json!(settings.grid.to_string()))];
    let mut told_settings = crate::report::Settings::new(options, &from, pipeline::bootstrap());
    told_settings.options.extend(Rules { refusal: refusal.clone(), ..Rules::default() }.told());
    let mut report = Report {
        labels: histogram(&verdicts, &Label::ALL, |verdict| Some(verdict.label()), Label::name),
        stages: histogram(&verdicts, &Stage::ALL, |verdict| Some(verdict.stage()), Stage::name),
        hints: told.hints(&grid),
        warnings: gold.warnings.iter().map(ToString::to_string).collect(),
        warnings_total: gold.warnings_total,
        offenders_total: Some(verdicts.iter().filter(|v| v.label() != Label::Stable).count() as u64),
        offenders: told.offenders(),
        sections: vec![Section::new("grid", "Runs by seed and jitter", Body::Grid(grid))],
        layout: report::layout(&profile),
        cases: told.cases(settings.cases),
        observed: match settings.cases {
            Cases::All => {
                observed(&figures, verdicts.iter().map(|verdict| Seen::Verdict(Cow::Borrowed(verdict))))
            }
            _ => IndexMap::new(),
        },
        inputs: std::iter::once(gold_read).chain(log.inputs.iter().cloned()).collect(),
        ..concluded.report(&profile, told_settings)
    };
    report.sections.push(Section::data("totals", "How many cases hold", report::totals(&report.counts)));
    let cases = text::count(gold.cases.len() as u64, "case");
    report.scope = format!("{cases}, {}", report.counted("runs", "run"));
    Ok(report)
}
