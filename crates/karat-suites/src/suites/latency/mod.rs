//! The suite `latency`, top to bottom: read gold, gather times and verdicts by knobs and load, score every point of the
//! curve, mark the frontier, select a point, gate it, report.

mod csv;
mod curve;
pub mod dialect;
pub mod judge;
mod knobs;
pub mod metrics;
mod profile;
mod read;
mod report;
mod row;
mod suggest;

use std::collections::HashMap;

use serde_json::json;

use super::{REFUSAL, SCU, refusal, scu};
use crate::detail::Detail;
use crate::gate::Gate;
use crate::gold::Gold;
use crate::group::Groups;
use crate::input::Source;
use crate::judge::{Params, Refusal, RulePack, Rules, Scu, Verdict};
use crate::ledger::Entry;
use crate::metrics::{About, Measure, Metric};
use crate::model::Case;
use crate::pipeline::{self, Cases, Gates};
use crate::problem::{self, Failure, Problem};
use crate::profiles::Profile;
use crate::report::{Input, Report};
use crate::request::Request;
use crate::request::key::{Key, Shape};
use crate::suite::{Reads, Suite};
use crate::suites::answers::aggregate::{Aggregate, Aggregation, Missing};
use crate::suites::answers::report::{hints, layout, observed, offenders};
use crate::suites::answers::told_cases;
use crate::suites::latency::judge::Before;
use crate::suites::latency::metrics::{baseline_missing, baseline_untimed, p95_rise, precision_drop};
use crate::tally::Figure;
use crate::text;
use crate::traces::replay;
use curve::{Curve, Judging, Point};
pub use knobs::LIMIT as KNOBS_LIMIT;
use read::{Log, Reading};

/// What this suite would refuse in a trace: times that are none, knobs that name no point. For those who write traces.
#[must_use]
pub fn refused(line: &str) -> Vec<crate::rows::Wrong> {
    let mut wrong = Vec::new();
    row::Timed::read(line, &mut wrong);
    wrong
}

/// The declaration.
pub const SUITE: Suite = Suite {
    name: "latency",
    about: "Draw latency against accuracy: quantiles by knobs and load, the frontier, the point that may ship",
    inputs: &[
        Key::new("gold", Shape::File, "The gold set of `karat answers`"),
        Key::new(
            "traces",
            Shape::Files,
            "Traces with `e2e_ms` or `stage_ms`, and `knobs` and `load_rps`, as JSON lines: files, patterns, or - for standard input",
        )
        .flag("trace"),
        Key::new(
            "latency_csv",
            Shape::Files,
            "Times as CSV, instead of those in the traces: ts, qid, e2e_ms, retrieval_ms, rerank_ms, llm_ms, guard_ms, knobs",
        ),
        Key::new(
            "baseline",
            Shape::Files,
            "Traces to compare with: p95 may rise by 15 %, precision may drop by 0.02",
        ),
    ],
    reads: Reads::AnyOf(&[&["gold", "traces"], &["latency_csv"], &["gold", "latency_csv"]]),
    options: &[
        Key::new(
            "select",
            Shape::Word(&[
                ("fastest", "The lowest p95 that passes every gate"),
                ("most-accurate", "The highest precision that passes every gate"),
                ("knee", "Where more time stops to buy much precision"),
            ]),
            "Which point of the frontier counts",
        )
        .or("fastest"),
        SCU,
        REFUSAL,
    ],
    examples: "\
  karat latency --gold eval/gold.jsonl --trace runs/sweep.jsonl
  karat latency --gold eval/gold.jsonl --trace runs/new.jsonl --baseline runs/live.jsonl
  karat latency --gold eval/gold.jsonl --trace runs/sweep.jsonl --select knee --out curve.csv
  karat latency --latency-csv runs/latency.csv --gates 'p95<=2000, llm_p95<=1500'",
    no_slices: Some("a time belongs to no slice: score the slice's traces alone"),
    no_partials: Some("score the whole log at once"),
    layouts: &[],
    dialects: &[&dialect::DIALECT],
    profile: profile::profile,
    evaluate: |request, context| {
        let inputs = Inputs {
            gold: request.source("gold", context)?,
            traces: request.sources_of("traces")?,
            latency_csv: request.sources_of("latency_csv")?,
            baseline: request.sources_if("baseline")?,
        };
        Ok(evaluate(&inputs, &Settings::new(request)?, context.progress)?.into())
    },
};

