//! `karat init`: a small working project of every suite, to try and to change.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use karat_engine::request::{Cache, RunContext};
use karat_suites::check;

use super::{Stop, Suites, answer};
use crate::config;
use crate::output::Terminal;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  karat init && karat check\n  karat init eval-demo\n\nWhere a file of the example exists already nothing is written (exit 2)."
)]
pub(crate) struct Args {
    /// The folder
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../project/", $name)))),*]
    };
}

/// What is laid down, beside the workflow and the lock.
const FILES: &[(&str, &str)] = files! {
    "karat.toml"
    "eval/gold.jsonl"
    "eval/blocks.jsonl"
    "eval/retrieval.jsonl"
    "eval/evidence.jsonl"
    "eval/release.jsonl"
    "runs/trace.jsonl"
    "runs/timed.jsonl"
    "runs/repeated.jsonl"
    "runs/shadow.jsonl"
    "runs/live.jsonl"
    "runs/paths.jsonl"
    "runs/ratings.jsonl"
};

const WORKFLOW: (&str, &str) = (".github/workflows/karat.yml", include_str!("../../project/workflow.yml"));
const LOCK: &str = "eval/gold.lock";

pub(crate) fn run(args: &Args, suites: Suites, terminal: &Terminal) -> ExitCode {
    let written = match lay_down(&args.folder, suites) {
        Ok(written) => written,
        Err(stop) => return stop.end(terminal),
    };
    let folder = args.folder.display();
    let (place, enter) = match args.folder == Path::new(".") {
        true => (String::new(), String::new()),
        false => (format!(" in {folder}"), format!("cd {folder} && ")),
    };
    let mut said = format!("Wrote {} files{place}:\n", written.len());
    written.iter().for_each(|name| said.push_str(&format!("  {name}\n")));
    said.push_str(&format!("\nNext: {enter}karat check\nThen put your own gold into eval/, your own traces into runs/, and `karat gold freeze`.\n"));
    answer(if terminal.quiet { "" } else { &said }, 0, terminal)
}

fn lay_down(folder: &Path, suites: Suites) -> Result<Vec<&'static str>, Stop> {
    let names: Vec<&str> = FILES.iter().chain([&WORKFLOW]).map(|(name, _)| *name).chain([LOCK]).collect();
    // A link that leads nowhere is in the way, too, and a file where a folder has to be.
    let in_the_way = |path: &Path| path.symlink_metadata().is_ok();
    let paths: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    let mut blocked: Vec<&Path> = paths.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    blocked.sort();
    blocked.dedup();
    blocked.retain(|path| in_the_way(path) && !path.is_dir());
    let taken = paths.iter().map(PathBuf::as_path).filter(|path| in_the_way(path));
    let taken: Vec<String> = taken.chain(blocked).map(|path| path.display().to_string()).collect();
    if !taken.is_empty() {
        let verb = if taken.len() == 1 { "exists" } else { "exist" };
        return Err(Stop::Call(format!(
            "{} {verb} already: nothing was written; name another folder, or move it away",
            taken.join(", ")
        )));
    }
    for (name, text) in FILES.iter().chain([&WORKFLOW]) {
        write(&folder.join(name), text)?;
    }
    let path = folder.join(config::NAME);
    let read = config::read(&path, suites)?;
    let lock = read.gold.file("lock").unwrap_or_else(|| folder.join(LOCK));
    let context = RunContext { cache: &Cache::default(), progress: &|_| {} };
    let frozen = check::freeze(&read, &lock, &[], &context)?;
    write(&lock, &frozen.text())?;
    Ok(names)
}

/// Writes a new file; one that appeared meanwhile is left alone.
fn write(path: &Path, text: &str) -> Result<(), Stop> {
    let failed = |e: std::io::Error| Stop::Call(format!("{}: {e}", path.display()));
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path).map_err(failed)?;
    std::io::Write::write_all(&mut file, text.as_bytes()).map_err(failed)
}
