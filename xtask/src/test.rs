//! `cargo xtask test`: every test, as steps that say what they need and how long they took.

use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

use crate::setup::{self, Need};
use crate::{Outcome, browser, cargo, fuzz, root, run};

/// Which tests to run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// What answers within three minutes once it is built.
    Quick,
    /// Everything.
    Full,
}

/// One line of the table at the end.
struct Step {
    name: &'static str,
    /// The least extent that includes it.
    extent: Extent,
    needs: &'static [&'static Need],
    run: fn(Extent) -> Outcome,
}

const fn quick(name: &'static str, needs: &'static [&'static Need], run: fn(Extent) -> Outcome) -> Step {
    Step { name, extent: Extent::Quick, needs, run }
}

const fn full(name: &'static str, needs: &'static [&'static Need], run: fn(Extent) -> Outcome) -> Step {
    Step { name, extent: Extent::Full, needs, run }
}

/// The steps, in the order in which they run: what fails most often comes first.
const STEPS: [Step; 13] = [
    quick("build", &[], |_| cargo_test(&["--no-run"])),
    quick("units", &[], |_| cargo_test(&["--lib", "--bins", "--examples"])),
    quick("transcripts", &[], |_| cargo_test(&["--test", "snapshots", "--test", "readme"])),
    quick("oracles", &[&setup::PYTHON], oracles),
    full("integration", &[], |_| integration()),
    full("driven scripts", &[&setup::PYTHON], |_| cargo_test(&["--test", "run", "--", SCRIPTED])),
    full("documentation", &[], |_| cargo_test(&["--doc"])),
    full("examples", &[], |_| examples()),
    full("trec_eval", &[&setup::PYTHON, &setup::VENV, &setup::TREC_EVAL], |_| trec_eval()),
    full("junit", &[&setup::PYTHON, &setup::VENV, &setup::JUNIT], |_| junit()),
    full("statistics", &[&setup::PYTHON, &setup::VENV, &setup::STATISTICS], |_| statistics()),
    full("browser", &browser::NEEDS, |_| browser::run_tests()),
    full("fuzz", &[&setup::CXX], |_| fuzz::run(6)),
];

/// In the name of every test that asks an oracle in Python.
const ORACLE: &str = "the_oracle";
/// In the name of every test that drives a script in Python.
const SCRIPTED: &str = "a_reply_too_many";

/// Runs the steps that `flags` ask for.
pub(crate) fn run_steps(flags: &[&str]) -> Outcome {
    if let Some(unknown) = flags.iter().find(|flag| !["--quick", "--no-setup"].contains(flag)) {
        return Err(format!(
            "{unknown} is not a flag of test; usage: cargo xtask test [--quick] [--no-setup]"
        ));
    }
    let extent = if flags.contains(&"--quick") { Extent::Quick } else { Extent::Full };
    let wanted = |step: &&Step| extent == Extent::Full || step.extent == Extent::Quick;
    let steps: Vec<&Step> = STEPS.iter().filter(wanted).collect();
    if !flags.contains(&"--no-setup") {
        let needs: Vec<&Need> = steps.iter().flat_map(|step| step.needs).copied().collect();
        setup::provide(&needs)?;
    }
    let mut table = Table::default();
    let outcome = steps.into_iter().try_for_each(|step| table.run(step, extent));
    table.print();
    outcome?;
    // On a developer's machine a skipped step is a choice. CI has nobody to make it.
    let ci = env::var("CI").is_ok_and(|value| !matches!(value.as_str(), "" | "0" | "false"));
    if ci && !table.skipped.is_empty() { Err("CI skips no step".into()) } else { Ok(()) }
}

/// What became of every step.
#[derive(Default)]
struct Table {
    took: Vec<(&'static str, Duration)>,
    skipped: Vec<(&'static str, String)>,
}

impl Table {
    fn run(&mut self, step: &Step, extent: Extent) -> Outcome {
        let missing: Vec<&str> = step.needs.iter().filter(|need| !need.met()).map(|need| need.name).collect();
        if !missing.is_empty() {
            self.skipped.push((step.name, missing.join(", ")));
            return Ok(());
        }
        let begun = Instant::now();
        let outcome = (step.run)(extent);
        self.took.push((step.name, begun.elapsed()));
        outcome.map_err(|e| format!("{}: {e}", step.name))
    }

    fn print(&self) {
        eprintln!("\n{:<16} {:>7}", "step", "seconds");
        for (name, took) in &self.took {
            eprintln!("{name:<16} {:>7.1}", took.as_secs_f64());
        }
        let all: Duration = self.took.iter().map(|(_, took)| *took).sum();
        eprintln!("{:<16} {:>7.1}", "all", all.as_secs_f64());
        for (name, missing) in &self.skipped {
            eprintln!("skipped {name}: this machine does not have {missing}");
        }
    }
}

/// `cargo test` over the whole workspace: asking for one package would build its dependencies with other features.
fn cargo_test(args: &[&str]) -> Outcome {
    run(cargo().args(["test", "--quiet", "--workspace", "--locked"]).args(args))
}

/// Every integration test that is not of another step.
fn integration() -> Outcome {
    let others = ["--skip", ORACLE, "--skip", SCRIPTED, "--skip", "transcripts", "--skip", "readme"];
    cargo_test(&[&["--test", "*", "--"], &others[..]].concat())
}

fn oracles(extent: Extent) -> Outcome {
    let mut command = cargo();
    command.args([
        "test",
        "--quiet",
        "--workspace",
        "--locked",
        "--test",
        "oracle",
        "--test",
        "gold",
        ORACLE,
    ]);
    if extent == Extent::Quick {
        command.env("KARAT_ORACLE_SETS", "20");
    }
    run(&mut command)
}

/// The library's examples, which the tests have built.
fn examples() -> Outcome {
    ["score", "own_metric", "own_metric_retrieval"].iter().try_for_each(|example| {
        run(Command::new(root().join("target/debug/examples").join(example)).current_dir(root()))
    })
}

/// A script of tests/oracle, with the Python that has its packages.
fn oracle(script: &str) -> Command {
    let mut python = Command::new(setup::python());
    python.arg(root().join("tests/oracle").join(script));
    python
}

/// karat beside trec_eval itself, through pytrec_eval.
fn trec_eval() -> Outcome {
    run(oracle("trec.py").args(["--sets", "300", "--karat"]).arg(root().join("target/debug/karat")))
}

/// The JUnit files of tests/fixtures/rendered against a schema, and by a reader that is not ours.
fn junit() -> Outcome {
    let rendered = root().join("tests/fixtures/rendered");
    let files = fs::read_dir(&rendered).map_err(|e| format!("{}: {e}", rendered.display()))?;
    let files = files.filter_map(|file| Some(file.ok()?.path()));
    let files = files.filter(|file| file.to_string_lossy().ends_with(".junit.xml"));
    run(oracle("junit.py").arg(root().join("tests/fixtures/schemas/junit.xsd")).args(files))
}

/// The statistics of `karat compare` beside scipy's and statsmodels'.
fn statistics() -> Outcome {
    run(oracle("compare.py").args(["--sets", "200", "--karat"]).arg(root().join("target/debug/karat")))
}
