//! The suite `answers`, top to bottom: read gold, read and judge traces, settle, score, gate, report.

pub mod aggregate;
pub mod diagnose;
pub mod dialects;
pub mod judge;
pub mod labels;
pub mod metrics;
pub(crate) mod profile;
pub(crate) mod report;
pub mod stages;
mod steps;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::json;

use super::{REFUSAL, SCU, refusal, scu};
use crate::detail::Detail;
use crate::gate::Gate;
use crate::gold::Gold;
use crate::input::Source;
use crate::judge::{Params, Refusal, RulePack, Rules, Scu, Verdict};
use crate::ledger::{Entry, Runs};
use crate::model::Case;
use crate::partial::Partial;
use crate::pipeline::{self, Cases, Gates};
use crate::problem::Failure;
use crate::profiles::Profile;
use crate::report::{CaseView, Input, Report, Settings as ReportSettings};
use crate::request::key::{Applies, Key, LARGEST_CUT, Shape};
use crate::request::{Extra, Output, Request, RunContext};
use crate::suite::{Reads, Suite};
use crate::suites::answers::aggregate::{Aggregate, Aggregation, CaseResult, Missing};
use crate::suites::answers::diagnose::diagnose;
use crate::suites::answers::report::{
    Replay, cases, hints, layout, listed, observed, offenders, symptoms, told,
};
use crate::tally::Figure;
use crate::text;
use crate::traces::{Counted, Reading, replay};

/// The declaration.
pub const SUITE: Suite = Suite {
    name: "answers",
    about: "Score grounded answers: precision, refusals, citations, constraints, recall",
    inputs: &[
        Key::new("gold", Shape::File, "The gold set: JSON lines, or one JSON array; either contract"),
        Key::new(
            "traces",
            Shape::Files,
            "Traces as JSON lines: files, patterns such as 'runs/*.jsonl.gz', or - for standard input",
        )
        .flag("trace"),
    ],
    reads: Reads::OneOf(&[&["gold", "traces"]]),
    options: &[
        Key::new("k", Shape::Number(1, LARGEST_CUT), "The cut-off of recall@k, hit@k and ndcg@k").or("5"),
        SCU,
        Key::new("scu_rules", Shape::Files, "Further packs of contradiction rules (TOML)")
            .applies(Applies::Unless("scu", "off")),
        REFUSAL,
        Key::new(
            "runs",
            Shape::Word(&[("last", "The last in input order"), ("all", "Each of them")]),
            "Which traces of a case count",
        )
        .or("last")
        .value("WHICH"),
        Key::new(
            "missing",
            Shape::Word(&[("score", "As a shipped empty answer"), ("skip", "Left out of every figure")]),
            "What becomes of a case without a trace: scored as a wrong answer, or left out",
        )
        .or("score"),
    ],
    examples: "\
  karat answers --gold eval/gold.jsonl --trace runs/trace.jsonl
  karat answers --gold eval/gold.jsonl --trace runs/trace.jsonl \\
      --gates precision=0.80,chr=0.75,under=0.05,over=0.10
  karat answers --gold gold.jsonl --trace 'logs/*.jsonl.zst' --lenient --slice workflow
  karat answers --gold gold.jsonl --trace - --out report.md --out last.json --quiet < trace.jsonl",
    no_slices: None,
    no_partials: None,
    layouts: &[],
    dialects: dialects::ALL,
    profile: profile::profile,
    evaluate,
};

/// Scores traces against gold and decides.
fn evaluate(request: &Request, context: &RunContext<'_>) -> Result<Output, Failure> {
    let traces = request.sources_of("traces")?;
    let plan = Plan::new(request, context)?;
    let counted = plan.read(&traces, context.progress)?;
    let extra = (request.extra == Extra::Partial).then(|| Partial::new(&plan, request, &counted).to_text());
    Ok(Output { report: plan.finish(counted, &traces), extra })
}

/// How it is scored.
#[derive(Clone, Debug)]
struct Settings {
    k: u32,
    scu: Scu,
    runs: Runs,
    missing: Missing,
    lenient: bool,
    gates: Gates,
    slices: Vec<String>,
    refusal: Refusal,
    contradictions: RulePack,
    cases: Cases,
    tell: Detail,
    threads: usize,
}

