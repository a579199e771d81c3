//! `karat gold freeze`: from here on, no row of gold changes unnoticed.

use std::fs;
use std::path::{Path, PathBuf};

use karat_engine::problem::{self, Failure, Problem};
use karat_engine::text;
use karat_suites::config::Config;
use karat_suites::lock::{self, Changes, Lock, Signature};

use super::{Done, ProjectArgs, answer, places};
use crate::commands::Suites;
use crate::output::{DIM, GOOD, Terminal, folder_of, paint, write_whole};

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Gold files of any suite, or patterns [default: those of karat.toml, together with its gates]
    #[arg(value_name = "GOLD")]
    gold: Vec<String>,

    #[command(flatten)]
    project: ProjectArgs,

    /// The lock to write; an older one is replaced [default: karat.toml's, else gold.lock beside the first gold file]
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,

    /// Record who agrees to this content, and in which role (repeatable)
    #[arg(long, value_name = "NAME:ROLE")]
    sign: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  karat gold freeze
  karat gold freeze eval/gold.jsonl eval/retrieval.jsonl --lock eval/gold.lock
  karat gold freeze eval/gold.jsonl --sign 'Ada Lovelace:QA lead' --sign 'Alan Turing:domain expert'

Signatures belong to the content: freezing the same content again adds to them, freezing changed
content drops the old ones. Commit the lock; `karat gold verify` and `karat check` hold gold against it.

Exit status: 0 the lock is written; 2 the input or the call is wrong and nothing was written.";

pub(super) fn run(args: &Args, suites: Suites, terminal: &Terminal) -> Done {
    let signatures = signatures(&args.sign)?;
    let config = if args.gold.is_empty() { Some(args.project.read(suites)?) } else { None };
    let (gold, path) = places::gold_and_lock(config.as_ref(), &args.gold, args.lock.as_deref())?;
    writable(&path)?;
    let gates = config.as_ref().map(Config::gates);
    let mut lock = lock::freeze(&places::shown(gold, &path), gates.as_deref(), &signatures)?;
    let older = Lock::read(&path).ok().map(|older| (older.compare(&lock), older.signatures));
    if let Some((changes, signatures)) = &older
        && changes.is_empty()
    {
        lock.signatures.extend(signatures.iter().cloned());
        lock.signatures.sort();
        lock.signatures.dedup();
    }
    write_whole(&path, &lock.text()).map_err(|message| bad(&path, message))?;

    let color = terminal.color_out();
    let (rows, files) = (text::count(lock.rows(), "row"), text::count(lock.gold.len() as u64, "file"));
    let (word, name) = (paint(GOOD, "FROZEN", color), path.display().to_string());
    let mut out = format!("{word}  {rows} of {files} in {}\n", text::visible(&name));
    if !terminal.quiet {
        details(&lock, older, color).iter().for_each(|line| out.push_str(&format!("  {line}\n")));
    }
    Ok(answer(&out, 0, terminal))
}

/// What was frozen, who signed it, and what changed since the older lock.
fn details(lock: &Lock, older: Option<(Changes, Vec<Signature>)>, color: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for file in &lock.gold {
        lines.push(format!("{}  {}", text::visible(&file.path), text::count(file.rows, "row")));
        lines.push(paint(DIM, &format!("sha256 {}", file.sha256), color));
    }
    if let Some(gates) = &lock.gates {
        lines.push(format!("gates  {}", text::count(gates.lines.len() as u64, "line")));
    }
    let signed: Vec<String> = lock.signatures.iter().map(|s| format!("{} ({})", s.name, s.role)).collect();
    lines.push(format!("signed by {}", if signed.is_empty() { "nobody".into() } else { signed.join(", ") }));
    match older {
        Some((changes, _)) if changes.is_empty() => lines.push("nothing changed since the older lock".into()),
        Some((changes, dropped)) => {
            let [added, removed, changed] = changes.totals().map(text::group);
            lines.push(format!("since the older lock: {added} added, {removed} removed, {changed} changed"));
            if changes.gates_changed {
                lines.push("the gates changed too".into());
            }
            if !dropped.is_empty() {
                let signatures = text::count(dropped.len() as u64, "older signature");
                lines.push(format!("{signatures} dropped: the content is another"));
            }
        }
        None => {}
    }
    lines.push("commit it; `karat gold verify` holds gold against it".into());
    lines
}

fn signatures(signed: &[String]) -> Result<Vec<Signature>, Failure> {
    let (mut signatures, mut problems) = (Vec::new(), Vec::new());
    for signed in signed {
        match Signature::parse(signed) {
            Some(signature) => signatures.push(signature),
            None => {
                let message = format!("`{}` is not NAME:ROLE", text::visible(signed));
                problems.push(Problem::of_file(&problem::SIGNATURE_INVALID, "--sign", message));
            }
        }
    }
    if problems.is_empty() { Ok(signatures) } else { Err(Failure::new(problems)) }
}

/// Makes sure before the work that a lock may be written there: nothing else is overwritten.
fn writable(path: &Path) -> Result<(), Failure> {
    if !folder_of(path).is_dir() {
        let message = format!("the folder {} does not exist; create it first", folder_of(path).display());
        return Err(bad(path, message));
    }
    match fs::read(path) {
        Ok(there) if !there.is_empty() && !is_lock(&there) => {
            Err(bad(path, "this file is there and is no lock; name another one with --lock".into()))
        }
        Ok(_) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(bad(path, format!("it cannot be written over: {e}"))),
    }
}

/// Whether a file says that it is a lock; one that a merge broke still does.
fn is_lock(bytes: &[u8]) -> bool {
    bytes.windows(b"karat.lock/".len()).take(4096).any(|window| window == b"karat.lock/")
}

fn bad(path: &Path, message: String) -> Failure {
    Problem::of_file(&problem::LOCK_INVALID, &path.display().to_string(), message).into()
}
