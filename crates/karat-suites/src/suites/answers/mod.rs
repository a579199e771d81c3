//! The suite `answers`, top to bottom: read gold, read and judge traces, aggregate, score, gate, report.

pub mod advice;
pub mod aggregate;
pub(crate) mod case_view;
pub mod input;
pub mod judge;
pub mod labels;
pub mod metrics;
pub(crate) mod profile;
pub(crate) mod report;

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::json;

use super::common::{Common, Gating};
use super::{REFUSAL, SCU, refusal, scu};
use crate::gold::Gold;
use crate::input::Source;
use crate::judge::{Params, RulePack, Rules, Scu, Verdict};
use crate::ledger::Runs;
use crate::partial::Partial;
use crate::pipeline;
use crate::problem::Failure;
use crate::report::Report;
use crate::request::key::{Applies, Key, LARGEST_CUT, Shape};
use crate::request::{Extra, Output, Request, RunContext};
use crate::suite::{Reads, Suite};
use crate::tally::Figure;
use crate::text;
use crate::traces::{Counted, Reading};
use advice::diagnose;
use aggregate::{Aggregation, Missing};
use case_view::{cases, replay};
use report::{hints, layout, observed, offenders, symptoms};

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
    dialects: input::ALL,
    profile: profile::profile,
    evaluate,
};

/// Scores traces against gold and decides.
fn evaluate(request: &Request, context: &RunContext<'_>) -> Result<Output, Failure> {
    let traces = request.sources_of("traces")?;
    let plan = Plan::new(request, context)?;
    let counted = plan.read(&traces)?;
    let extra = (request.extra == Extra::Partial).then(|| Partial::new(&plan, request, &counted).to_text());
    Ok(Output { report: plan.finish(counted, &traces), extra })
}

/// Everything that is known before the first trace is read.
pub(crate) struct Plan<'a> {
    common: Common<'a>,
    k: u32,
    runs: Runs,
    missing: Missing,
    rules: Rules,
    gold: Arc<Gold>,
    gating: Gating,
    figures: Vec<Figure<Verdict>>,
}

impl<'a> Plan<'a> {
    /// Reads gold, and decides which gates and figures there are.
    pub(crate) fn new(request: &Request, context: &RunContext<'a>) -> Result<Self, Failure> {
        let (common, k) = (Common::new(request, context), request.cut("k"));
        let mut contradictions = RulePack::default();
        for source in request.sources_of("scu_rules")? {
            contradictions.extend(RulePack::parse(source.name(), &source.text()?)?);
        }
        let rules = Rules { refusal: refusal(request)?, scu: scu(request), contradictions };
        let runs = if request.word("runs") == "all" { Runs::All } else { Runs::Last };
        let missing = if request.word("missing") == "skip" { Missing::Skip } else { Missing::Score };
        let chosen = pipeline::chosen(&common.gates, &common.profile, k)?;
        let slices = pipeline::sliced(&common.slices, chosen.as_deref().unwrap_or_default())?;
        let load = |source: &Source| Gold::load(source, &slices, common.threads);
        let gold = request.loaded("gold", &slices, context, load)?;
        let preset = if gold.array_contract { "quality" } else { "ship" };
        let always = [
            (missing == Missing::Score).then_some("missing"),
            Some("errored"),
            (rules.scu == Scu::Enforce).then_some("scu_violations"),
        ];
        let always: Vec<&str> = always.into_iter().flatten().collect();
        let gating = common.gating(preset, k, &always)?;
        let params = Params { k, scu: rules.scu };
        let figures = pipeline::figures(&request.metrics(profile::metrics())?, &gating.gates, k, params);
        Ok(Plan { common, k, runs, missing, rules, gold, gating, figures })
    }

    /// A fingerprint of what makes a verdict beside gold and trace: refusals and contradiction rules.
    pub(crate) fn judged_by(&self) -> String {
        self.rules.fingerprint()
    }

    /// How locked constraints are treated.
    pub(crate) fn scu(&self) -> Scu {
        self.rules.scu
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
    fn read(&self, traces: &[Source]) -> Result<Counted, Failure> {
        let Common { lenient, threads, progress, .. } = self.common;
        let (gold, rules, figures) = (&*self.gold, &self.rules, &self.figures[..]);
        Reading { gold, rules, runs: self.runs, figures, lenient }.read(traces, threads, progress)
    }

    /// Aggregates, scores, gates and reports. `traces` are the sources in the order of `counted`, to read offenders again.
    pub(crate) fn finish(&self, counted: Counted, traces: &[Source]) -> Report {
        let Plan { common, gold, gating, figures, rules, k, .. } = self;
        let aggregation = Aggregation {
            missing: self.missing,
            scu: rules.scu,
            resample_slices: gating.resamples_slices(),
            k: *k,
            threads: common.threads,
        };
        let aggregate = aggregation.aggregate(gold, counted.entries);
        let counts = HashMap::from([("unmatched", counted.unmatched), ("malformed", counted.malformed)]);
        let concluded =
            pipeline::conclude(&gating.gates, figures, &aggregate.groups, &gold.slice_fields, &counts);
        let symptoms = symptoms(&aggregate.counts, figures, &concluded.scores, *k);
        let rows = counted.inputs.iter().map(|input| input.rows).sum();
        let mut hints = hints(gold, &aggregate, &counts, rows);
        let several = aggregate.entries.iter().flatten().any(|entry| entry.runs > 1);
        if counted.paraphrased > 0 && several && self.runs == Runs::Last {
            let ask = if counted.paraphrased == 1 { "asks" } else { "ask" };
            let traces = text::count(counted.paraphrased, "trace");
            hints.push(format!(
                "{traces} {ask} a paraphrase, and only the last trace of each case counts, whichever wording that is: `karat stability` judges every one"
            ));
        }
        let again = replay(traces, &counted.inputs);
        let options = [
            ("k", json!(k)),
            ("scu", json!(rules.scu.name())),
            ("runs", json!(if self.runs == Runs::All { "all" } else { "last" })),
            ("missing", json!(if self.missing == Missing::Skip { "skip" } else { "score" })),
        ];
        let untraced = aggregate.entries.iter().all(Option::is_none);
        let mut report = Report {
            diagnosis: diagnose(&symptoms, &concluded.gates),
            labels: aggregate.counts.labels(),
            stages: aggregate.counts.stages(),
            hints,
            warnings: gold.warnings.iter().map(ToString::to_string).collect(),
            warnings_total: gold.warnings_total,
            offenders: offenders(gold, &aggregate, &again),
            cases: cases(gold, &aggregate, common, rules.scu, &again),
            observed: observed(gold, &aggregate, (common.cases, rules.scu), figures),
            inputs: std::iter::once(gold.input()).chain(counted.inputs.iter().cloned()).collect(),
            layout: layout(),
            ..common.report(concluded, gating, options, untraced.then_some("no case has a trace"))
        };
        report.settings.options.extend(rules.setting());
        report.scope = format!("{}, {}", text::count(gold.cases.len() as u64, "case"), report.traces());
        report
    }
}
