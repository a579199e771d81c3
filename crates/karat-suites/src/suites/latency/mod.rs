//! The suite `latency`, top to bottom: read gold, gather times and verdicts by knobs and load, score every point of the
//! curve, mark the frontier, select a point, gate it, report.

mod advice;
pub mod input;
pub mod judge;
pub mod metrics;
mod profile;
mod report;

use std::collections::HashMap;

use serde_json::json;

use super::common::{Common, Gating};
use super::terms::terms;
use super::{REFUSAL, SCU, answers, refusal, scu};
use crate::gate::Gate;
use crate::gold::Gold;
use crate::group::Groups;
use crate::input::Source;
use crate::judge::{Params, RulePack, Rules, Scu, Verdict};
use crate::metrics::{About, Measure, Metric};
use crate::pipeline::{self, Gates};
use crate::problem::{self, Failure, Problem};
use crate::report::Report;
use crate::request::key::{Key, Shape};
use crate::request::{Output, Request, RunContext};
use crate::suite::{Reads, Suite};
use crate::suites::answers::aggregate::{Aggregate, Aggregation, Missing};
use crate::suites::answers::report::{hints, layout, observed, offenders};
use crate::tally::Figure;
use crate::text;
use input::{Log, Reading};
use judge::Before;
use judge::curve::{Curve, Judging, Point};
use metrics::{baseline_missing, baseline_untimed, p95_rise, precision_drop};

/// What this suite refuses in a trace, such as a negative time or knobs that are too long. For programs that write traces.
#[must_use]
pub fn refused(line: &str) -> Vec<crate::rows::Wrong> {
    let mut wrong = Vec::new();
    input::row::Timed::read(line, &mut wrong);
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
            Shape::Word(&Select::OPTIONS),
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
    dialects: &[&input::DIALECT],
    profile: profile::profile,
    evaluate,
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

terms! {
    /// Which point of the frontier counts.
    pub(crate) enum Select {
        Fastest: "fastest", "The lowest p95 that passes every gate";
        MostAccurate: "most-accurate", "The highest precision that passes every gate";
        Knee: "knee", "Where more time stops to buy much precision";
    }
}

/// How it is scored.
struct Settings<'a> {
    common: Common<'a>,
    select: Select,
    rules: Rules,
}

impl Settings<'_> {
    /// The gates that apply: what is asked of a point, and with a baseline what is asked of the change.
    fn gating(&self, judged: bool, baseline: bool) -> Result<Gating, Failure> {
        // What was not measured does not pass. Of a CSV alone no case is known, so that none can be missing.
        let always = ["missing", "errored"].into_iter().filter(|_| judged);
        let always = always.chain(["untimed"]).chain(OF_BASELINE.into_iter().filter(|_| baseline));
        let always: Vec<&str> = always.collect();
        let mut gating = self.common.gating("slo", 0, &[])?;
        if baseline && !matches!(self.common.gates, Gates::Explicit(_)) {
            let profile = &self.common.profile;
            gating.gates.extend(profile.preset(&gating.from)?.guards(&profile.metrics, 0)?);
        }
        gating.unsliced("a time belongs to no slice, so that a point has none")?;
        if let Some(gate) = gating.gates.iter().find(|gate| compares(gate.metric) && !baseline) {
            let message = format!("`{gate}` compares with a baseline, and there is none");
            return Err(Problem::of_file(&problem::CALL_BASELINE, "--gates", message).into());
        }
        gating.gates = pipeline::with_always(gating.gates, &always, &self.common.profile);
        Ok(gating)
    }
}

/// Whether a metric looks at a baseline.
fn compares(metric: &About) -> bool {
    [p95_rise::METRIC.about.name, precision_drop::METRIC.about.name].contains(&metric.name)
        || OF_BASELINE.contains(&metric.name)
}

/// What must be 0 of a baseline: against what was not measured, anything is better.
const OF_BASELINE: [&str; 2] = [baseline_missing::METRIC.about.name, baseline_untimed::METRIC.about.name];

