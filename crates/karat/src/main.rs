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

use clap::Parser;

// Two threads that collect a list a line spend their time in the system allocator's locks; see docs/dependencies.md.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let terminal = output::Terminal::new(cli.color, cli.quiet);
    commands::run(cli.command, &terminal)
}
