//! `karat retrieval`: what did an index or chunking change do?

use std::process::ExitCode;

use karat_core::input::Source;
use karat_core::judge::retrieval::{Precision, Rules};
use karat_core::problem::{self, Failure, Problem};
use karat_core::suites::retrieval::{self, Inputs, Settings};

use super::report::{GateArgs, Made, ReportArgs};
use crate::output::Terminal;
use crate::progress;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The gold set as JSON lines: questions, paraphrases, relevant ids, anchor sections
    #[arg(long, value_name = "FILE")]
    gold: String,

    /// Runs of the index as JSON lines: files, patterns such as 'shadow/*.jsonl.gz', or - for standard input
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    trace: Vec<String>,

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

Exit status: 0 all gates pass; 1 a gate failed or is inconclusive; 2 the input or the
call is wrong and nothing was scored.";

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let files = args.trace.iter().chain(&args.baseline).chain(&args.blocks).chain([&args.gold]);
    let inputs: Vec<&str> = files.map(String::as_str).collect();
    args.report.run(terminal, &inputs, || score(args, terminal))
}

fn score(args: &Args, terminal: &Terminal) -> Result<Made, Failure> {
    if args.report.wants_partial() {
        let message = "`karat retrieval` makes no partials yet: score the whole log at once";
        return Err(Problem::of_file(&problem::PARTIAL_INVALID, "--format partial", message).into());
    }
    let inputs = open(args)?;
    let sources: Vec<Source> =
        inputs.traces.iter().chain(inputs.baseline.iter().flatten()).cloned().collect();
    let bar = progress::bar(&sources, terminal);
    let report = retrieval::evaluate_with(&inputs, &settings(args), &|bytes| bar.inc(bytes));
    bar.finish_and_clear();
    Ok(Made { report: report?, partial: None })
}

/// The files, opened by name.
fn open(args: &Args) -> Result<Inputs, Failure> {
    let all = args.trace.iter().chain(&args.baseline).chain(&args.blocks).chain([&args.gold]);
    if all.filter(|name| *name == "-").count() > 1 {
        let message = "standard input can be read only once";
        return Err(Problem::of_file(&problem::UNREADABLE, "<stdin>", message).into());
    }
    let expand = |arguments: &[String]| -> Result<Vec<Source>, Failure> {
        let mut sources = Vec::new();
        for argument in arguments {
            sources.extend(Source::expand(argument)?);
        }
        Ok(sources)
    };
    let one = |name: &str| if name == "-" { Source::stdin() } else { Source::file(name) };
    Ok(Inputs {
        gold: one(&args.gold),
        blocks: args.blocks.as_deref().map(one),
        traces: expand(&args.trace)?,
        baseline: if args.baseline.is_empty() { None } else { Some(expand(&args.baseline)?) },
    })
}

fn settings(args: &Args) -> Settings {
    let mut cuts = args.k.clone();
    cuts.sort_unstable();
    cuts.dedup();
    Settings {
        cuts,
        metrics: args.metrics.clone(),
        precision: if args.trec { Precision::Depth } else { Precision::Returned },
        rules: Rules { window: args.window, ds_k: args.ds_k as usize },
        lenient: args.gates.lenient,
        gates: args.gates.gates(),
        slices: args.gates.slice.clone(),
        cases: args.report.cases(),
        threads: args.gates.threads(),
    }
}
