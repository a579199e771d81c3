//! The suite `retrieval`, top to bottom: read the block table and gold, read and judge the runs of one index or of two,
//! settle every question, score, gate, report.

mod aggregate;
mod blocks;
pub mod dialect;
mod fields;
mod gold;
pub mod judge;
pub mod labels;
pub mod metrics;
mod model;
mod profile;
mod read;
mod report;
pub mod row;
mod suggest;
mod trec;

use std::borrow::Cow;
use std::collections::HashMap;

use indexmap::IndexMap;
use serde_json::{Value, json};

use crate::columns::{Seen, observed};
use crate::detail::Detail;
use crate::gate::{self, Gate};
use crate::group::Groups;
use crate::input::Source;
use crate::metrics::{About, Fold, Metric, find};
use crate::pipeline::{self, Cases, Gates};
use crate::problem::{self, Failure, Problem};
use crate::profiles::Profile;
use crate::report::histogram;
use crate::report::{Input, Report};
use crate::request::key::{Applies, Key, LARGEST_CUT, Shape};
use crate::request::{Extra, Output, Request, RunContext};
use crate::suite::{Reads, Suite};
use crate::suites::retrieval::judge::{Params, Precision, Rules, Sides};
use crate::suites::retrieval::labels::{Label, Stage};
use crate::suites::retrieval::metrics::baseline_missing;
use crate::suites::retrieval::model::{Blocks, Question};
use crate::tally::Figure;
use crate::trec::layout::layout;
use crate::trec::measures::{Asked, Over, of_all, of_topics};
use aggregate::{CaseResult, Missing, settle};
use gold::Gold;
pub(crate) use gold::lint;
use read::{Log, Reading};

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
    dialects: &[&dialect::DIALECT],
    profile: profile::profile,
    evaluate,
};

/// Scores the runs of an index, perhaps beside those of another one, and decides.
fn evaluate(request: &Request, context: &RunContext<'_>) -> Result<Output, Failure> {
    let settings = Settings::new(request)?;
    let over = if request.given.flag("complete") { Over::Complete } else { Over::Run };
    let baseline = request.sources_if("baseline")?;
    let scored = if request.has("qrels") {
        if request.has("blocks") {
            let message = "TREC files name documents, not blocks";
            return Err(Problem::of_file(&problem::CALL_VALUE, "--blocks", message).into());
        }
        let (qrels, run) = (request.sources_of("qrels")?, request.sources_of("run")?);
        trec::score(&trec::Inputs { qrels, run, baseline }, &settings, over, context.progress)?
    } else {
        let blocks = request.source("blocks", context)?;
        let gold = request.needed("gold", context)?;
        let inputs = Inputs { gold, blocks, traces: request.sources_of("traces")?, baseline };
        score(&inputs, &settings, context.progress)?
    };
    let lines = if request.given.flag("per_topic") { Lines::PerTopic } else { Lines::All };
    let trec = matches!(request.extra, Extra::Layout(_) | Extra::LayoutToo(_));
    Ok(Output { report: scored.report(), extra: trec.then(|| scored.trec(lines, over)) })
}

/// What is read.
struct Inputs {
    gold: Source,
    blocks: Option<Source>,
    /// The runs of the index that is to ship, in their order: the last of a question, paraphrase and seed counts.
    traces: Vec<Source>,
    /// The runs of the index that it is compared with.
    baseline: Option<Vec<Source>>,
}

/// How it is scored.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Cut-offs instead of 1, 3, 5 and 10; the largest is that of `nDCG@k` and `anchor_hit@k`.
    cuts: Vec<u32>,
    /// The figures to report, beside those that a gate asks for.
    figures: Figures,
    /// What precision at k divides by.
    precision: Precision,
    /// What a run is judged by.
    rules: Rules,
    lenient: bool,
    gates: Gates,
    slices: Vec<String>,
    cases: Cases,
    tell: Detail,
    threads: usize,
    profile: Profile,
    metrics: Vec<Metric<Sides>>,
}

