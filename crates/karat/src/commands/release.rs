//! `karat release`: was every piece of evidence allowed, and does every claim rest on it?

use std::process::ExitCode;

use karat_core::input::Source;
use karat_core::problem::{self, Failure, Problem};
use karat_core::suites::release::{self, Inputs, Settings};

use super::files;
use super::report::{GateArgs, Made, ReportArgs};
use crate::output::Terminal;
use crate::progress;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(mut_arg("evidence", |arg| arg.required(true)), mut_arg("gold", |arg| arg.required(true)), mut_arg("trace", |arg| arg.required(true)))]
pub(crate) struct Args {
    #[command(flatten)]
    pub(crate) inputs: InputArgs,

    #[command(flatten)]
    gates: GateArgs,

    #[command(flatten)]
    report: ReportArgs,
}

/// What `karat release` and `karat explain CASE` read, and how.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// The evidence store as JSON lines: files or patterns; it streams, whatever its size
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) evidence: Vec<String>,

    /// The gold set as JSON lines, or one JSON array
    #[arg(long, value_name = "FILE")]
    pub(crate) gold: Option<String>,

    /// Cases as JSON lines, production traces and controls: files, patterns, or - for standard input
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) trace: Vec<String>,

    /// The versions that every trace must name, instead of retriever, index, sparse, dense, fusion, reranker
    #[arg(long, value_name = "KEY", value_delimiter = ',', num_args = 1..)]
    version_keys: Vec<String>,

    /// Let production traces name the phrases that support their own claims
    #[arg(long)]
    trust_claim_phrases: bool,

    /// Show the words of cases that touched a chunk they may not see, and of lines in error messages
    #[arg(long)]
    show_text: bool,
}

const EXAMPLES: &str = "\
Examples:
  karat release --evidence store.jsonl --gold gold.jsonl --trace cases.jsonl
  karat release --evidence 'store/*.jsonl.zst' --gold gold.jsonl --trace prod.jsonl controls.jsonl --slice region
  karat release --evidence store.jsonl --gold gold.jsonl --trace cases.jsonl --out report.md --quiet
  karat explain 'deploy 7' --evidence store.jsonl --gold gold.jsonl --trace cases.jsonl

Exit status: 0 all gates pass; 1 a gate failed or is inconclusive; 2 the input or the
call is wrong and nothing was scored.";

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let files = &args.inputs;
    let inputs: Vec<&str> =
        files.trace.iter().chain(&files.evidence).chain(&files.gold).map(String::as_str).collect();
    args.report.run(terminal, &inputs, || score(args, terminal))
}

fn score(args: &Args, terminal: &Terminal) -> Result<Made, Failure> {
    if args.report.wants_partial() {
        let message = "`karat release` makes no partials: it reads the evidence store once, as a whole";
        return Err(Problem::of_file(&problem::PARTIAL_INVALID, "--format partial", message).into());
    }
    let inputs = args.inputs.open()?;
    let settings = Settings {
        lenient: args.gates.lenient,
        gates: args.gates.gates(),
        slices: args.gates.slice.clone(),
        cases: args.report.cases("release"),
        tell: args.report.tell(),
        threads: args.gates.threads(),
        ..args.inputs.settings()
    };
    let sources: Vec<Source> = inputs.traces.iter().chain(&inputs.evidence).cloned().collect();
    let bar = progress::bar(&sources, terminal);
    let report = release::evaluate_with(&inputs, &settings, &|bytes| bar.inc(bytes));
    bar.finish_and_clear();
    Ok(Made { report: report?, instead: None })
}

impl InputArgs {
    /// The files, opened by name.
    pub(crate) fn open(&self) -> Result<Inputs, Failure> {
        let names = self.trace.iter().chain(&self.evidence).chain(&self.gold);
        files::standard_input_once(names.map(String::as_str))?;
        let traces = files::expand(&self.trace)?;
        release::distinct(&traces)?;
        let gold = files::one(self.gold.as_deref().unwrap_or_default());
        Ok(Inputs { evidence: files::expand(&self.evidence)?, gold, traces })
    }

    /// How they are read.
    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings {
            trust_claim_phrases: self.trust_claim_phrases,
            show_text: self.show_text,
            ..Settings::default()
        };
        if !self.version_keys.is_empty() {
            settings.version_keys = self.version_keys.iter().map(|key| key.trim().to_owned()).collect();
        }
        settings
    }
}
