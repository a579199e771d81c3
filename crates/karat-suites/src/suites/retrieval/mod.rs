//! The suite `retrieval`, top to bottom: read the block table and gold, read and judge the runs of one index or of two,
//! aggregate the runs of every question, score, gate, report.

mod advice;
mod aggregate;
pub mod input;
pub mod judge;
pub mod labels;
pub mod metrics;
mod model;
mod profile;
mod report;

use std::collections::HashMap;

use serde_json::json;

use super::common::{Common, Gating};
use crate::gate::{self, Gate};
use crate::group::Groups;
use crate::input::Source;
use crate::metrics::{About, Fold, Metric, find};
use crate::pipeline::{self, Gates};
use crate::problem::{self, Failure, Problem};
use crate::report::histogram;
use crate::report::{Input, Report};
use crate::request::key::{Applies, Key, LARGEST_CUT, Shape};
use crate::request::{Extra, Output, Request, RunContext};
use crate::suite::{Reads, Suite};
use crate::suites::retrieval::model::{Blocks, Question};
use crate::tally::Figure;
use crate::trec::layout::layout;
use crate::trec::measures::{Asked, Over, of_all, of_topics};
use aggregate::{CaseResult, Missing};
use input::gold::Gold;
pub(crate) use input::gold::lint;
use input::log::{Log, Reading};
use input::{blocks, trec};
use judge::{Params, Precision, Rules, Sides};
use labels::{Label, Stage};
use metrics::baseline_missing;

/// The declaration.
pub const SUITE: Suite = Suite {
    name: "retrieval",
    about: "Score an index: rankings, coverage, citations to the byte, distance in meaning, shadow against live",
    inputs: &[
        Key::new(
            "gold",
            Shape::File,
            "The gold set as JSON lines: questions, paraphrases, relevant ids, anchor sections",
        ),
        Key::new(
            "traces",
            Shape::Files,
            "Runs of the index as JSON lines: files, patterns such as 'shadow/*.jsonl.gz', or - for standard input",
        )
        .flag("trace"),
        Key::new("baseline", Shape::Files, "Runs of the live index, to compare with"),
        Key::new(
            "blocks",
            Shape::File,
            "The block table as JSON lines: where each block lies, its type and section",
        )
        .applies(Applies::With("traces")),
        Key::new(
            "qrels",
            Shape::Files,
            "Judgements in TREC's format, or BEIR's qrels.tsv, instead of a gold set",
        ),
        Key::new("run", Shape::Files, "A run in TREC's format, instead of traces; ranked as trec_eval does"),
    ],
    reads: Reads::OneOf(&[&["gold", "traces"], &["qrels", "run"]]),
    options: &[
        Key::new(
            "complete",
            Shape::Flag,
            "With --qrels: count topics that are missing from the run as 0, as trec_eval -c does, instead of leaving them out",
        )
        .applies(Applies::With("qrels")),
        Key::new("k", Shape::Numbers(1, LARGEST_CUT), "A cut-off instead of 1, 3, 5 and 10 (repeatable)"),
        Key::new(
            "ds_k",
            Shape::Number(1, LARGEST_CUT),
            "How many of the first ids ds_topk_median and ds_topk_p90 look at",
        )
        .or("5")
        .applies(Applies::With("traces")),
        Key::new(
            "window",
            Shape::Number(0, u64::MAX),
            "How many bytes a citation may lie outside its block, at either end",
        )
        .or("30")
        .applies(Applies::With("traces")),
        Key::new(
            "trec",
            Shape::Flag,
            "Precision at k divides by k, as trec_eval does, instead of by what was returned",
        ),
        Key::new("metrics", Shape::Texts, "The figures to report instead of all: 'nDCG@10,P@5,R@100,MRR'")
            .value("LIST")
            .several(),
        Key::new("per_topic", Shape::Flag, "With --format trec: the figures of each topic too")
            .typed_only()
            .applies(Applies::Layout("trec")),
    ],
    examples: "\
  karat retrieval --gold gold.jsonl --blocks blocks.jsonl --trace shadow.jsonl
  karat retrieval --gold gold.jsonl --blocks blocks.jsonl --trace shadow.jsonl --baseline live.jsonl
  karat retrieval --gold gold.jsonl --trace runs.jsonl --gates 'nDCG@10>=0.45,R@100>=0.9' --slice product
  karat retrieval --qrels qrels.txt --run bm25.run --format trec --per-topic
  karat retrieval --qrels qrels.tsv --run dense.run --baseline bm25.run --gates 'recall_drop@100<=0.01'",
    no_slices: None,
    no_partials: Some("score the whole log at once"),
    layouts: &["trec"],
    dialects: &[&input::DIALECT],
    profile: profile::profile,
    evaluate,
};