/// What is read.
struct Inputs {
    /// The gold set of `answers`; without one there are times alone, and nothing is known of accuracy.
    gold: Option<Source>,
    /// The traces, in their order: the last trace of a case at a point counts.
    traces: Vec<Source>,
    /// Times as CSV, instead of those in the traces.
    latency_csv: Vec<Source>,
    /// The traces that these are compared with.
    baseline: Option<Vec<Source>>,
}

/// Which point of the frontier counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Select {
    /// The lowest p95 that passes every gate.
    #[default]
    Fastest,
    /// The highest precision that passes every gate.
    MostAccurate,
    /// Where more time stops to buy much precision, whether or not it passes.
    Knee,
}

impl Select {
    const ALL: [Select; 3] = [Select::Fastest, Select::MostAccurate, Select::Knee];

    fn name(self) -> &'static str {
        match self {
            Select::Fastest => "fastest",
            Select::MostAccurate => "most-accurate",
            Select::Knee => "knee",
        }
    }
}

/// How it is scored.
struct Settings {
    select: Select,
    scu: Scu,
    refusal: Refusal,
    lenient: bool,
    gates: Gates,
    cases: Cases,
    tell: Detail,
    threads: usize,
    profile: Profile,
    metrics: Vec<Metric<Verdict>>,
}

impl Settings {
    fn new(request: &Request) -> Result<Settings, Failure> {
        let select = Select::ALL.into_iter().find(|select| select.name() == request.word("select"));
        Ok(Settings {
            select: select.unwrap_or_default(),
            scu: scu(request),
            refusal: refusal(request)?,
            lenient: request.given.flag("lenient"),
            gates: request.gates(),
            cases: request.cases,
            tell: request.detail.clone(),
            threads: request.threads,
            profile: request.profile(),
            metrics: request.metrics(profile::metrics())?,
        })
    }

    /// The gates that apply: what is asked of a point, and with a baseline what is asked of the change.
    fn gates(&self, profile: &Profile, judged: bool, baseline: bool) -> Result<Vec<Gate>, Failure> {
        let gates = match &self.gates {
            Gates::Explicit(_) => pipeline::chosen(&self.gates, profile, 0)?.unwrap_or_default(),
            Gates::Preset(name) => preset(profile, name, baseline)?,
            Gates::Default => preset(profile, "slo", baseline)?,
        };
        if let Some(gate) = gates.iter().find(|gate| gate.slice.is_some()) {
            let message = format!("`{gate}`: a time belongs to no slice, so that a point has none");
            return Err(Problem::of_file(&problem::GATE_INVALID, "--gates", message).into());
        }
        if let Some(gate) = gates.iter().find(|gate| compares(gate.metric) && !baseline) {
            let message = format!("`{gate}` compares with a baseline, and there is none");
            return Err(Problem::of_file(&problem::CALL_BASELINE, "--gates", message).into());
        }
        // What was not measured is no pass. Of a CSV alone no case is known, so that none can be missing.
        let mut always = Vec::new();
        if judged {
            always.extend(["missing", "errored"]);
        }
        always.push("untimed");
        if baseline {
            always.extend(OF_BASELINE);
        }
        Ok(pipeline::with_always(gates, &always, profile))
    }

    fn rules(&self) -> Rules {
        Rules { refusal: self.refusal.clone(), scu: self.scu, contradictions: RulePack::default() }
    }
}

fn preset(profile: &Profile, name: &str, baseline: bool) -> Result<Vec<Gate>, Failure> {
    let preset = profile.preset(name)?;
    let mut gates = preset.gates(&profile.metrics, 0)?;
    if baseline {
        gates.extend(preset.guards(&profile.metrics, 0)?);
    }
    Ok(gates)
}

/// Whether a metric looks at a baseline.
fn compares(metric: &About) -> bool {
    [p95_rise::METRIC.about.name, precision_drop::METRIC.about.name].contains(&metric.name)
        || OF_BASELINE.contains(&metric.name)
}

