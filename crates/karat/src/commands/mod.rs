//! The verbs, one file each.

use std::process::ExitCode;

use clap::ArgMatches;
use karat_engine::Suite;
use karat_engine::problem::Failure;

use crate::cli::Command;
use crate::output::Terminal;
use crate::problems;

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

/// The suites that there are.
pub(crate) type Suites = &'static [&'static Suite];

/// The exit status of a wrong input or call.
pub(crate) const WRONG: u8 = 2;

/// Runs a verb; `matches` is what was typed after it.
pub(crate) fn run(command: Command, matches: &ArgMatches, suites: Suites, terminal: &Terminal) -> ExitCode {
    match command {
        Command::Compare(args) => compare::run(&args, matches, suites, terminal),
        Command::Gold(args) => gold::run(&args, suites, terminal),
        Command::Run(args) => run::run(&args, terminal),
        Command::Init(args) => init::run(&args, suites, terminal),
        Command::Check(args) => check::run(&args, suites, terminal),
        Command::Merge(args) => merge::run(&args, suites, terminal),
        Command::Trend(args) => trend::run(&args, suites, terminal),
        Command::Explain(args) => explain::run(&args, matches, suites, terminal),
        Command::Schema(args) => show(schema::run(&args, suites), terminal),
        Command::Completions(args) => show(Ok(completions::run(&args, suites)), terminal),
        Command::Man(args) => show(man::run(&args, suites), terminal),
    }
}

/// Prints what a verb has to say, or why it cannot.
fn show(said: Result<String, String>, terminal: &Terminal) -> ExitCode {
    match said {
        Ok(text) => answer(&text, 0, terminal),
        Err(text) => fail(&text, terminal),
    }
}

/// Prints an answer and ends with `status`.
fn answer(text: &str, status: u8, terminal: &Terminal) -> ExitCode {
    match terminal.print(text) {
        Ok(()) => ExitCode::from(status),
        Err(e) => fail(&format!("standard output: {e}"), terminal),
    }
}

/// Shows what is wrong with the input; `outcome` says what was not done because of it.
fn refuse(failure: &Failure, outcome: &str, terminal: &Terminal) -> ExitCode {
    terminal.complain(&problems::render_for(failure, outcome, terminal.color_err()));
    ExitCode::from(WRONG)
}

/// Why a verb cannot do its work.
enum Stop {
    /// The call is wrong, or a file cannot be written.
    Call(String),
    /// An input is wrong.
    Input(Failure),
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Stop::Input(failure)
    }
}

impl Stop {
    /// Says what is wrong.
    fn end(&self, terminal: &Terminal) -> ExitCode {
        match self {
            Stop::Call(message) => fail(message, terminal),
            Stop::Input(failure) => refuse(failure, "nothing was scored", terminal),
        }
    }
}

pub(crate) fn fail(message: &str, terminal: &Terminal) -> ExitCode {
    terminal.complain(&format!("karat: {}\n", karat_engine::text::visible(message)));
    ExitCode::from(WRONG)
}