/// Scores the runs of an index, perhaps beside those of another one, and decides.
fn evaluate(request: &Request, context: &RunContext<'_>) -> Result<Output, Failure> {
    let settings = Settings::new(request, context)?;
    let over = if request.given.flag("complete") { Over::Complete } else { Over::Run };
    let baseline = request.sources_if("baseline")?;
    let scored = if request.has("qrels") {
        let (qrels, run) = (request.sources_of("qrels")?, request.sources_of("run")?);
        trec::score(&qrels, &run, baseline.as_deref(), settings, over)?
    } else {
        let blocks = request.source("blocks", context)?;
        let gold = request.needed("gold", context)?;
        score(&gold, blocks.as_ref(), &request.sources_of("traces")?, baseline.as_deref(), settings)?
    };
    let asks_for_trec = matches!(request.extra, Extra::Layout(_) | Extra::LayoutToo(_));
    let extra = asks_for_trec.then(|| scored.trec(request.given.flag("per_topic"), over));
    Ok(Output { report: scored.report(), extra })
}

/// How it is scored.
#[derive(Clone)]
pub(crate) struct Settings<'a> {
    common: Common<'a>,
    metrics: Vec<Metric<Sides>>,
    /// Cut-offs instead of 1, 3, 5 and 10; the largest is that of `nDCG@k` and `anchor_hit@k`.
    cuts: Vec<u32>,
    /// The figures to report, beside those that a gate asks for.
    figures: Figures,
    /// What precision at k divides by.
    precision: Precision,
    /// What a run is judged by.
    rules: Rules,
}

/// Which figures a report has, beside those that a gate asks for.
#[derive(Clone)]
enum Figures {
    /// All of the suite's.
    All,
    /// These: `nDCG@10 P@5`.
    Named(Vec<String>),
    /// None but counts: intervals over thousands of topics take longer than everything else.
    Gated,
}

impl<'a> Settings<'a> {
    fn new(request: &Request, context: &RunContext<'a>) -> Result<Self, Failure> {
        let cut = |&number: &u64| u32::try_from(number).unwrap_or(u32::MAX);
        let mut cuts: Vec<u32> = request.given.numbers("k").iter().map(cut).collect();
        cuts.sort_unstable();
        cuts.dedup();
        Ok(Settings {
            common: Common::new(request, context),
            metrics: request.metrics(profile::metrics())?,
            cuts,
            figures: match (request.given.texts("metrics"), request.extra) {
                (_, Extra::Layout(_)) => Figures::Gated,
                ([], _) => Figures::All,
                (names, _) => Figures::Named(names.to_vec()),
            },
            precision: if request.given.flag("trec") { Precision::Depth } else { Precision::Returned },
            rules: Rules { window: request.number("window"), ds_k: request.cut("ds_k") as usize },
        })
    }

    /// What `@k` stands for.
    fn k(&self) -> u32 {
        self.cuts.iter().copied().max().unwrap_or(5)
    }

    /// The cut-offs that a metric is reported at.
    fn cuts_of(&self, metric: &About) -> Vec<u32> {
        match (metric.cuts, metric.fold) {
            _ if !metric.takes_k() => vec![0],
            (own, _) if self.cuts.is_empty() => own.to_vec(),
            (own, Fold::Difference) => own.to_vec(),
            ([_], _) => vec![self.k()],
            _ => self.cuts.clone(),
        }
    }

