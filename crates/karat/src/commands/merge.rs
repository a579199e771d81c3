//! `karat merge`: the parts of a run become the report of the whole.

use std::process::ExitCode;

use karat_engine::input::Source;
use karat_suites::partial::{Partial, merge};
use karat_suites::suites::answers;

use super::Suites;

use super::report::ReportArgs;
use crate::output::Terminal;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Partials, in the order of their traces: the last trace of a case counts
    #[arg(required = true, value_name = "PART")]
    parts: Vec<String>,

    /// Where the gold set is, if no longer where the partials say
    #[arg(long, value_name = "FILE")]
    gold: Option<String>,

    #[command(flatten)]
    report: ReportArgs,
}

const EXAMPLES: &str = "\
Examples:
  ls logs/*.jsonl | xargs -P 8 -I{} sh -c \\
      'karat answers --gold gold.jsonl --trace {} --format partial > {}.partial'
  karat merge logs/*.partial

Exit status: as of the undivided run.";

pub(crate) fn run(args: &Args, suites: Suites, terminal: &Terminal) -> ExitCode {
    if args.report.wants_partial() {
        return super::fail("a merged report cannot be written as a partial again", terminal);
    }
    let inputs: Vec<String> = args.parts.iter().chain(&args.gold).cloned().collect();
    args.report.run(terminal, &inputs, || {
        let mut parts = Vec::new();
        for argument in &args.parts {
            for source in Source::expand(argument)? {
                let name = source.name().to_string();
                parts.push((name.clone(), Partial::parse(&name, &source.text()?)?));
            }
        }
        let wanted = (args.report.cases(&answers::SUITE), args.report.detail());
        Ok(merge(parts, args.gold.as_ref().map(Source::file), wanted, suites)?.into())
    })
}