impl Settings {
    fn new(request: &Request) -> Result<Settings, Failure> {
        let mut contradictions = RulePack::default();
        for source in request.sources_of("scu_rules")? {
            contradictions.extend(RulePack::parse(source.name(), &source.text()?)?);
        }
        Ok(Settings {
            k: request.cut("k"),
            scu: scu(request),
            runs: if request.word("runs") == "all" { Runs::All } else { Runs::Last },
            missing: if request.word("missing") == "skip" { Missing::Skip } else { Missing::Score },
            lenient: request.given.flag("lenient"),
            gates: request.gates(),
            slices: request.given.texts("slices").to_vec(),
            refusal: refusal(request)?,
            contradictions,
            cases: request.cases,
            tell: request.detail.clone(),
            threads: request.threads,
        })
    }

    /// What a case is judged by.
    fn rules(&self) -> Rules {
        Rules { refusal: self.refusal.clone(), scu: self.scu, contradictions: self.contradictions.clone() }
    }

    /// The counts that must be 0 in any case.
    fn always(&self) -> Vec<&'static str> {
        let mut always = Vec::new();
        if self.missing == Missing::Score {
            always.push("missing");
        }
        always.push("errored");
        if self.scu == Scu::Enforce {
            always.push("scu_violations");
        }
        always
    }

    /// The settings as a report tells them.
    fn told(&self, gates_from: &str) -> ReportSettings {
        let runs = if self.runs == Runs::All { "all" } else { "last" };
        let missing = if self.missing == Missing::Skip { "skip" } else { "score" };
        let options = [
            ("k", json!(self.k)),
            ("scu", json!(self.scu.name())),
            ("runs", json!(runs)),
            ("missing", json!(missing)),
        ];
        let mut told = ReportSettings::new(options, gates_from, pipeline::bootstrap());
        told.options.extend(self.rules().told());
        told
    }
}

/// The cases of a report, those whose path is asked for with what was said and checked.
pub(crate) fn told_cases(
    gold: &Gold,
    settled: &Aggregate,
    (which, tell): (Cases, &Detail),
    scu: Scu,
    again: &Replay<'_>,
) -> Vec<crate::report::Case> {
    let mut cases = cases(gold, settled, which);
    if *tell != Detail::Worst {
        let listed: Vec<&CaseResult> = listed(settled, which).collect();
        let good = |i: usize| listed[i].label.is_good() || listed[i].skipped;
        tell.to(&mut cases, good, |i| {
            let (case, told) = (listed[i].case as usize, told(gold, settled, listed[i], again));
            let verdict = settled.entries[case].as_ref().map(Entry::verdict);
            let steps = steps::steps(&gold.cases[case], verdict.as_ref(), &told, scu);
            CaseView { summary: told, steps, ..CaseView::default() }
        });
    }
    cases
}

/// Everything that is known before the first trace is read.
pub(crate) struct Plan {
    profile: Profile,
    settings: Settings,
    gold: Arc<Gold>,
    gates: Vec<Gate>,
    gates_from: String,
    figures: Vec<Figure<Verdict>>,
}

impl Plan {
    /// Reads gold, and decides which gates and figures there are.
    pub(crate) fn new(request: &Request, context: &RunContext<'_>) -> Result<Self, Failure> {
        let (profile, settings) = (request.profile(), Settings::new(request)?);
        let chosen = pipeline::chosen(&settings.gates, &profile, settings.k)?;
        let slices = pipeline::sliced(&settings.slices, chosen.as_deref().unwrap_or_default())?;
        let threads = pipeline::threads(settings.threads);
        let gold = request.loaded("gold", &slices, context, |source| Gold::load(source, &slices, threads))?;
        let default = if gold.array_contract { "quality" } else { "ship" };
        let gates = match chosen {
            Some(gates) => gates,
            None => profile.preset(default)?.gates(&profile.metrics, settings.k)?,
        };
        let gates = pipeline::with_always(gates, &settings.always(), &profile);
        let gates_from = pipeline::origin(&settings.gates, default);
        let params = Params { k: settings.k, scu: settings.scu };
        let figures = pipeline::figures(&request.metrics(profile::metrics())?, &gates, settings.k, params);
        Ok(Plan { profile, settings, gold, gates, gates_from, figures })
    }

