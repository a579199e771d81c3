//! karat's own chores.
//!
//! ```text
//! cargo xtask codegen            write the registries' lists, the reference pages and the schemas
//! cargo xtask test               every test, the examples, and a minute of fuzzing; installs what it needs
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

use std::process::{Command, ExitCode};

/// What went wrong, for people.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args[..] {
        ["codegen"] => codegen::write(),
        ["test"] => test(),
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
            "usage: cargo xtask codegen | test | browser | gallery | fuzz [SECONDS] | bench [SUITE] [quick] | instructions"
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

/// Every test that there is.
fn test() -> Outcome {
    need_python()?;
    run(cargo().args(["test", "--workspace", "--locked"]))?;
    // The tests have built them: to ask for one package would build its dependencies once more.
    for example in ["score", "own_metric"] {
        run(Command::new(root().join("target/debug/examples").join(example)).current_dir(root()))?;
    }
    trec()?;
    junit()?;
    compare()?;
    browser::test()?;
    fuzz::run(6)
}

/// karat beside trec_eval itself, through pytrec_eval, from a virtual environment under target/.
fn trec() -> Outcome {
    let folder = root().join("target/trec");
    let python = folder.join("bin/python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "pytrec_eval-terrier"]))?;
    }
    run(Command::new(python)
        .arg(root().join("tests/oracle/trec.py"))
        .args(["--sets", "300", "--karat"])
        .arg(root().join("target/debug/karat")))
}

/// The JUnit files of tests/fixtures/rendered against a schema, and by a reader that is not ours.
fn junit() -> Outcome {
    let folder = root().join("target/junit");
    let python = folder.join("bin/python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "lxml", "junitparser"]))?;
    }
    let rendered = root().join("tests/fixtures/rendered");
    let files = std::fs::read_dir(&rendered).map_err(|e| format!("{}: {e}", rendered.display()))?;
    let files = files.filter_map(|file| Some(file.ok()?.path()));
    let files = files.filter(|file| file.to_string_lossy().ends_with(".junit.xml"));
    run(Command::new(python)
        .arg(root().join("tests/oracle/junit.py"))
        .arg(root().join("tests/fixtures/schemas/junit.xsd"))
        .args(files))
}

/// The statistics of `karat compare` beside scipy's and statsmodels', from a virtual environment under target/.
fn compare() -> Outcome {
    let folder = root().join("target/scipy");
    let python = folder.join("bin/python");
    if !python.exists() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "scipy>=1.15", "statsmodels"]))?;
    }
    run(Command::new(python)
        .arg(root().join("tests/oracle/compare.py"))
        .args(["--sets", "200", "--karat"])
        .arg(root().join("target/debug/karat")))
}

/// The oracle is written in Python; a Debian machine gets it, any other is told.
fn need_python() -> Outcome {
    need("python3", &["python3-minimal"])?;
    let modules = || Command::new("python3").args(["-c", "import ensurepip, venv"]).output();
    let has_venv = || modules().is_ok_and(|out| out.status.success());
    if !has_venv() && there("apt-get") {
        install("python3-venv", &["python3-venv"])?;
    }
    if has_venv() {
        Ok(())
    } else {
        Err("python3's venv is needed: the parity with trec_eval is asked through it".into())
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

pub(crate) fn there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|out| out.status.success())
}

/// A Debian machine gets what is missing, any other is told.
pub(crate) fn need(program: &str, packages: &[&str]) -> Outcome {
    if !there(program) && there("apt-get") {
        install(program, packages)?;
    }
    if there(program) { Ok(()) } else { Err(format!("{program} is needed")) }
}

fn install(what: &str, packages: &[&str]) -> Outcome {
    eprintln!("xtask: installing {what}, which is needed");
    run(Command::new("apt-get").arg("update"))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(packages);
    run(install.env("DEBIAN_FRONTEND", "noninteractive"))
}
