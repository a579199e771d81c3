//! `karat gold verify`: is gold still what was frozen?

use std::fmt::Write;
use std::path::PathBuf;

use karat_engine::text;
use karat_engine::wrap::wrap;
use karat_suites::config::Config;
use karat_suites::lock::{self, Changes, Lock, State};
use serde_json::json;

use super::{Answer, Done, ProjectArgs, answer, places};
use crate::commands::Suites;
use crate::output::{BAD, GOOD, Terminal, paint};

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Check only these files [default: the gold files and gates of karat.toml; without it, every file of the lock]
    #[arg(value_name = "GOLD")]
    gold: Vec<String>,

    #[command(flatten)]
    project: ProjectArgs,

    /// The lock, with the files that it lists [default: karat.toml's, else gold.lock beside the first gold file, else in this folder]
    #[arg(long, value_name = "FILE")]
    lock: Option<PathBuf>,

    /// The output format; json lists every id
    #[arg(long, value_enum, default_value_t = Answer::Text, value_name = "FORMAT")]
    format: Answer,
}

const EXAMPLES: &str = "\
Examples:
  karat gold verify
  karat gold verify eval/gold.jsonl
  karat gold verify --lock eval/gold.lock --format json

Order of rows and keys, spacing, line ends, escapes, the writing of numbers and the Unicode form of
texts may change; anything else is a change.

Exit status: 0 gold is as frozen; 1 it is not: no-ship; 2 the lock is missing or broken, gold cannot be
read, or the call is wrong.";

pub(super) fn run(args: &Args, suites: Suites, terminal: &Terminal) -> Done {
    let whole = args.gold.is_empty() && args.lock.is_none() && args.project.config.exists();
    let config = if whole { Some(args.project.read(suites)?) } else { None };
    let (gold, path) = places::gold_and_lock(config.as_ref(), &args.gold, args.lock.as_deref())?;
    let mut lock = Lock::read(&path)?;
    let files = if gold.is_empty() {
        places::listed(lock.gold.iter().map(|file| file.path.clone()), &path)
    } else {
        places::shown(gold, &path)
    };
    let gates = config.as_ref().map(Config::gates);
    let mut now = lock::freeze(&files, gates.as_deref(), &[])?;
    let all = lock.gold.len();
    if !args.gold.is_empty() {
        lock.gold.retain(|file| files.iter().any(|(path, _)| *path == file.path));
    }
    if config.is_none() {
        now.gates.clone_from(&lock.gates); // files alone say nothing about gates
    }
    let (changes, unseen) = (lock.compare(&now), all - lock.gold.len());
    let name = text::visible(&path.display().to_string()).into_owned();
    let told = match args.format {
        Answer::Json => as_json(&name, &lock, &changes),
        Answer::Text => as_text(&name, &lock, &changes, unseen as u64, terminal),
    };
    Ok(answer(&told, u8::from(!changes.is_empty()), terminal))
}

fn as_json(name: &str, lock: &Lock, changes: &Changes) -> String {
    let file = |file: &lock::FileChanges| {
        let state = match file.state {
            State::Kept => "kept",
            State::Added => "added",
            State::Removed => "removed",
        };
        json!({ "path": file.path, "file": state, "same": file.is_empty(), "added": file.added,
                "removed": file.removed, "changed": file.changed, "contradiction": file.contradiction })
    };
    let answer = json!({
        "schema": "karat.verify/1",
        "same": changes.is_empty(),
        "lock": name,
        "rows": lock.rows(),
        "gold": changes.files.iter().map(file).collect::<Vec<_>>(),
        "gates": { "changed": changes.gates_changed, "added": changes.gates_added, "removed": changes.gates_removed },
        "signatures": lock.signatures,
    });
    format!("{answer:#}\n")
}

fn as_text(name: &str, lock: &Lock, changes: &Changes, unseen: u64, terminal: &Terminal) -> String {
    let color = terminal.color_out();
    let mut out = String::new();
    if changes.is_empty() {
        let rows = text::count(lock.rows(), "row");
        let _ = writeln!(out, "{}  gold is as frozen in {name}  ({rows})", paint(GOOD, "SAME", color));
    } else {
        let [added, removed, changed] = changes.totals().map(text::group);
        let gates = if changes.gates_changed { ", other gates" } else { "" };
        let what = format!("{added} added, {removed} removed, {changed} changed{gates}");
        let _ = writeln!(out, "{}  gold is not as frozen in {name}: {what}", paint(BAD, "NO-SHIP", color));
    }
    if terminal.quiet {
        return out;
    }
    for file in changes.files.iter().filter(|file| !file.is_empty()) {
        let path = text::visible(&file.path);
        let _ = match file.state {
            State::Kept => writeln!(out, "\n{path}"),
            State::Added => writeln!(out, "\n{path}  is not in the lock"),
            State::Removed => writeln!(out, "\n{path}  is in the lock alone"),
        };
        for (title, list) in [("added", &file.added), ("removed", &file.removed), ("changed", &file.changed)]
        {
            ids(title, list, &mut out);
        }
        if file.contradiction {
            out.push_str("  every row is as frozen, and the hash of the whole is not: the lock was edited\n");
        }
    }
    if changes.gates_changed {
        out.push_str("\ngates\n");
        changes.gates_removed.iter().for_each(|gate| _ = writeln!(out, "  removed  {}", text::visible(gate)));
        changes.gates_added.iter().for_each(|gate| _ = writeln!(out, "  added    {}", text::visible(gate)));
    }
    if unseen > 0 {
        let _ = writeln!(out, "  {} of the lock not looked at", text::count(unseen, "other file"));
    }
    if !changes.is_empty() {
        out.push_str(
            "\nIf the change is meant: have it reviewed, then freeze again with `karat gold freeze`.\n",
        );
    }
    out
}

/// The first ids of a list, wrapped, and how many more there are.
fn ids(title: &str, list: &[String], out: &mut String) {
    const SHOWN: usize = 20;
    if list.is_empty() {
        return;
    }
    let more = list.len().saturating_sub(SHOWN) as u64;
    let shown = list.iter().take(SHOWN).map(|id| text::shorten(&text::visible(id), 40).into_owned());
    let last = (more > 0).then(|| format!("… and {} more", text::group(more)));
    // An id with spaces in it stays on one line.
    let words: Vec<String> = shown.chain(last).map(|word| word.replace(' ', "\u{a0}")).collect();
    let _ = writeln!(out, "{}", wrap(&format!("  {title:<8} "), &" ".repeat(11), &words.join(" ")));
}
