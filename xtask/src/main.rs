//! karat's own chores.
//!
//! ```text
//! cargo xtask codegen            write the registries' lists, the reference pages and the schemas
//! cargo xtask test               every test, the examples, and a minute of fuzzing; says what it installs first
//!     --quick                    units, transcripts and 20 sets of each oracle: under three minutes once built
//!     --no-setup                 installs nothing, runs what it can, and lists what it skipped
//! cargo xtask browser            the html report in a real browser; installs what it needs
//! cargo xtask gallery            docs/img: screenshots of the html report
//! cargo xtask fuzz [SECONDS]     fuzz each target for so many seconds (15)
//! cargo xtask bench [SUITE] [quick]  karat beside Python, orjson, DuckDB and Polars; writes docs/benchmarks*.md;
//!                                    SUITE is answers, release, retrieval or stability, else all
//! cargo xtask instructions       how many instructions a trace costs; writes docs/instructions.md
//! ```
#![allow(clippy::print_stderr)]

mod bench;
mod browser;
mod codegen;
mod fuzz;
mod setup;
mod test;

use std::process::{Command, ExitCode};

/// What went wrong, for people.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args[..] {
        ["codegen"] => codegen::write(),
        ["test", ref flags @ ..] => test::run_steps(flags),
        ["browser"] => browser::test(),
        ["gallery"] => browser::gallery(),
        ["bench", ref rest @ ..] => bench::run_all(rest),
        ["floor", kind, threads, file] => bench::floor::run(kind, threads.parse().unwrap_or(1), file),
        ["instructions"] => bench::instructions::count(),
        ["fuzz"] => fuzz::run(15),
        ["fuzz", seconds] => {
            seconds.parse().map_err(|_| format!("{seconds} is no number")).and_then(fuzz::run)
        }
        _ => Err(
            "usage: cargo xtask codegen | test [--quick] [--no-setup] | browser | gallery | fuzz [SECONDS] | bench [SUITE] [quick] | instructions"
                .into(),
        ),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The cargo that runs this, in the project's folder.
pub(crate) fn cargo() -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root());
    cargo
}

/// The project's folder.
pub(crate) fn root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Runs a command to its end; a failure names it.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let line = format!(
        "{} {}",
        command.get_program().to_string_lossy(),
        command.get_args().map(|a| a.to_string_lossy()).collect::<Vec<_>>().join(" ")
    );
    eprintln!("xtask: {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{line}: {status}")),
        Err(e) => Err(format!("{line}: {e}")),
    }
}
