//! One file a verb.

use std::process::ExitCode;

use clap::ArgMatches;

use crate::cli::Command;
use crate::output::Terminal;

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod files;
pub(crate) mod gold;
pub(crate) mod init;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod suite;
pub(crate) mod trend;

/// The exit status of a wrong input or call.
pub(crate) const WRONG: u8 = 2;

/// Runs a verb; `matches` is what was typed after it.
pub(crate) fn run(command: Command, matches: &ArgMatches, terminal: &Terminal) -> ExitCode {
    match command {
        Command::Compare(args) => compare::run(&args, matches, terminal),
        Command::Gold(args) => gold::run(&args, terminal),
        Command::Run(args) => run::run(&args, terminal),
        Command::Init(args) => init::run(&args, terminal),
        Command::Check(args) => check::run(&args, terminal),
        Command::Merge(args) => merge::run(&args, terminal),
        Command::Trend(args) => trend::run(&args, terminal),
        Command::Explain(args) => explain::run(&args, matches, terminal),
        Command::Schema(args) => show(schema::run(&args), terminal),
        Command::Completions(args) => show(Ok(completions::run(&args)), terminal),
        Command::Man(args) => show(man::run(&args), terminal),
    }
}

/// Prints what a verb has to say, or why it cannot.
fn show(said: Result<String, String>, terminal: &Terminal) -> ExitCode {
    match said {
        Ok(text) => match terminal.print(&text) {
            Ok(()) => ExitCode::SUCCESS,
            Err(e) => fail(&format!("standard output: {e}"), terminal),
        },
        Err(text) => fail(&text, terminal),
    }
}

pub(crate) fn fail(message: &str, terminal: &Terminal) -> ExitCode {
    terminal.complain(&format!("karat: {}\n", karat_engine::text::visible(message)));
    ExitCode::from(WRONG)
}