/// Draws the curve and decides whether its selected point may run.
fn evaluate(request: &Request, context: &RunContext<'_>) -> Result<Output, Failure> {
    let inputs = Inputs {
        gold: request.source("gold", context)?,
        traces: request.sources_of("traces")?,
        latency_csv: request.sources_of("latency_csv")?,
        baseline: request.sources_if("baseline")?,
    };
    let settings = Settings {
        common: Common::new(request, context),
        select: Select::named(request.word("select")).unwrap_or(Select::Fastest),
        rules: Rules { refusal: refusal(request)?, scu: scu(request), contradictions: RulePack::default() },
    };
    let (common, scu) = (&settings.common, settings.rules.scu);
    let gating = settings.gating(!inputs.traces.is_empty(), inputs.baseline.is_some())?;
    let gold = match &inputs.gold {
        Some(source) => Some(Gold::load(source, &[], common.threads)?),
        None if inputs.traces.is_empty() && inputs.baseline.is_none() => None,
        None => {
            let message = "traces can be judged only beside the gold set that they answer";
            return Err(Problem::of_file(&problem::UNREADABLE, "--gold", message).into());
        }
    };
    // Without a trace nothing is known of any answer, which is not a precision of 0.
    let judged = gold.as_ref().filter(|_| !inputs.traces.is_empty());
    let metrics = request.metrics(profile::metrics())?;
    let figures = &figures(&metrics, &gating.gates, scu, judged.is_some(), inputs.baseline.is_some());
    let reading = Reading { gold: gold.as_ref(), rules: &settings.rules, common };
    let mut log = reading.read(&inputs.traces, &inputs.latency_csv)?;
    let mut live = inputs.baseline.as_ref().map(|sources| reading.read(sources, &[])).transpose()?;
    let malformed = log.malformed + live.as_ref().map_or(0, |live| live.malformed);
    let counts = HashMap::from([("points", log.points.len() as u64), ("malformed", malformed)]);

    // The baseline is represented by the point that the same rule selects there; gates on the change do not apply to it.
    let asked: Vec<Gate> = gating.gates.iter().filter(|gate| !compares(gate.metric)).cloned().collect();
    let judging =
        Judging { gold: gold.as_ref(), scu, figures, gates: &asked, counts: &counts, baseline: None };
    let before = live.as_mut().map(|live| judging.curve(std::mem::take(&mut live.points), settings.select));
    let reference = before.as_ref().and_then(Curve::chosen);
    let precision = reference.map(|point| judging.precision(&point.scores));
    let cases = gold.as_ref().map_or(0, |gold| gold.cases.len());
    let baseline = reference.zip(precision.as_ref()).map(|(point, precision)| Before {
        timing: &point.timing,
        precision,
        missing: point.unanswered(cases),
    });
    let judging = Judging { gold: judged, scu, figures, gates: &gating.gates, counts: &counts, baseline };
    let curve = judging.curve(std::mem::take(&mut log.points), settings.select);
    let (gold, before) = (gold.as_ref(), before.as_ref());
    let scored =
        Scored { inputs: &inputs, settings: &settings, gold, gating: &gating, log, live, curve, before };
    Ok(scored.report(&judging).into())
}

/// Every figure that can be known: without traces, those of the times.
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
struct Scored<'a> {
    inputs: &'a Inputs,
    settings: &'a Settings<'a>,
    gold: Option<&'a Gold>,
    gating: &'a Gating,
    log: Log,
    /// The log of the baseline.
    live: Option<Log>,
    curve: Curve,
    /// The curve of the baseline.
    before: Option<&'a Curve>,
}

impl Scored<'_> {
    fn report(mut self, judging: &Judging<'_>) -> Report {
        let Settings { common, rules, select } = self.settings;
        let curve = report::curve(&self, judging.figures);
        let scores = match self.curve.chosen() {
            Some(point) => point.scores.clone(),
            None => judging.without_point(&self.curve.points),
        };
        let aggregate = judging.gold.and_then(|gold| self.aggregate(gold));
        let none = Groups::new(0, false);
        let groups = aggregate.as_ref().map_or(&none, |aggregate| &aggregate.groups);
        let gates = &self.gating.gates;
        let concluded = pipeline::conclude_with(gates, judging.figures, groups, &[], judging.counts, scores);
        let live = self.live.iter().flat_map(|live| &live.inputs).cloned();
        let live = live.map(|input| crate::report::Input { role: "baseline".into(), ..input });
        let gold_read = self.gold.map(Gold::input).into_iter();
        let samples = curve.points.iter().map(|point| report::count(point, "samples")).sum();
        let points = text::count(curve.points.len() as u64, "point");
        let options = [("select", json!(select.name())), ("scu", json!(rules.scu.name()))];
        let nothing = self.curve.selected.is_none().then_some("no request carries a time");
        let mut report = Report {
            headline: Some(advice::headline(&curve, &concluded.gates)),
            diagnosis: advice::diagnosis(&curve, &concluded, aggregate.as_ref(), judging.figures),
            hints: advice::hints(&self, &curve),
            scope: format!("{points}, {}", text::count(samples, "sample")),
            inputs: gold_read.chain(self.log.inputs.iter().cloned()).chain(live).collect(),
            layout: layout(),
            ..common.report(concluded, self.gating, options, nothing)
        };
        report.settings.options.extend(rules.setting());
        if let Some(gold) = self.gold {
            report.warnings = gold.warnings.iter().map(ToString::to_string).collect();
            report.warnings_total = gold.warnings_total;
        }
        if let (Some(gold), Some(aggregate)) = (self.gold, &aggregate) {
            let rows: u64 = self.log.inputs.iter().map(|input| input.rows).sum();
            report.hints.extend(hints(gold, aggregate, judging.counts, rows));
            report.labels = aggregate.counts.labels();
            report.stages = aggregate.counts.stages();
            let replay = answers::case_view::replay(&self.inputs.traces, &self.log.inputs);
            report.cases = answers::case_view::cases(gold, aggregate, common, rules.scu, &replay);
            report.offenders = offenders(gold, aggregate, &replay);
            let which = (common.cases, rules.scu);
            report.observed = observed(gold, aggregate, which, judging.figures);
        }
        report.sections = report::sections(curve);
        report
    }

    /// What the cases of the selected point came to.
    fn aggregate(&mut self, gold: &Gold) -> Option<Aggregate> {
        let Point { entries, .. } = self.curve.points.get_mut(self.curve.selected?)?;
        let mut all: Vec<_> = gold.cases.iter().map(|_| None).collect();
        for (case, entry) in std::mem::take(entries) {
            all[case as usize] = Some(entry);
        }
        let aggregation = Aggregation {
            missing: Missing::Score,
            scu: self.settings.rules.scu,
            resample_slices: false,
            k: Params::default().k,
            threads: 1,
        };
        Some(aggregation.aggregate(gold, all))
    }
}
