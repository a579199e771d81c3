//! `karat latency`: how fast is it, and what does speed cost?

use std::process::ExitCode;

use clap::ValueEnum;
use karat_core::input::Source;
use karat_core::judge::{Refusal, Scu};
use karat_core::problem::{self, Failure, Problem};
use karat_core::suites::latency::{self, Inputs, Select, Settings};

use super::files;
use super::report::{GateArgs, Made, ReportArgs};
use crate::output::Terminal;
use crate::progress;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The gold set of `karat answers`
    #[arg(long, value_name = "FILE", required_unless_present = "latency_csv")]
    gold: Option<String>,

    /// Traces with `e2e_ms` or `stage_ms`, and `knobs` and `load_rps`, as JSON lines: files, patterns, or - for standard
    /// input
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "latency_csv", requires = "gold")]
    trace: Vec<String>,

    /// Times as CSV, instead of those in the traces: ts, qid, e2e_ms, retrieval_ms, rerank_ms, llm_ms, guard_ms, knobs
    #[arg(long, value_name = "FILE", num_args = 1..)]
    latency_csv: Vec<String>,

    /// Traces to compare with: p95 may rise by 15 %, precision may drop by 0.02
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "gold")]
    baseline: Vec<String>,

    /// Which point of the frontier counts
    #[arg(long, value_enum, default_value_t = SelectArg::Fastest, value_name = "HOW")]
    select: SelectArg,

    /// Locked constraints: ignore them, count violations, or let a violation make an answer wrong
    #[arg(long, value_enum, default_value_t = ScuArg::Report, value_name = "HOW")]
    scu: ScuArg,

    /// A refusal instead of 'not in context': an exact text, or a /pattern/ (repeatable)
    #[arg(long, value_name = "TEXT")]
    refusal: Vec<String>,

    #[command(flatten)]
    gates: GateArgs,

    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  karat latency --gold eval/gold.jsonl --trace runs/sweep.jsonl
  karat latency --gold eval/gold.jsonl --trace runs/new.jsonl --baseline runs/live.jsonl
  karat latency --gold eval/gold.jsonl --trace runs/sweep.jsonl --select knee --out curve.csv
  karat latency --latency-csv runs/latency.csv --gates 'p95<=2000, llm_p95<=1500'

Exit status: 0 all gates pass; 1 a gate failed or is inconclusive; 2 the input or the
call is wrong and nothing was scored.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SelectArg {
    /// The lowest p95 that passes every gate
    Fastest,
    /// The highest precision that passes every gate
    MostAccurate,
    /// Where more time stops to buy much precision
    Knee,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ScuArg {
    Off,
    Report,
    Enforce,
}

impl Args {
    fn files(&self) -> impl Iterator<Item = &String> {
        self.trace.iter().chain(&self.latency_csv).chain(&self.baseline).chain(&self.gold)
    }
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let inputs: Vec<&str> = args.files().map(String::as_str).collect();
    args.report.run(terminal, &inputs, || score(args, terminal))
}

fn score(args: &Args, terminal: &Terminal) -> Result<Made, Failure> {
    if args.report.wants_partial() {
        let message = "`karat latency` makes no partials: score the whole log at once";
        return Err(Problem::of_file(&problem::PARTIAL_INVALID, "--format partial", message).into());
    }
    if !args.gates.slice.is_empty() {
        let message = "a time belongs to no slice: score the slice's traces alone";
        return Err(Problem::of_file(&problem::SLICE_UNKNOWN, "--slice", message).into());
    }
    files::standard_input_once(args.files().map(String::as_str))?;
    let inputs = Inputs {
        gold: args.gold.as_deref().map(files::one),
        traces: files::expand(&args.trace)?,
        latency_csv: files::expand(&args.latency_csv)?,
        baseline: if args.baseline.is_empty() { None } else { Some(files::expand(&args.baseline)?) },
    };
    let settings = Settings {
        select: match args.select {
            SelectArg::Fastest => Select::Fastest,
            SelectArg::MostAccurate => Select::MostAccurate,
            SelectArg::Knee => Select::Knee,
        },
        scu: match args.scu {
            ScuArg::Off => Scu::Off,
            ScuArg::Report => Scu::Report,
            ScuArg::Enforce => Scu::Enforce,
        },
        refusal: if args.refusal.is_empty() { Refusal::default() } else { Refusal::parse(&args.refusal)? },
        lenient: args.gates.lenient,
        gates: args.gates.gates(),
        cases: args.report.cases("latency"),
        tell: args.report.tell(),
        threads: args.gates.threads(),
    };
    let read = inputs.traces.iter().chain(&inputs.latency_csv).chain(inputs.baseline.iter().flatten());
    let read: Vec<Source> = read.cloned().collect();
    let bar = progress::bar(&read, terminal);
    let report = latency::evaluate_with(&inputs, &settings, &|bytes| bar.inc(bytes));
    bar.finish_and_clear();
    Ok(Made { report: report?, instead: None })
}
