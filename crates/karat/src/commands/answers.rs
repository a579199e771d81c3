//! `karat answers`: score grounded answers, straight from files.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use karat_core::judge::{Refusal, RulePack, Scu};
use karat_core::ledger::Runs;
use karat_core::partial::Partial;
use karat_core::problem::{self, Failure, Problem};
use karat_core::profiles::Profile;
use karat_core::settle::Missing;
use karat_core::suites::answers::{Plan, Settings};

use super::files;
use super::report::{GateArgs, Made, ReportArgs};
use crate::output::Terminal;
use crate::progress;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The gold set: JSON lines, or one JSON array; either contract
    #[arg(long, value_name = "FILE")]
    gold: String,

    /// Traces as JSON lines: files, patterns such as 'runs/*.jsonl.gz', or - for standard input
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    trace: Vec<String>,

    /// The cut-off of recall@k, hit@k and ndcg@k
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    k: u32,

    /// Locked constraints: ignore them, count violations, or let a violation fail
    #[arg(long, value_enum, default_value_t = ScuArg::Report, value_name = "HOW")]
    scu: ScuArg,

    /// The published spelling of --scu enforce
    #[arg(long = "scu_enforced", alias = "scu-enforced", hide = true)]
    scu_enforced: bool,

    /// A further pack of contradiction rules (TOML)
    #[arg(long, value_name = "FILE")]
    scu_rules: Vec<PathBuf>,

    /// A refusal instead of 'not in context': an exact text, or a /pattern/ that is searched anywhere in the claim
    /// (repeatable)
    #[arg(long, value_name = "TEXT")]
    refusal: Vec<String>,

    /// Which traces of a case count
    #[arg(long, value_enum, default_value_t = RunsArg::Last, value_name = "WHICH")]
    runs: RunsArg,

    /// What becomes of a case without a trace: scored as a wrong answer, or left out
    #[arg(long, value_enum, default_value_t = MissingArg::Score, value_name = "HOW")]
    missing: MissingArg,

    #[command(flatten)]
    gates: GateArgs,

    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  karat answers --gold eval/gold.jsonl --trace runs/trace.jsonl
  karat answers --gold eval/gold.jsonl --trace runs/trace.jsonl \\
      --gates precision=0.80,chr=0.75,under=0.05,over=0.10
  karat answers --gold gold.jsonl --trace 'logs/*.jsonl.zst' --lenient --slice workflow
  karat answers --gold gold.jsonl --trace - --out report.md --out last.json --quiet < trace.jsonl

Exit status: 0 all gates pass; 1 a gate failed or is inconclusive; 2 the input or the
call is wrong and nothing was scored.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ScuArg {
    Off,
    Report,
    Enforce,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum RunsArg {
    /// The last in input order
    Last,
    /// Each of them
    All,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum MissingArg {
    /// As a shipped empty answer
    Score,
    /// Left out of every figure
    Skip,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let inputs: Vec<&str> = args.trace.iter().map(String::as_str).chain([args.gold.as_str()]).collect();
    args.report.run(terminal, &inputs, || score(args, terminal))
}

fn score(args: &Args, terminal: &Terminal) -> Result<Made, Failure> {
    files::standard_input_once(args.trace.iter().chain([&args.gold]).map(String::as_str))?;
    let (gold, traces) = (files::one(&args.gold), files::expand(&args.trace)?);
    let (profile, settings) = (Profile::answers(), settings(args)?);
    let plan = Plan::new(&gold, &profile, &settings)?;
    let bar = progress::bar(&traces, terminal);
    let counted = plan.read(&traces, &|bytes| bar.inc(bytes));
    bar.finish_and_clear();
    let counted = counted?;
    let partial =
        args.report.wants_partial().then(|| Partial::new(&plan, &settings, "answers", &counted).to_text());
    Ok(Made { report: plan.finish(counted, &traces), instead: partial })
}

fn settings(args: &Args) -> Result<Settings, Failure> {
    let mut contradictions = RulePack::default();
    for path in &args.scu_rules {
        let name = path.display().to_string();
        let bad = |e: std::io::Error| Problem::of_file(&problem::UNREADABLE, &name, e.to_string());
        contradictions.extend(RulePack::parse(&name, &std::fs::read_to_string(path).map_err(bad)?)?);
    }
    Ok(Settings {
        k: args.k,
        scu: match args.scu {
            _ if args.scu_enforced => Scu::Enforce,
            ScuArg::Off => Scu::Off,
            ScuArg::Report => Scu::Report,
            ScuArg::Enforce => Scu::Enforce,
        },
        runs: match args.runs {
            RunsArg::Last => Runs::Last,
            RunsArg::All => Runs::All,
        },
        missing: match args.missing {
            MissingArg::Score => Missing::Score,
            MissingArg::Skip => Missing::Skip,
        },
        lenient: args.gates.lenient,
        gates: args.gates.gates(),
        slices: args.gates.slice.clone(),
        refusal: if args.refusal.is_empty() { Refusal::default() } else { Refusal::parse(&args.refusal)? },
        contradictions,
        cases: args.report.cases("answers"),
        tell: args.report.tell(),
        threads: args.gates.threads(),
    })
}