/// What must be 0 of a baseline: against what was not measured, anything is better.
const OF_BASELINE: [&str; 2] = [baseline_missing::METRIC.about.name, baseline_untimed::METRIC.about.name];

/// Draws the curve and decides whether its selected point may run.
fn evaluate(
    inputs: &Inputs,
    settings: &Settings,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Report, Failure> {
    let profile = settings.profile.clone();
    let gates = settings.gates(&profile, !inputs.traces.is_empty(), inputs.baseline.is_some())?;
    let gold = match &inputs.gold {
        Some(source) => Some(Gold::load(source, &[], pipeline::threads(settings.threads))?),
        None if inputs.traces.is_empty() && inputs.baseline.is_none() => None,
        None => {
            let message = "traces can be judged only beside the gold set that they answer";
            return Err(Problem::of_file(&problem::UNREADABLE, "--gold", message).into());
        }
    };
    // Without a trace nothing is known of any answer: that is no precision of 0.
    let judged = gold.as_ref().filter(|_| !inputs.traces.is_empty());
    let figures =
        figures(&settings.metrics, &gates, settings.scu, judged.is_some(), inputs.baseline.is_some());
    let rules = settings.rules();
    let threads = pipeline::threads(settings.threads);
    let reading =
        Reading { gold: gold.as_ref(), rules: &rules, lenient: settings.lenient, threads, progress };
    let mut log = reading.read(&inputs.traces, &inputs.latency_csv)?;
    let before = match &inputs.baseline {
        Some(sources) => {
            let mut before = reading.read(sources, &[])?;
            before.inputs.iter_mut().for_each(|input| input.role = "baseline".into());
            Some(before)
        }
        None => None,
    };
    let counts = HashMap::from([
        ("points", log.points.len() as u64),
        ("malformed", log.malformed + before.as_ref().map_or(0, |before| before.malformed)),
    ]);
    let (figures, scu) = (&figures, settings.scu);
    // The baseline is represented by the point that the same rule selects there; what a change is asked is not asked of it.
    let asked: Vec<Gate> = gates.iter().filter(|gate| !compares(gate.metric)).cloned().collect();
    let judging =
        Judging { gold: gold.as_ref(), scu, figures, gates: &asked, counts: &counts, baseline: None };
    let before = before.map(|before| (judging.curve(before.points, settings.select), before.inputs));
    let reference = before.as_ref().and_then(|(curve, _)| curve.chosen());
    let precision = reference.map(|point| judging.precision(&point.scores));
    let cases = gold.as_ref().map_or(0, |gold| gold.cases.len());
    let baseline = reference.zip(precision.as_ref()).map(|(point, precision)| Before {
        timing: &point.timing,
        precision,
        missing: point.unanswered(cases),
    });
    let judging = Judging { gold: judged, scu, figures, gates: &gates, counts: &counts, baseline };
    let points = std::mem::take(&mut log.points);
    let curve = judging.curve(points, settings.select);
    let live = before.as_ref().map_or(&[][..], |(_, inputs)| inputs);
    let before = before.as_ref().map(|(curve, _)| curve);
    let side = Side { inputs, settings, gold: gold.as_ref(), gates: &gates, log, curve, before, live };
    Ok(side.report(&profile, &judging))
}

/// Every figure that can be told: without traces, those of the times.
fn figures(
    metrics: &[Metric<Verdict>],
    gates: &[Gate],
    scu: Scu,
    judged: bool,
    baseline: bool,
) -> Vec<Figure<Verdict>> {
    let of_cases = |metric: &Metric<Verdict>| {
        matches!(metric.measure, Measure::Case(_)) && metric.among_counts
            || ["missing", "errored"].contains(&metric.name)
    };
    let wanted = metrics.iter().filter(|metric| baseline || !compares(metric));
    let wanted = wanted.filter(|metric| judged || !of_cases(metric)).map(|&metric| (metric, 0));
    pipeline::figures_at(wanted, metrics, gates, Params { k: 0, scu })
}

/// Everything that was read and scored.
struct Side<'a> {
    inputs: &'a Inputs,
    settings: &'a Settings,
    gold: Option<&'a Gold>,
    gates: &'a [Gate],
    log: Log,
    curve: Curve,
    before: Option<&'a Curve>,
    live: &'a [Input],
}

