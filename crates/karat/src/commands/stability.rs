//! `karat stability`: does a case come out the same, and right, in every run?

use std::process::ExitCode;

use karat_core::judge::Refusal;
use karat_core::problem::{self, Failure, Problem};
use karat_core::suites::stability::{self, Grid, Inputs, Settings};

use super::files;
use super::report::{GateArgs, Made, ReportArgs};
use crate::output::Terminal;
use crate::progress;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The gold set of `answers`: JSON lines, or one JSON array
    #[arg(long, value_name = "FILE")]
    gold: String,

    /// Runs as JSON lines, each a trace with its `seed` and `jitter`: files, patterns such as 'runs/*.jsonl.gz', or -
    /// for standard input
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    trace: Vec<String>,

    /// The runs that every case must have: seeds=0,1,2 jitters=none,ws, or one of the two [default: every seed with every
    /// jitter that is seen anywhere]
    #[arg(long, value_name = "AXIS=LIST", num_args = 1..)]
    grid: Vec<String>,

    /// A refusal instead of 'not in context': an exact text, or a /pattern/ that is searched anywhere in the claim
    /// (repeatable)
    #[arg(long, value_name = "TEXT")]
    refusal: Vec<String>,

    #[command(flatten)]
    gates: GateArgs,

    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  karat stability --gold eval/gold.jsonl --trace runs/stability.jsonl
  karat stability --gold gold.jsonl --trace 'runs/seed-*.jsonl' \\
      --grid seeds=0,1,2 jitters=none,ws,punct
  karat stability --gold gold.jsonl --trace runs.jsonl --gates 'held>=0.95' --slice workflow
  karat stability --gold gold.jsonl --trace runs.jsonl --format flat | jq .details

Exit status: 0 all gates pass; 1 a gate failed or is inconclusive; 2 the input or the
call is wrong and nothing was scored.";

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let inputs: Vec<&str> = args.trace.iter().map(String::as_str).chain([args.gold.as_str()]).collect();
    args.report.run(terminal, &inputs, || score(args, terminal))
}

fn score(args: &Args, terminal: &Terminal) -> Result<Made, Failure> {
    if args.report.wants_partial() {
        let message = "`karat stability` makes no partials: the runs of a case belong together";
        return Err(Problem::of_file(&problem::PARTIAL_INVALID, "--format partial", message).into());
    }
    files::standard_input_once(args.trace.iter().chain([&args.gold]).map(String::as_str))?;
    let settings = Settings {
        grid: if args.grid.is_empty() { Grid::default() } else { Grid::parse(&args.grid.join(" "))? },
        refusal: if args.refusal.is_empty() { Refusal::default() } else { Refusal::parse(&args.refusal)? },
        lenient: args.gates.lenient,
        gates: args.gates.gates(),
        slices: args.gates.slice.clone(),
        cases: args.report.cases("stability"),
        tell: args.report.tell(),
        threads: args.gates.threads(),
    };
    let inputs = Inputs { gold: files::one(&args.gold), traces: files::expand(&args.trace)? };
    let bar = progress::bar(&inputs.traces, terminal);
    let report = stability::evaluate_with(&inputs, &settings, &|bytes| bar.inc(bytes));
    bar.finish_and_clear();
    Ok(Made { report: report?, instead: None })
}
