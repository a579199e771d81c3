//! `karat gold freeze`: from here on, no row of gold changes unseen.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use karat_core::config::Config;
use karat_core::input::Source;
use karat_core::lock::{self, Lock, Signature};
use karat_core::problem::{self, Failure, Problem};
use karat_core::text;

use super::{Done, ProjectArgs, answer, places};
use crate::output::{DIM, GOOD, Terminal, folder_of, paint, write_whole};

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Gold files of any suite, or patterns [default: those of karat.toml, and its gates with them]
    #[arg(value_name = "GOLD")]
    gold: Vec<String>,

    #[command(flatten)]
    project: ProjectArgs,

    /// The lock to write, over an older one [default: karat.toml's, else gold.lock beside the first gold file]
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,

    /// Record who agrees to this content, and as what (repeatable)
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

pub(super) fn run(args: &Args, terminal: &Terminal) -> Done {
    let signatures = signatures(&args.sign)?;
    let config = if args.gold.is_empty() { Some(args.project.read()?) } else { None };
    let gold = match &config {
        Some(config) => config.locked_files().into_iter().map(Source::file).collect(),
        None => places::gold(&args.gold)?,
    };
    let named = args.lock.clone().or(config.as_ref().and_then(|config| config.gold.file("lock")));
    let path = places::lock(named.as_deref(), &gold);
    writable(&path)?;
    let gates = config.as_ref().map(Config::gates);
    let mut lock = lock::freeze(&places::shown(gold, &path), gates.as_deref(), &signatures)?;
    let older = Lock::read(&path).ok();
    let changes = older.as_ref().map(|older| older.compare(&lock));
    if let (Some(older), Some(changes)) = (&older, &changes)
        && changes.is_empty()
    {
        lock.signatures.extend(older.signatures.iter().cloned());
        lock.signatures.sort();
        lock.signatures.dedup();
    }
    write_whole(&path, &lock.text()).map_err(|message| bad(&path, message))?;

    let mut out = String::new();
    let color = terminal.color_out();
    let what =
        format!("{} of {}", text::count(lock.rows(), "row"), text::count(lock.gold.len() as u64, "file"));
    let _ = writeln!(out, "{}  {what} in {}", paint(GOOD, "FROZEN", color), shown(&path));
    if !terminal.quiet {
        for file in &lock.gold {
            let rows = text::count(file.rows, "row");
            let _ = writeln!(out, "  {}  {rows}", text::visible(&file.path));
            let _ = writeln!(out, "  {}", paint(DIM, &format!("sha256 {}", file.sha256), color));
        }
        if let Some(gates) = &lock.gates {
            let _ = writeln!(out, "  gates  {}", text::count(gates.lines.len() as u64, "line"));
        }
        let signed: Vec<String> =
            lock.signatures.iter().map(|s| format!("{} ({})", s.name, s.role)).collect();
        let signed = if signed.is_empty() { "nobody".to_owned() } else { signed.join(", ") };
        let _ = writeln!(out, "  signed by {signed}");
        match changes {
            Some(changes) if changes.is_empty() => out.push_str("  nothing changed since the older lock\n"),
            Some(changes) => {
                let [added, removed, changed] = changes.totals().map(text::group);
                let _ = writeln!(
                    out,
                    "  since the older lock: {added} added, {removed} removed, {changed} changed"
                );
                if changes.gates_changed {
                    out.push_str("  the gates changed too\n");
                }
                let dropped = older.map_or(0, |older| older.signatures.len() as u64);
                if dropped > 0 {
                    let signatures = text::count(dropped, "older signature");
                    let _ = writeln!(out, "  {signatures} dropped: the content is another");
                }
            }
            None => {}
        }
        let _ = writeln!(out, "  commit it; `karat gold verify` holds gold against it");
    }
    Ok(answer(&out, 0, terminal))
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

/// Makes sure before the work that a lock may stand there: nothing else is written over.
fn writable(path: &Path) -> Result<(), Failure> {
    if !folder_of(path).is_dir() {
        let message = format!("the folder {} does not exist; create it first", folder_of(path).display());
        return Err(bad(path, message));
    }
    match fs::read(path) {
        Ok(there) if !there.is_empty() && memchr_lock(&there).is_none() => {
            Err(bad(path, "this file is there and is no lock; name another one with --lock".into()))
        }
        Ok(_) => Ok(()),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(bad(path, format!("it cannot be written over: {e}"))),
    }
}

/// Where a file says that it is a lock; one that a merge broke still does.
fn memchr_lock(bytes: &[u8]) -> Option<usize> {
    bytes.windows(b"karat.lock/".len()).take(4096).position(|window| window == b"karat.lock/")
}

fn bad(path: &Path, message: String) -> Failure {
    Problem::of_file(&problem::LOCK_INVALID, &path.display().to_string(), message).into()
}

fn shown(path: &Path) -> String {
    text::visible(&path.display().to_string()).into_owned()
}