    /// The figures to report, and every other one that a gate asks for.
    fn figures(&self, gates: &[Gate], baseline: bool) -> Result<Vec<Figure<Sides>>, Failure> {
        let known = &self.common.profile.metrics;
        let asked = |metric: &&Metric<Sides>| known.iter().any(|about| about.name == metric.name);
        let metrics: &Vec<Metric<Sides>> = &self.metrics.iter().filter(asked).copied().collect();
        let params = Params { k: self.k(), precision: self.precision, ..Params::default() };
        let applies = |metric: &About| {
            baseline || (metric.fold != Fold::Difference && metric.name != baseline_missing::METRIC.name)
        };
        let counts = || {
            let counts = metrics.iter().filter(|metric| metric.among_counts && applies(metric));
            counts.map(|&metric| (metric, 0))
        };
        let named = |name: &str| {
            let found = find(name, known, self.k())
                .and_then(|(about, k)| Some((*metrics.iter().find(|metric| metric.name == about.name)?, k)));
            found.ok_or_else(|| gate::unknown_metric(name, "--metrics", known))
        };
        Ok(match &self.figures {
            Figures::All => {
                let all = metrics.iter().filter(|metric| applies(metric));
                let at =
                    |&metric: &Metric<Sides>| self.cuts_of(&metric).into_iter().map(move |k| (metric, k));
                pipeline::figures_at(all.flat_map(at), metrics, gates, params)
            }
            Figures::Named(lists) => {
                let names =
                    lists.iter().flat_map(|list| list.split([',', ' '])).filter(|name| !name.is_empty());
                let named: Vec<(Metric<Sides>, u32)> = names.map(named).collect::<Result<_, _>>()?;
                self.check_baseline(named.iter().map(|(metric, _)| metric.about), "--metrics", baseline)?;
                pipeline::figures_at(named.into_iter().chain(counts()), metrics, gates, params)
            }
            Figures::Gated => pipeline::figures_at(counts(), metrics, gates, params),
        })
    }

    /// Refuses a comparison with nothing.
    fn check_baseline(
        &self,
        mut metrics: impl Iterator<Item = &'static About>,
        from: &str,
        baseline: bool,
    ) -> Result<(), Failure> {
        let compares = metrics.find(|metric| metric.fold == Fold::Difference && !baseline);
        let Some(metric) = compares else { return Ok(()) };
        let message = format!("`{}` compares with a baseline, and there is none", metric.name);
        Err(Problem::of_file(&problem::CALL_BASELINE, from, message).into())
    }

    /// The gates that apply, and where they come from.
    fn gating(&self, baseline: bool) -> Result<Gating, Failure> {
        let default = if baseline { "canary" } else { "index" };
        let gating = self.common.gating(default, self.k(), &[])?;
        let from = if matches!(self.common.gates, Gates::Explicit(_)) { "--gates" } else { "--preset" };
        self.check_baseline(gating.gates.iter().map(|gate| gate.metric), from, baseline)?;
        let always: &[&str] = if baseline { &["missing", "baseline_missing"] } else { &["missing"] };
        let gates = pipeline::with_always(gating.gates, always, &self.common.profile);
        Ok(Gating { gates, ..gating })
    }
}

/// Reads everything, and aggregates the runs of every question.
fn score<'a>(
    gold: &Source,
    blocks: Option<&Source>,
    traces: &[Source],
    baseline: Option<&[Source]>,
    settings: Settings<'a>,
) -> Result<Scored<'a>, Failure> {
    let gating = settings.gating(baseline.is_some())?;
    let figures = settings.figures(&gating.gates, baseline.is_some())?;
    let slices = pipeline::sliced(&settings.common.slices, &gating.gates)?;
    let (table, table_read) = blocks.map(blocks::load).transpose()?.unzip();
    let gold = Gold::load(gold, &slices, table.as_ref())?;
    let blocks = &table.unwrap_or_else(Blocks::default);
    let reading = Reading { gold: &gold, blocks, rules: settings.rules, common: &settings.common };
    let side = |sources: &[Source]| -> Result<Side, Failure> {
        let log = reading.read(sources)?;
        Ok(Side { results: aggregate::results(&gold.questions, &log), log, sources: sources.to_vec() })
    };
    let (new, baseline) = (side(traces)?, baseline.map(side).transpose()?);
    Ok(Scored {
        gating,
        figures,
        read: std::iter::once(gold.input()).chain(table_read).collect(),
        questions: gold.questions,
        slice_fields: gold.slice_fields,
        missing: Missing::Count,
        of: Subject::Answers,
        new,
        baseline,
        warnings: gold.warnings,
        warnings_total: gold.warnings_total,
        settings,
    })
}

/// One index: what its runs came to.
struct Side {
    results: Vec<CaseResult>,
    log: Log,
    sources: Vec<Source>,
}

impl Side {
    /// How many questions have no run.
    fn missing(&self) -> u64 {
        self.results.iter().filter(|result| result.runs.missing).count() as u64
    }

    /// The counts that no verdict makes.
    fn counts(&self) -> HashMap<&'static str, u64> {
        let Log { unmatched, malformed, duplicate_ids, .. } = self.log;
        HashMap::from([("unmatched", unmatched), ("malformed", malformed), ("duplicate_ids", duplicate_ids)])
    }
}

