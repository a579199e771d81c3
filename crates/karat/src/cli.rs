//! What can be typed? The declarations that parsing, `--help`, the man page and shell completions come from.

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

use crate::commands::{
    Suites, check, compare, completions, explain, gold, init, man, merge, run, schema, suite, trend,
};

/// Decides whether a RAG pipeline may ship.
///
/// karat reads a gold set and the traces that the pipeline already logs, scores them with no model call, applies gates,
/// and says ship or no-ship, and why.
#[derive(Debug, Parser)]
#[command(name = "karat", version, max_term_width = 100, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours (NO_COLOR is heeded too)
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN", display_order = 900)]
    pub(crate) color: Color,

    /// No warnings and no progress bar; of the text report, the verdict alone
    #[arg(long, short, global = true, display_order = 901)]
    pub(crate) quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  karat answers --gold eval/gold.jsonl --trace runs/trace.jsonl
  karat explain precision
  karat explain gold/duplicate-id

Exit status: 0 all gates pass; 1 a gate failed or is inconclusive; 2 the input or the
call is wrong and nothing was scored.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Write a small working project: karat.toml, gold, traces of every suite, a CI workflow
    Init(init::Args),
    /// Run every suite of karat.toml: one table, one verdict (the CI command)
    Check(Box<check::Args>),
    /// Compare two reports case by case: differences, significance, what broke, whether it may ship
    Compare(Box<compare::Args>),
    /// Keep the gold set honest: lint, freeze, verify, diff
    Gold(gold::Args),
    /// Drive a pipeline, over HTTP or as a command, over the gold set and write its traces
    Run(Box<run::Args>),
    /// Merge partials of `--format partial` into the report of the undivided run
    Merge(merge::Args),
    /// Show how the figures moved from run to run: sparklines, csv, json, html
    Trend(Box<trend::Args>),
    /// Explain a metric, a label, a preset, a problem, or one case of a run
    Explain(explain::Args),
    /// Print the JSON Schema of a file karat reads or writes
    Schema(schema::Args),
    /// Print a completion script for a shell
    Completions(completions::Args),
    /// Print the manual page
    Man(man::Args),
}

/// The whole command: the verbs above, and one for each suite.
pub(crate) fn command(suites: Suites) -> clap::Command {
    /// `init` and `check` stand first, then the suites.
    const FIRST: usize = 2;
    let mut command = Cli::command();
    let others: Vec<String> = command.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    command = command.mut_subcommand("explain", |verb| suite::any(verb, suites, &["per_topic"]));
    // What is compared are traces: what they cannot be exchanged beside, and options that only show more, are left out.
    let left_out = ["traces", "run", "qrels", "complete", "latency_csv", "per_topic", "show_text"];
    let traced: Vec<_> = suites.iter().copied().filter(|suite| suite.key("traces").is_some()).collect();
    command = command.mut_subcommand("compare", |verb| suite::any(verb, &traced, &left_out));
    for (at, name) in others.iter().enumerate() {
        let at = if at < FIRST { at } else { at + suites.len() };
        command = command.mut_subcommand(name, |verb| verb.display_order(at));
    }
    let suites = suites.iter().enumerate();
    command.subcommands(suites.map(|(at, suite)| suite::command(suite).display_order(FIRST + at)))
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}
