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
use karat_engine::Suite;

/// Runs the command over a list of suites: karat's own, or more. Arguments come from the process, and what it has to say
/// goes to standard output and standard error.
pub fn run(suites: &'static [&'static Suite]) -> ExitCode {
    let matches = cli::command(suites).get_matches();
    let (color, quiet) = (matches.get_one("color").copied(), matches.get_flag("quiet"));
    let terminal = output::Terminal::new(color.unwrap_or(cli::Color::Auto), quiet);
    let Some((verb, typed)) = matches.subcommand() else { return ExitCode::from(commands::WRONG) };
    if let Some(suite) = suites.iter().find(|suite| suite.name == verb) {
        return commands::suite::run(suite, typed, &terminal);
    }
    match cli::Cli::from_arg_matches(&matches) {
        Ok(cli) => commands::run(cli.command, typed, suites, &terminal),
        Err(error) => error.exit(),
    }
}