impl Settings {
    fn new(request: &Request) -> Result<Settings, Failure> {
        let cut = |&number: &u64| u32::try_from(number).unwrap_or(u32::MAX);
        let mut cuts: Vec<u32> = request.given.numbers("k").iter().map(cut).collect();
        cuts.sort_unstable();
        cuts.dedup();
        Ok(Settings {
            cuts,
            figures: match (request.given.texts("metrics"), request.extra) {
                (_, Extra::Layout(_)) => Figures::Gated,
                ([], _) => Figures::All,
                (names, _) => Figures::Named(names.to_vec()),
            },
            precision: if request.given.flag("trec") { Precision::Depth } else { Precision::Returned },
            rules: Rules { window: request.number("window"), ds_k: request.cut("ds_k") as usize },
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

/// Which figures a report has, beside those that a gate asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Figures {
    /// All of the suite's.
    #[default]
    All,
    /// These: `nDCG@10 P@5`.
    Named(Vec<String>),
    /// None but counts: intervals over thousands of topics take longer than everything else.
    Gated,
}

impl Settings {
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
    fn figures(
        &self,
        profile: &Profile,
        gates: &[Gate],
        baseline: bool,
    ) -> Result<Vec<Figure<Sides>>, Failure> {
        let known = &profile.metrics;
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
    fn gates(&self, profile: &Profile, baseline: bool) -> Result<(Vec<Gate>, String), Failure> {
        let default = if baseline { "canary" } else { "index" };
        let gates = match pipeline::chosen(&self.gates, profile, self.k())? {
            Some(gates) => gates,
            None => profile.preset(default)?.gates(&profile.metrics, self.k())?,
        };
        let from = if matches!(self.gates, Gates::Explicit(_)) { "--gates" } else { "--preset" };
        self.check_baseline(gates.iter().map(|gate| gate.metric), from, baseline)?;
        let always: &[&str] = if baseline { &["missing", "baseline_missing"] } else { &["missing"] };
        let gates = pipeline::with_always(gates, always, profile);
        Ok((gates, pipeline::origin(&self.gates, default)))
    }

    /// The settings as a report tells them.
    fn told(&self, gates_from: &str) -> crate::report::Settings {
        let cuts: Vec<u32> = if self.cuts.is_empty() { vec![1, 3, 5, 10] } else { self.cuts.clone() };
        let precision = if self.precision == Precision::Depth { "k" } else { "returned" };
        let options: [(&str, Value); 4] = [
            ("k", json!(cuts)),
            ("window", json!(self.rules.window)),
            ("ds_k", json!(self.rules.ds_k)),
            ("precision_over", json!(precision)),
        ];
        crate::report::Settings::new(options, gates_from, pipeline::bootstrap())
    }
}

/// Reads and settles everything, telling `progress` how many bytes of the traces were taken, as they are.
fn score(inputs: &Inputs, settings: &Settings, progress: &(dyn Fn(u64) + Sync)) -> Result<Scored, Failure> {
    let profile = settings.profile.clone();
    let (gates, gates_from) = settings.gates(&profile, inputs.baseline.is_some())?;
    let figures = settings.figures(&profile, &gates, inputs.baseline.is_some())?;
    let slices = pipeline::sliced(&settings.slices, &gates)?;
    let table = inputs.blocks.as_ref().map(blocks::load).transpose()?;
    let gold = Gold::load(&inputs.gold, &slices, table.as_ref().map(|(blocks, _)| blocks))?;
    let (table, table_read) = table.unzip();
    let none = Blocks::default();
    let (blocks, threads) = (table.as_ref().unwrap_or(&none), pipeline::threads(settings.threads));
    let reading = Reading { gold: &gold, blocks, rules: settings.rules, lenient: settings.lenient, threads };
    let side = |sources: &[Source]| -> Result<Side, Failure> {
        let log = reading.read(sources, progress)?;
        Ok(Side { settled: settle(&gold, &log), log, sources: sources.to_vec() })
    };
    let (new, baseline) = (side(&inputs.traces)?, inputs.baseline.as_deref().map(side).transpose()?);
    Ok(Scored {
        settings: settings.clone(),
        profile,
        gates,
        gates_from,
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
    })
}

/// One index: what its runs came to.
struct Side {
    settled: Vec<CaseResult>,
    log: Log,
    sources: Vec<Source>,
}

impl Side {
    /// Questions that it has no run of.
    fn missing(&self) -> u64 {
        self.settled.iter().filter(|settled| settled.runs.missing).count() as u64
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

/// Everything that was read and settled.
pub(crate) struct Scored {
    settings: Settings,
    profile: Profile,
    gates: Vec<Gate>,
    gates_from: String,
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

impl Scored {
    /// Scores, gates and reports.
    fn report(&self) -> Report {
        let groups = self.groups();
        let mut counts = self.new.counts();
        counts.extend(self.baseline.as_ref().map(|side| ("baseline_missing", side.missing())));
        let concluded = pipeline::conclude(&self.gates, &self.figures, &groups, &self.slice_fields, &counts);
        let findings = report::findings(self, &self.new, &groups, Params::default().side);
        let live = self.baseline.iter().flat_map(|side| &side.log.inputs);
        let live = live.map(|input| Input { role: "baseline".into(), ..input.clone() });
        let (baseline, delta) = report::comparison(self, &groups).unzip();
        // Whatever the gates allow, nothing that was run is nothing that may ship.
        let nothing = self.new.missing() == self.new.settled.len() as u64;
        let mut report = Report {
            headline: suggest::headline(self, &concluded),
            diagnosis: suggest::diagnosis(self, &concluded, &findings),
            hints: suggest::hints(self, &findings),
            labels: histogram(&self.new.settled, &Label::ALL, |settled| Some(settled.label), Label::name),
            stages: histogram(&self.new.settled, &Stage::ALL, |settled| Some(settled.stage), Stage::name),
            warnings: self.warnings.iter().map(ToString::to_string).collect(),
            warnings_total: self.warnings_total,
            offenders: report::offenders(self),
            cases: report::cases(self),
            observed: self.observed(),
            inputs: self.read.iter().chain(&self.new.log.inputs).cloned().chain(live).collect(),
            layout: report::layout(self),
            baseline,
            delta: delta.unwrap_or_default(),
            ..concluded.report(&self.profile, self.settings.told(&self.gates_from))
        };
        if self.of == Subject::Answers {
            report.sections.push(report::cut_offs(&report.metrics, report.baseline.as_ref()));
            report.sections.extend(findings.sections());
        }
        report.scope =
            format!("{}, {}", report.counted("questions", "question"), report.counted("runs", "run"));
        if !nothing || !report.pass {
            return report;
        }
        let headline = Some("no run belongs to any question, so that nothing was measured".to_owned());
        Report { pass: false, verdict: crate::report::Decision::Inconclusive, headline, ..report }
    }

    /// The ranking measures as trec_eval prints them.
    fn trec(&self, lines: Lines, over: Over) -> String {
        let asked = self.questions.iter().zip(&self.new.settled).map(|(question, settled)| Asked {
            topic: &question.id,
            rankings: settled
                .runs
                .verdicts
                .iter()
                .map(|v| &v.ranked)
                .filter(|_| !settled.runs.missing)
                .collect(),
        });
        let asked: Vec<Asked<'_>> = asked.collect();
        let cuts = &self.settings.cuts;
        let each = if lines == Lines::PerTopic { of_topics(&asked, cuts) } else { Vec::new() };
        layout(each.into_iter().chain(of_all(&asked, over, cuts)))
    }

    /// What each question adds to each figure, where all are listed.
    fn observed(&self) -> IndexMap<String, String> {
        if self.settings.cases != Cases::All {
            return IndexMap::new();
        }
        let sides: Vec<Sides> = self
            .new
            .settled
            .iter()
            .map(|settled| Sides { new: settled.runs.clone(), baseline: None })
            .collect();
        let skips = |sides: &Sides| sides.new.missing && self.missing == Missing::Skip;
        observed(
            &self.figures,
            sides
                .iter()
                .map(|sides| if skips(sides) { Seen::Skipped } else { Seen::Verdict(Cow::Borrowed(sides)) }),
        )
    }

    fn groups(&self) -> Groups<Sides> {
        let resample_slices = self.gates.iter().any(|gate| gate.confident && gate.slice.is_some());
        let slices = self.questions.iter().map(|question| &*question.slices);
        let baseline = self.baseline.as_ref().map(|side| &side.settled[..]);
        let fields = self.slice_fields.len();
        aggregate::groups(slices, fields, &self.new.settled, baseline, self.missing, resample_slices)
    }
}

/// How much trec_eval's layout tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lines {
    /// The figures over all questions.
    All,
    /// Those of each question before them.
    PerTopic,
}
