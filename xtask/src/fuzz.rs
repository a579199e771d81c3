//! Builds the fuzz targets with coverage and runs each for a while.
//!
//! The targets are cargo-fuzz's own layout (`cargo +nightly fuzz run answer_json` works too), but its instrumentation
//! flags are stable ones, so no nightly toolchain and no installed tool are needed here. Without the address sanitiser:
//! the code is safe Rust, and what is looked for are panics, hangs and memory without bound.

use std::process::Command;
use std::{env, fs};

use crate::{Outcome, cargo, root};

const TARGETS: [&str; 10] = [
    "answer_json",
    "cited_text",
    "gates",
    "json",
    "ranked",
    "ratings",
    "repeated",
    "staged",
    "timed",
    "trec",
];

const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions -Ccodegen-units=1 --cfg fuzzing";

fn run_all(host: &str, seconds: u32) -> Outcome {
    for target in TARGETS {
        let corpus = root().join("fuzz/corpus").join(target);
        fs::create_dir_all(&corpus).map_err(|e| e.to_string())?;
        let binary = root().join("fuzz/target").join(host).join("release").join(target);
        let mut fuzzer = Command::new(binary);
        fuzzer.current_dir(root().join("fuzz")).arg(corpus).arg(format!("seeds/{target}"));
        fuzzer.args([
            &format!("-max_total_time={seconds}"),
            "-timeout=10",
            "-rss_limit_mb=1024",
            "-max_len=4096",
        ]);
        fuzzer.args([
            "-print_final_stats=1",
            "-verbosity=0",
            &format!("-artifact_prefix=artifacts/{target}-"),
        ]);
        fs::create_dir_all(root().join("fuzz/artifacts")).map_err(|e| e.to_string())?;
        eprintln!("xtask: fuzzing {target} for {seconds} s");
        let out = fuzzer.output().map_err(|e| format!("{target}: {e}"))?;
        let said = String::from_utf8_lossy(&out.stderr);
        if !out.status.success() {
            return Err(format!("{target} found something:\n{said}"));
        }
        said.lines()
            .filter(|line| line.starts_with("stat::number_of_executed"))
            .for_each(|line| eprintln!("  {line}"));
    }
    Ok(())
}

pub(crate) fn run(seconds: u32) -> Outcome {
    let host = host()?;
    let mut build = cargo();
    build.args(["build", "--release", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--target", &host]);
    run_build(build.env("RUSTFLAGS", COVERAGE).env("CARGO_TARGET_DIR", root().join("fuzz/target")))?;
    run_all(&host, seconds)
}

fn run_build(build: &mut Command) -> Outcome {
    crate::run(build).map_err(|e| format!("{e}\n(libFuzzer is C++: is a C++ compiler installed?)"))
}

/// The triple of this machine; named, so that build scripts are not instrumented.
fn host() -> Result<String, String> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("-vV").output().map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&version.stdout).into_owned();
    text.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .ok_or("rustc names no host".into())
}
