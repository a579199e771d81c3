//! `karat gold`: is the gold set sound, is it the one that was agreed on, and what changed in it?

mod diff;
mod freeze;
mod lint;
pub(crate) mod places;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Subcommand, ValueEnum};
use karat_engine::problem::{self, Failure, Problem};
use karat_suites::config::Config;

use super::{Suites, answer, refuse};
use crate::config;
use crate::output::Terminal;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  karat gold lint eval/gold.jsonl
  karat gold freeze --sign 'Ada Lovelace:QA lead'
  karat gold verify eval/gold.jsonl
  git show main:eval/gold.jsonl | karat gold diff - eval/gold.jsonl";

/// Which project's gold is meant where no file is named.
#[derive(Debug, clap::Args)]
struct ProjectArgs {
    /// The configuration that names the gold files if none is given here
    #[arg(long, value_name = "FILE", default_value = config::NAME)]
    config: PathBuf,
}

impl ProjectArgs {
    /// The project's configuration; it must name gold.
    fn read(&self, suites: Suites) -> Result<Config, Failure> {
        let config = config::read(&self.config, suites)?;
        if config.locked_files().is_empty() {
            let (name, message) = (self.config.display().to_string(), "it names no gold file");
            let problem = Problem::of_file(&problem::CONFIG_INVALID, &name, message);
            let expected = "expected `path` in [gold], or `gold` or `qrels` in a suite".into();
            return Err(Problem { expected, ..problem }.into());
        }
        Ok(config)
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what is wrong with a gold set, and what makes it weaker than it looks
    Lint(lint::Args),
    /// Write gold.lock: the hash of every row, so that no row changes unnoticed
    Freeze(freeze::Args),
    /// Check whether gold is still what was frozen, and list the rows that are not
    Verify(verify::Args),
    /// Show which rows of two gold sets differ, and in which fields
    Diff(diff::Args),
}

/// How a verb of gold may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Answer {
    /// For people
    Text,
    /// For scripts
    Json,
}

pub(crate) fn run(args: &Args, suites: Suites, terminal: &Terminal) -> ExitCode {
    let (done, undone) = match &args.command {
        Command::Freeze(args) => (freeze::run(args, suites, terminal), "nothing was written"),
        Command::Verify(args) => (verify::run(args, suites, terminal), "nothing was verified"),
        Command::Lint(args) => (lint::run(args, suites, terminal), "nothing was linted"),
        Command::Diff(args) => (diff::run(args, terminal), "nothing was compared"),
    };
    done.unwrap_or_else(|failure| refuse(&failure, undone, terminal))
}

type Done = Result<ExitCode, Failure>;