    /// A fingerprint of what makes a verdict beside gold and trace: refusals and contradiction rules.
    pub(crate) fn judged_by(&self) -> String {
        self.settings.rules().fingerprint()
    }

    /// What is done about constraints.
    pub(crate) fn scu(&self) -> Scu {
        self.settings.scu
    }

    /// The gold set.
    pub(crate) fn gold(&self) -> &Gold {
        &self.gold
    }

    /// What is counted.
    pub(crate) fn figures(&self) -> &[Figure<Verdict>] {
        &self.figures
    }

    /// Reads and judges every trace.
    pub(crate) fn read(
        &self,
        traces: &[Source],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Counted, Failure> {
        let settings = &self.settings;
        let reading = Reading {
            gold: &self.gold,
            rules: &settings.rules(),
            runs: settings.runs,
            figures: &self.figures,
            lenient: settings.lenient,
        };
        reading.read(traces, pipeline::threads(settings.threads), progress)
    }

    /// Settles, scores, gates and reports. `traces` are the sources in the order of `counted`, to read offenders again.
    pub(crate) fn finish(&self, counted: Counted, traces: &[Source]) -> Report {
        let Plan { profile, settings, gold, gates, figures, .. } = self;
        let resample_slices = gates.iter().any(|gate| gate.confident && gate.slice.is_some());
        let threads = pipeline::threads(settings.threads);
        let settling = Aggregation {
            missing: settings.missing,
            scu: settings.scu,
            resample_slices,
            k: settings.k,
            threads,
        };
        let settled = settling.settle(gold, counted.entries);
        let input_counts =
            HashMap::from([("unmatched", counted.unmatched), ("malformed", counted.malformed)]);
        let concluded =
            pipeline::conclude(gates, figures, &settled.groups, &gold.slice_fields, &input_counts);
        let symptoms = symptoms(&settled.counts, figures, &concluded.scores, settings.k);
        let mut hints =
            hints(gold, &settled, &input_counts, counted.inputs.iter().map(|input| input.rows).sum());
        let several = settled.entries.iter().flatten().any(|entry| entry.runs > 1);
        if counted.paraphrased > 0 && several && settings.runs == Runs::Last {
            let ask = if counted.paraphrased == 1 { "asks" } else { "ask" };
            let traces = text::count(counted.paraphrased, "trace");
            hints.push(format!(
                "{traces} {ask} a paraphrase, and only the last trace of each case counts, whichever wording that is: `karat stability` judges every one"
            ));
        }
        let gold_rows = gold.cases.len() as u64;
        let gold_read = Input::new("gold", &gold.name, gold_rows, gold.fingerprint.clone());
        let again = |case: &Case, entry: &Entry| {
            let (source, offset) = (entry.position().source as usize, entry.position().offset);
            let replayed = || traces.get(source).and_then(|source| replay(source, offset, case));
            let evidence = entry.evidence().or_else(replayed);
            (evidence, counted.inputs.get(source).map(|input| input.path.clone()))
        };
        let cases = told_cases(gold, &settled, (settings.cases, &settings.tell), settings.scu, &again);
        let mut report = Report {
            diagnosis: diagnose(&symptoms, &concluded.gates),
            labels: settled.counts.labels(),
            stages: settled.counts.stages(),
            hints,
            warnings: gold.warnings.iter().map(ToString::to_string).collect(),
            warnings_total: gold.warnings_total,
            offenders: offenders(gold, &settled, &again),
            cases,
            observed: observed(gold, &settled, (settings.cases, settings.scu), figures),
            inputs: std::iter::once(gold_read).chain(counted.inputs).collect(),
            layout: layout(),
            ..concluded.report(profile, settings.told(&self.gates_from))
        };
        report.scope = format!("{}, {}", text::count(gold_rows, "case"), report.traces());
        report
    }
}
