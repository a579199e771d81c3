//! `karat gold`: is the gold set sound, is it the one that was agreed on, and what changed in it?

mod diff;
mod freeze;
mod lint;
pub(crate) mod places;
mod verify;

use std::path::PathBuf;
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::{Subcommand, ValueEnum};
use karat_engine::problem::{self, Failure, Problem};
use karat_suites::config::Config;

use super::WRONG;
use crate::config;
use crate::output::Terminal;
use crate::problems;

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
    /// The configuration that names the gold files where none is named here
    #[arg(long, value_name = "FILE", default_value = config::NAME)]
    config: PathBuf,
}

impl ProjectArgs {
    /// The project's configuration; it must name gold.
    fn read(&self) -> Result<Config, Failure> {
        let config = config::read(&self.config)?;
        if config.locked_files().is_empty() {
            let name = self.config.display().to_string();
            let message = "it names no gold file";
            let mut problem = Problem::of_file(&problem::CONFIG_INVALID, &name, message);
            problem.expected = "expected `path` in [gold], or `gold` or `qrels` in a suite".into();
            return Err(problem.into());
        }
        Ok(config)
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Say what is wrong with a gold set, and what makes it weaker than it looks
    Lint(lint::Args),
    /// Write gold.lock: the hash of every row, so that no row changes unseen
    Freeze(freeze::Args),
    /// Say whether gold is still what was frozen, and which rows are not
    Verify(verify::Args),
    /// Show which rows of two gold sets differ, and in which fields
    Diff(diff::Args),
}

impl Command {
    /// What it has not done when it fails.
    fn undone(&self) -> &'static str {
        match self {
            Command::Freeze(_) => "nothing was written",
            Command::Verify(_) => "nothing was verified",
            Command::Lint(_) => "nothing was linted",
            Command::Diff(_) => "nothing was compared",
        }
    }
}

/// How a verb of gold may answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Answer {
    /// For people
    Text,
    /// For scripts
    Json,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let done = match &args.command {
        Command::Freeze(args) => freeze::run(args, terminal),
        Command::Verify(args) => verify::run(args, terminal),
        Command::Lint(args) => lint::run(args, terminal),
        Command::Diff(args) => diff::run(args, terminal),
    };
    match done {
        Ok(status) => status,
        Err(failure) => {
            terminal.complain(&problems::render_for(&failure, args.command.undone(), terminal.color_err()));
            ExitCode::from(WRONG)
        }
    }
}

/// Prints an answer and ends with `status`.
fn answer(text: &str, status: u8, terminal: &Terminal) -> ExitCode {
    match terminal.print(text) {
        Ok(()) => ExitCode::from(status),
        Err(e) => super::fail(&format!("standard output: {e}"), terminal),
    }
}

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const UNSURE: Style = AnsiColor::Yellow.on_default().bold();
const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

fn paint(style: Style, text: &str, color: bool) -> String {
    if color { format!("{style}{text}{style:#}") } else { text.to_owned() }
}

type Done = Result<ExitCode, Failure>;
