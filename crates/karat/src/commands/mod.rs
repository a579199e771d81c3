//! One file a verb.

use std::process::ExitCode;

use crate::cli::Command;
use crate::output::Terminal;

pub(crate) mod agreement;
pub(crate) mod answers;
pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod explain;
pub(crate) mod files;
pub(crate) mod gold;
pub(crate) mod init;
pub(crate) mod latency;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod release;
pub(crate) mod report;
pub(crate) mod retrieval;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod stability;
pub(crate) mod trend;

/// The exit status of a wrong input or call.
pub(crate) const WRONG: u8 = 2;

pub(crate) fn run(command: Command, terminal: &Terminal) -> ExitCode {
    match command {
        Command::Answers(args) => answers::run(&args, terminal),
        Command::Agreement(args) => agreement::run(&args, terminal),
        Command::Latency(args) => latency::run(&args, terminal),
        Command::Release(args) => release::run(&args, terminal),
        Command::Retrieval(args) => retrieval::run(&args, terminal),
        Command::Compare(args) => compare::run(&args, terminal),
        Command::Gold(args) => gold::run(&args, terminal),
        Command::Stability(args) => stability::run(&args, terminal),
        Command::Run(args) => run::run(&args, terminal),
        Command::Init(args) => init::run(&args, terminal),
        Command::Check(args) => check::run(&args, terminal),
        Command::Merge(args) => merge::run(&args, terminal),
        Command::Trend(args) => trend::run(&args, terminal),
        Command::Explain(args) => explain::run(&args, terminal),
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
    terminal.complain(&format!("karat: {}\n", karat_core::text::visible(message)));
    ExitCode::from(WRONG)
}
