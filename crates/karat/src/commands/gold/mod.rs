//! `karat gold`: is the gold set sound, is it the one that was agreed on, and what changed in it?

mod diff;
mod freeze;
mod lint;
mod places;
mod verify;

use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use clap::{Subcommand, ValueEnum};
use karat_core::problem::Failure;

use super::WRONG;
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
  karat gold freeze eval/gold.jsonl --sign 'Ada Lovelace:QA lead'
  karat gold verify eval/gold.jsonl
  git show main:eval/gold.jsonl | karat gold diff - eval/gold.jsonl";

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
