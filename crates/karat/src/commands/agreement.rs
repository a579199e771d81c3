//! `karat agreement`: do those who judge answers say the same?

use std::process::ExitCode;

use karat_core::input::Source;
use karat_core::problem::{self, Failure, Problem};
use karat_core::suites::agreement::{self, Inputs, Settings};

use super::files;
use super::report::{GateArgs, Made, ReportArgs};
use crate::output::Terminal;
use crate::progress;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Pairs of ratings, a scholar's and an auditor's, as JSON lines
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "rater", required_unless_present = "rater")]
    pairs: Vec<String>,

    /// A rater and the file of their ratings (twice or more)
    #[arg(long, value_name = "NAME=FILE", num_args = 1..)]
    rater: Vec<String>,

    /// The rater that the others are measured against, to calibrate a judge on human labels
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,

    #[command(flatten)]
    gates: GateArgs,

    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  karat agreement --pairs consistency_pairs.jsonl
  karat agreement --rater scholar=scholar.jsonl --rater auditor=auditor.jsonl --format tsv
  karat agreement --rater human=labels.jsonl --rater judge=judge.jsonl --truth human --gates 'judge_recall>=0.8'

Exit status: 0 all gates pass; 1 a gate failed or is inconclusive; 2 the input or the
call is wrong and nothing was scored.";

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let files = args.rater.iter().map(|rater| rater.split_once('=').map_or(rater.as_str(), |(_, file)| file));
    let inputs: Vec<&str> = args.pairs.iter().map(String::as_str).chain(files).collect();
    args.report.run(terminal, &inputs, || score(args, terminal))
}

fn score(args: &Args, terminal: &Terminal) -> Result<Made, Failure> {
    let bad = |message: String| Problem::of_file(&problem::RATERS_INVALID, "--rater", message);
    if args.report.wants_partial() {
        let message = "`karat agreement` makes no partials: read all ratings at once";
        return Err(Problem::of_file(&problem::PARTIAL_INVALID, "--format partial", message).into());
    }
    if !args.gates.slice.is_empty() {
        return Err(Problem::of_file(
            &problem::SLICE_UNKNOWN,
            "--slice",
            "ratings have no gold fields to slice by",
        )
        .into());
    }
    let inputs = if args.rater.is_empty() {
        Inputs::Pairs(files::expand(&args.pairs)?)
    } else {
        let file = |rater: &String| rater.split_once('=').is_some_and(|(_, file)| file == "-");
        files::standard_input_once(args.rater.iter().filter(|rater| file(rater)).map(|_| "-"))?;
        let mut raters = Vec::new();
        for rater in &args.rater {
            let Some((name, file)) =
                rater.split_once('=').filter(|(name, file)| !name.is_empty() && !file.is_empty())
            else {
                return Err(bad(format!("`{rater}` is not NAME=FILE")).into());
            };
            raters.push((name.to_owned(), files::one(file)));
        }
        Inputs::Raters(raters)
    };
    let sources: Vec<Source> = match &inputs {
        Inputs::Pairs(sources) => sources.clone(),
        Inputs::Raters(raters) => raters.iter().map(|(_, source)| source.clone()).collect(),
    };
    let settings = Settings {
        truth: args.truth.clone(),
        lenient: args.gates.lenient,
        gates: args.gates.gates(),
        cases: args.report.cases("agreement"),
        tell: args.report.tell(),
        threads: args.gates.threads(),
    };
    let bar = progress::bar(&sources, terminal);
    let report = agreement::evaluate_with(&inputs, &settings, &|bytes| bar.inc(bytes));
    bar.finish_and_clear();
    Ok(Made { report: report?, instead: None })
}