impl Side<'_> {
    fn report(mut self, profile: &Profile, judging: &Judging<'_>) -> Report {
        let settings = self.settings;
        let curve = report::curve(&self, judging.figures);
        let scores = match self.curve.chosen() {
            Some(point) => point.scores.clone(),
            None => judging.without_point(&self.curve.points),
        };
        let settled = judging.gold.and_then(|gold| self.settle(gold));
        let none = Groups::new(0, false);
        let groups = settled.as_ref().map_or(&none, |settled| &settled.groups);
        let concluded =
            pipeline::conclude_with(self.gates, judging.figures, groups, &[], judging.counts, scores);
        let mut report = Report {
            headline: Some(suggest::headline(&curve, &concluded.gates)),
            diagnosis: suggest::diagnosis(&curve, &concluded, settled.as_ref(), judging.figures),
            hints: suggest::hints(&self, &curve),
            inputs: Vec::new(),
            ..concluded.report(profile, self.told())
        };
        // Whatever the gates allow, no point is nothing that may ship.
        if self.curve.selected.is_none() && report.pass {
            (report.pass, report.verdict) = (false, crate::report::Decision::Inconclusive);
        }
        if let Some(gold) = self.gold {
            report.inputs.push(Input::new(
                "gold",
                &gold.name,
                gold.cases.len() as u64,
                gold.fingerprint.clone(),
            ));
            report.warnings = gold.warnings.iter().map(ToString::to_string).collect();
            report.warnings_total = gold.warnings_total;
        }
        if let (Some(gold), Some(settled)) = (self.gold, &settled) {
            let sources = &self.inputs.traces;
            let rows: u64 = self.log.inputs.iter().map(|input| input.rows).sum();
            report.hints.extend(hints(gold, settled, judging.counts, rows));
            report.labels = settled.counts.labels();
            report.stages = settled.counts.stages();
            let again = |case: &Case, entry: &Entry| {
                let (source, offset) = (entry.position().source as usize, entry.position().offset);
                let replayed = || sources.get(source).and_then(|source| replay(source, offset, case));
                let evidence = entry.evidence().or_else(replayed);
                (evidence, sources.get(source).map(|source| source.name().to_string()))
            };
            let which = (settings.cases, &settings.tell);
            report.cases = told_cases(gold, settled, which, settings.scu, &again);
            report.offenders = offenders(gold, settled, &again);
            let which = (settings.cases, settings.scu);
            report.observed = observed(gold, settled, which, judging.figures);
        }
        report.inputs.append(&mut self.log.inputs);
        report.inputs.extend(self.live.iter().cloned());
        let samples = curve.points.iter().map(|point| report::count(point, "samples")).sum();
        report.scope = format!(
            "{}, {}",
            text::count(curve.points.len() as u64, "point"),
            text::count(samples, "sample")
        );
        report.sections = report::sections(curve);
        report.layout = layout();
        report
    }

    /// What the cases of the selected point came to.
    fn settle(&mut self, gold: &Gold) -> Option<Aggregate> {
        let selected = self.curve.selected?;
        let Point { entries, .. } = self.curve.points.get_mut(selected)?;
        let mut all: Vec<_> = gold.cases.iter().map(|_| None).collect();
        for (case, entry) in std::mem::take(entries) {
            all[case as usize] = Some(entry);
        }
        let scu = self.settings.scu;
        let settling = Aggregation {
            missing: Missing::Score,
            scu,
            resample_slices: false,
            k: Params::default().k,
            threads: 1,
        };
        Some(settling.settle(gold, all))
    }

    fn told(&self) -> crate::report::Settings {
        let from = pipeline::origin(&self.settings.gates, "slo");
        let options =
            [("select", json!(self.settings.select.name())), ("scu", json!(self.settings.scu.name()))];
        let mut told = crate::report::Settings::new(options, &from, pipeline::bootstrap());
        told.options.extend(self.settings.rules().told());
        told
    }
}
