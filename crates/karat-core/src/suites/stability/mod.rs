//! The suite `stability`, top to bottom: read gold, read every run of every case, settle, score, gate, report.

mod grid;
mod read;
mod report;
mod runs;
mod settle;

use std::borrow::Cow;
use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::json;

use crate::compose::histogram;
use crate::gold::Gold;
use crate::group::{Enters, Groups};
use crate::input::Source;
use crate::judge::stability::{Label, Stage};
use crate::judge::{Refusal, Rules};
use crate::metrics::Params;
use crate::observe::{Seen, observed};
use crate::pipeline::{self, Cases, Gates};
use crate::problem::Failure;
use crate::profiles::Profile;
use crate::report::{Body, Report, Section};
use crate::tell::Tell;
use crate::text;
pub use grid::Grid;
use read::Reading;
use report::Told;

/// What is read.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The gold set of `answers`.
    pub gold: Source,
    /// The runs, in their order: the last of a case, seed, jitter and wording counts.
    pub traces: Vec<Source>,
}

/// How it is scored.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The runs that every case must have.
    pub grid: Grid,
    /// Which claims are refusals.
    pub refusal: Refusal,
    /// Skip and count malformed lines.
    pub lenient: bool,
    /// The gates.
    pub gates: Gates,
    /// The fields to slice by.
    pub slices: Vec<String>,
    /// Which cases the report lists.
    pub cases: Cases,
    /// Whose words it tells, beside the worst cases'.
    pub tell: Tell,
    /// How many threads; 0 for as many as the machine has.
    pub threads: usize,
}

/// Scores repeated runs against gold, and decides.
pub fn evaluate(inputs: &Inputs, settings: &Settings) -> Result<Report, Failure> {
    evaluate_with(inputs, settings, &|_| {})
}

/// The same, telling `progress` how many bytes of the traces were taken, as they are.
pub fn evaluate_with(
    inputs: &Inputs,
    settings: &Settings,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Report, Failure> {
    let (profile, threads) = (Profile::stability(), pipeline::threads(settings.threads));
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
    let verdicts = settle::settle(&gold.cases, &log.runs, &log.axes, threads);

    let resample_slices = gates.iter().any(|gate| gate.confident && gate.slice.is_some());
    let mut groups = Groups::new(gold.slice_fields.len(), resample_slices);
    for (case, verdict) in gold.cases.iter().zip(&verdicts) {
        groups.each(&case.slices, |group| {
            group.missing += u64::from(verdict.runs == 0);
            group.add(verdict, Enters::Verdict);
        });
    }
    groups.sort();
    let figures = pipeline::figures(&profile, &gates, Params::default());
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
        ..concluded.report(profile.suite, told_settings)
    };
    report.sections.push(Section::data("totals", "How many cases hold", report::totals(&report.counts)));
    let cases = text::count(gold.cases.len() as u64, "case");
    report.scope = format!("{cases}, {}", report.counted("runs", "run"));
    Ok(report)
}