/// What the runs are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    /// Rankings and the answers made from them.
    Answers,
    /// Rankings alone.
    Rankings,
}

/// Everything that was read and aggregated.
pub(crate) struct Scored<'a> {
    settings: Settings<'a>,
    gating: Gating,
    figures: Vec<Figure<Sides>>,
    questions: Vec<Question>,
    slice_fields: Vec<String>,
    missing: Missing,
    of: Subject,
    new: Side,
    baseline: Option<Side>,
    /// The files beside the traces.
    read: Vec<Input>,
    warnings: Vec<Problem>,
    warnings_total: u64,
}

impl Scored<'_> {
    /// Scores, gates and reports.
    fn report(&self) -> Report {
        let Scored { settings, gating, new, .. } = self;
        let groups = self.groups();
        let mut counts = new.counts();
        counts.extend(self.baseline.as_ref().map(|side| ("baseline_missing", side.missing())));
        let concluded =
            pipeline::conclude(&gating.gates, &self.figures, &groups, &self.slice_fields, &counts);
        let findings = report::findings(self, new, &groups, Params::default().side);
        let live = self.baseline.iter().flat_map(|side| &side.log.inputs);
        let live = live.map(|input| Input { role: "baseline".into(), ..input.clone() });
        let (baseline, delta) = report::comparison(self, &groups).unzip();
        let (headline, diagnosis) =
            (advice::headline(self, &concluded), advice::diagnosis(self, &concluded, &findings));
        let precision = if settings.precision == Precision::Depth { "k" } else { "returned" };
        let options = [
            ("k", if settings.cuts.is_empty() { json!([1, 3, 5, 10]) } else { json!(settings.cuts) }),
            ("window", json!(settings.rules.window)),
            ("ds_k", json!(settings.rules.ds_k)),
            ("precision_over", json!(precision)),
        ];
        let ran = new.missing() < new.results.len() as u64;
        let nothing = (!ran).then_some("no run belongs to any question");
        let base = settings.common.report(concluded, gating, options, nothing);
        let mut report = Report {
            headline: base.headline.clone().or(headline),
            diagnosis,
            hints: advice::hints(self, &findings),
            labels: histogram(&new.results, &Label::ALL, |result| Some(result.label), Label::name),
            stages: histogram(&new.results, &Stage::ALL, |result| Some(result.stage), Stage::name),
            warnings: self.warnings.iter().map(ToString::to_string).collect(),
            warnings_total: self.warnings_total,
            offenders: report::offenders(self),
            cases: report::cases(self),
            inputs: self.read.iter().chain(&new.log.inputs).cloned().chain(live).collect(),
            layout: report::layout(self),
            baseline,
            delta: delta.unwrap_or_default(),
            ..base
        };
        let sides = |result: &CaseResult| Sides { new: result.runs.clone(), baseline: None };
        let sides: Vec<Sides> = new.results.iter().map(sides).collect();
        let counted = |sides: &&Sides| !(sides.new.missing && self.missing == Missing::Skip);
        report.observed =
            settings.common.observed(&self.figures, sides.iter().map(|sides| Some(sides).filter(counted)));
        if self.of == Subject::Answers {
            report.sections.push(report::cut_offs(&report.metrics, report.baseline.as_ref()));
            report.sections.extend(findings.sections());
        }
        report.scope =
            format!("{}, {}", report.counted("questions", "question"), report.counted("runs", "run"));
        report
    }

    /// The ranking measures as trec_eval prints them: those of each topic, where they are asked for, and those of all.
    fn trec(&self, per_topic: bool, over: Over) -> String {
        let asked = self.questions.iter().zip(&self.new.results).map(|(question, result)| {
            let verdicts = result.runs.verdicts.iter().filter(|_| !result.runs.missing);
            Asked { topic: &question.id, rankings: verdicts.map(|verdict| &verdict.ranked).collect() }
        });
        let asked: Vec<Asked<'_>> = asked.collect();
        let cuts = &self.settings.cuts;
        let each = if per_topic { of_topics(&asked, cuts) } else { Vec::new() };
        layout(each.into_iter().chain(of_all(&asked, over, cuts)))
    }

    fn groups(&self) -> Groups<Sides> {
        let slices = self.questions.iter().map(|question| &*question.slices);
        let baseline = self.baseline.as_ref().map(|side| &side.results[..]);
        let (fields, resample) = (self.slice_fields.len(), self.gating.resamples_slices());
        aggregate::groups(slices, fields, &self.new.results, baseline, self.missing, resample)
    }
}
