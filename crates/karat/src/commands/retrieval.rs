//! `karat retrieval`: what did an index or chunking change do?

use std::process::ExitCode;

use indicatif::ProgressBar;
use karat_core::input::Source;
use karat_core::judge::retrieval::{Precision, Rules};
use karat_core::problem::{self, Failure, Problem};
use karat_core::suites::retrieval::{self, Figures, Inputs, Lines, Settings, trec};
use karat_core::trec::measures::Over;

use super::files::{self, expand, one};
use super::report::{GateArgs, Made, ReportArgs};
use crate::output::Terminal;
use crate::progress;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The gold set as JSON lines: questions, paraphrases, relevant ids, anchor sections
    #[arg(long, value_name = "FILE", required_unless_present = "qrels", requires = "trace")]
    gold: Option<String>,

    /// Runs of the index as JSON lines: files, patterns such as 'shadow/*.jsonl.gz', or - for standard input
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "gold")]
    trace: Vec<String>,

    /// Judgements in TREC's format, or BEIR's qrels.tsv, instead of a gold set
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "run", conflicts_with_all = ["gold", "trace", "blocks"])]
    qrels: Vec<String>,

    /// A run in TREC's format, instead of traces; ranked as trec_eval does
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "qrels")]
    run: Vec<String>,

    /// Runs of the live index, to compare with
    #[arg(long, value_name = "FILE", num_args = 1..)]
    baseline: Vec<String>,

    /// The block table as JSON lines: where each block lies, its type and section
    #[arg(long, value_name = "FILE")]
    blocks: Option<String>,

    /// How many bytes a citation may lie outside its block, at either end
    #[arg(long, value_name = "N", default_value_t = 30)]
    window: u64,

    /// A cut-off instead of 1, 3, 5 and 10 (repeatable)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    k: Vec<u32>,

    /// How many of the first ids ds_topk_median and ds_topk_p90 look at
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    ds_k: u32,

    /// Precision at k divides by k, as trec_eval does, instead of by what was returned
    #[arg(long)]
    trec: bool,

    /// The figures to report instead of all: 'nDCG@10,P@5,R@100,MRR'
    #[arg(long, value_name = "LIST", num_args = 1..)]
    metrics: Vec<String>,

    /// With --format trec: the figures of each topic too
    #[arg(long)]
    per_topic: bool,

    /// With --qrels: count topics that are missing from the run as 0, as trec_eval -c does, instead of leaving them out
    #[arg(long, requires = "qrels")]
    complete: bool,

    #[command(flatten)]
    gates: GateArgs,

    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  karat retrieval --gold gold.jsonl --blocks blocks.jsonl --trace shadow.jsonl
  karat retrieval --gold gold.jsonl --blocks blocks.jsonl --trace shadow.jsonl --baseline live.jsonl
  karat retrieval --gold gold.jsonl --trace runs.jsonl --gates 'nDCG@10>=0.45,R@100>=0.9' --slice product
  karat retrieval --qrels qrels.txt --run bm25.run --format trec --per-topic
  karat retrieval --qrels qrels.tsv --run dense.run --baseline bm25.run --gates 'recall_drop@100<=0.01'

Exit status: 0 all gates pass; 1 a gate failed or is inconclusive; 2 the input or the
call is wrong and nothing was scored.";

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let inputs: Vec<&str> = args.files().map(String::as_str).collect();
    args.report.run(terminal, &inputs, || score(args, terminal))
}

fn score(args: &Args, terminal: &Terminal) -> Result<Made, Failure> {
    if args.report.wants_partial() {
        let message = "`karat retrieval` makes no partials yet: score the whole log at once";
        return Err(Problem::of_file(&problem::PARTIAL_INVALID, "--format partial", message).into());
    }
    files::standard_input_once(args.files().map(String::as_str))?;
    let over = if args.complete { Over::Complete } else { Over::Run };
    let (settings, baseline) = (settings(args), expand(&args.baseline)?);
    let baseline = (!args.baseline.is_empty()).then_some(baseline);
    let scored = match &args.gold {
        Some(gold) => {
            let blocks = args.blocks.as_deref().map(one);
            let inputs = Inputs { gold: one(gold), blocks, traces: expand(&args.trace)?, baseline };
            let bar = bar(inputs.traces.iter().chain(inputs.baseline.iter().flatten()), terminal);
            let scored = retrieval::score(&inputs, &settings, &|bytes| bar.inc(bytes));
            bar.finish_and_clear();
            scored?
        }
        None => {
            let inputs = trec::Inputs { qrels: expand(&args.qrels)?, run: expand(&args.run)?, baseline };
            let bar = bar(inputs.run.iter().chain(inputs.baseline.iter().flatten()), terminal);
            let scored = trec::score(&inputs, &settings, over, &|bytes| bar.inc(bytes));
            bar.finish_and_clear();
            scored?
        }
    };
    let lines = if args.per_topic { Lines::PerTopic } else { Lines::All };
    let instead = args.report.wants_trec().then(|| scored.trec(lines, over));
    Ok(Made { report: scored.report(), instead })
}

fn bar<'s>(sources: impl Iterator<Item = &'s Source>, terminal: &Terminal) -> ProgressBar {
    let sources: Vec<Source> = sources.cloned().collect();
    progress::bar(&sources, terminal)
}

impl Args {
    /// Everything that is read.
    fn files(&self) -> impl Iterator<Item = &String> {
        let traces = self.trace.iter().chain(&self.run).chain(&self.baseline);
        traces.chain(&self.qrels).chain(&self.blocks).chain(&self.gold)
    }
}

fn settings(args: &Args) -> Settings {
    let mut cuts = args.k.clone();
    cuts.sort_unstable();
    cuts.dedup();
    Settings {
        cuts,
        figures: match (&args.metrics[..], args.report.wants_report()) {
            (_, false) => Figures::Gated,
            ([], true) => Figures::All,
            (lists, true) => Figures::Named(lists.to_vec()),
        },
        precision: if args.trec { Precision::Depth } else { Precision::Returned },
        rules: Rules { window: args.window, ds_k: args.ds_k as usize },
        lenient: args.gates.lenient,
        gates: args.gates.gates(),
        slices: args.gates.slice.clone(),
        cases: args.report.cases("retrieval"),
        tell: args.report.tell(),
        threads: args.gates.threads(),
    }
}
