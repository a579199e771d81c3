//! karat: decides whether a RAG pipeline may ship.
//!
//! Exit status: 0 all gates pass; 1 a gate failed or is inconclusive; 2 the input or the call is wrong and nothing was
//! scored.

mod cli;
mod commands;
mod config;
mod history;
mod output;
mod problems;
mod progress;
mod trend;

use std::process::ExitCode;

use clap::FromArgMatches;
use karat_suites::suites;

// Two threads that collect a list a line spend their time in the system allocator's locks; see docs/dependencies.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let matches = cli::command().get_matches();
    let (color, quiet) = (matches.get_one("color").copied(), matches.get_flag("quiet"));
    let terminal = output::Terminal::new(color.unwrap_or(cli::Color::Auto), quiet);
    let Some((verb, typed)) = matches.subcommand() else { return ExitCode::from(commands::WRONG) };
    if let Some(suite) = suites::ALL.iter().find(|suite| suite.name == verb) {
        return commands::suite::run(suite, typed, &terminal);
    }
    match cli::Cli::from_arg_matches(&matches) {
        Ok(cli) => commands::run(cli.command, typed, &terminal),
        Err(error) => error.exit(),
    }
}
