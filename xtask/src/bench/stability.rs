//! `stability`: every case run twenty times, beside Python written by hand.
//!
//! The data is made from a fixed seed: five seeds and four jitters a case, the log in the order in which they would be run,
//! seed by seed. Claims are of about 150 characters. Of ten cases, seven say the same in every run but for case and
//! punctuation, two have up to four wordings, and one is worded anew every time. A tenth of the cases cannot be answered.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::data::{self, Random};
use super::{Contender, Ground, Table, built, contest, group, page};
use crate::{Outcome, root};

/// What the other contender compares texts with.
pub(crate) const PACKAGES: [&str; 1] = ["rapidfuzz"];
const KARAT: &str = "karat, 2 threads";
const RAPIDFUZZ: &str = "Python and rapidfuzz";
const PYTHON: &str = "Python";
const MEASURES: [&str; 5] = ["acr", "cghc", "css", "ned50", "rcr"];
const SEEDS: u64 = 5;
const JITTERS: [&str; 4] = ["none", "ws", "punct", "syn"];
const WORDS: [&str; 16] = [
    "service",
    "keeps",
    "objects",
    "region",
    "default",
    "policy",
    "is",
    "the",
    "after",
    "days",
    "bucket",
    "of",
    "replicated",
    "customers",
    "every",
    "invoice",
];

/// Makes gold and runs, unless they are there from an earlier time.
fn make(folder: &Path, cases: u64) -> io::Result<(PathBuf, PathBuf)> {
    fs::create_dir_all(folder)?;
    let gold = folder.join(format!("stability-gold-{cases}.jsonl"));
    let runs = folder.join(format!("stability-{cases}.jsonl"));
    if !gold.exists() {
        data::write(&gold, |out| (0..cases).try_for_each(|case| gold_row(out, case)))?;
    }
    if !runs.exists() {
        data::write(&runs, |out| {
            for seed in 0..SEEDS {
                for jitter in JITTERS {
                    (0..cases).try_for_each(|case| run_row(out, case, seed, jitter))?;
                }
            }
            Ok(())
        })?;
    }
    Ok((gold, runs))
}

fn answerable(case: u64) -> bool {
    case % 10 != 9
}

fn gold_row(out: &mut dyn Write, case: u64) -> io::Result<()> {
    let (phrases, ids) = match answerable(case) {
        true => (format!("\"kept for {} days\"", case % 90), format!("\"doc{case}#1\"")),
        false => (String::new(), String::new()),
    };
    writeln!(
        out,
        "{{\"qid\":\"S{case:07}\",\"question\":\"Question {case}?\",\"answerable\":{},\"gold_claim_substr\":[{phrases}],\"gold_citations\":[{ids}]}}",
        answerable(case)
    )
}

/// Some words from a seed, about 150 characters.
fn wording(seed: u64) -> String {
    let mut random = Random(seed);
    let words: Vec<&str> = (0..22).map(|_| WORDS[random.below(WORDS.len() as u64) as usize]).collect();
    words.join(" ")
}

fn run_row(out: &mut dyn Write, case: u64, seed: u64, jitter: &str) -> io::Result<()> {
    let at = seed * 4 + JITTERS.iter().position(|known| *known == jitter).unwrap_or(0) as u64;
    let mut random = Random(case * 64 + at);
    let variant = match case / 10 % 10 {
        0..7 => 0,
        7 | 8 => random.below(4),
        _ => at,
    };
    let said = wording(case * 32 + variant);
    let (claim, cited) = match (answerable(case), random.below(200)) {
        (false, 1..) | (true, 0) => ("not in context".to_owned(), String::new()),
        (_, 1) => (format!("It {said}."), format!("\"doc{case}#1\"")),
        (_, extra) => {
            let more = if extra < 6 { format!(",\"doc{case}#2\"") } else { String::new() };
            let end = if jitter == "punct" { " !" } else { "." };
            (format!("It is kept for {} days, {said}{end}", case % 90), format!("\"doc{case}#1\"{more}"))
        }
    };
    writeln!(
        out,
        "{{\"qid\":\"S{case:07}\",\"seed\":{seed},\"jitter\":\"{jitter}\",\"retrieved_ids\":[\"doc{case}#1\",\"doc{case}#2\",\"doc{case}#3\"],\"answer_json\":{{\"claim\":\"{claim}\",\"citations\":[{cited}]}}}}"
    )
}

pub(crate) fn run(ground: &Ground) -> Outcome {
    let (slice, whole) = (500 / ground.scale(), 100_000 / ground.scale());
    let mut tables = [table(ground, slice, true)?, table(ground, whole, false)?];
    let told = in_relation(&tables, whole as f64 / slice as f64);
    tables[1].note.push_str(&told);
    ground.publish("benchmarks-stability", &render(&tables), &page::plot(&tables))
}

/// What the whole takes: the seconds of this machine, and beside them what the others would take at the pace of the slice.
fn in_relation([slice, whole]: &[Table; 2], larger: f64) -> String {
    let wall = |table: &Table, name: &str| {
        table.rows.iter().find(|row| row.name == name).map_or(f64::NAN, |row| row.wall.as_secs_f64())
    };
    let karat = wall(whole, KARAT);
    let times = |name: &str| wall(slice, name) * larger / karat;
    format!(
        " karat with two threads took {karat:.1} s. At the pace of the slice, Python with rapidfuzz would take {:.0}× as long and \
         Python alone {:.0}×.",
        times(RAPIDFUZZ),
        times(PYTHON)
    )
}

/// karat, and on little enough data the others, end to end from the files, figures checked equal.
fn table(ground: &Ground, cases: u64, others: bool) -> Result<Table, String> {
    let (gold, runs) = make(&ground.folder, cases).map_err(|e| e.to_string())?;
    let karat = |threads: &str| {
        let mut command = Command::new(built("karat"));
        command.args(["stability", "--format", "json", "--cases", "none", "--threads", threads, "--gold"]);
        command.arg(&gold).arg("--trace").arg(&runs);
        command
    };
    let other = |option: &str| {
        let mut command = Command::new(&ground.python);
        command.arg(root().join("bench/score_stability.py")).arg(&gold).arg(&runs).arg(option);
        command
    };
    let mut contenders =
        vec![Contender::new(KARAT, karat("2")), Contender::new("karat, 1 thread", karat("1"))];
    if others {
        contenders.push(Contender::new(RAPIDFUZZ, other("--rapidfuzz")));
        contenders.push(Contender::new(PYTHON, other("--plain")));
    }
    let rows = contest(contenders, figures)?;
    let size = fs::metadata(&runs).map(|m| m.len()).unwrap_or(0);
    let title = format!("{} cases of {} runs", group(cases), SEEDS * JITTERS.len() as u64);
    let note = format!("The runs are {:.0} MB.", size as f64 / 1e6);
    Ok(Table { title, bytes: size, note, rows })
}

fn render(tables: &[Table]) -> String {
    let mut out = String::from(
        "<!-- Written by `cargo xtask bench stability`. -->\n\n# Benchmarks: stability\n\n`cargo xtask bench stability` makes a gold \
         set and the log of its runs (fixed seed; seven of ten cases are worded alike in all runs, two in up to four ways, one in \
         twenty), has every contender read and score them on this machine, the runs of one in a row, end to end from the files, and checks that all of \
         them agree on how many cases fail and on the means of acr, cghc, css, ned50 and rcr to six decimals. The best of up to five \
         runs counts. Machines differ and are shared: read the ratios, not the seconds. The script of the others is \
         [bench/score_stability.py](../bench/score_stability.py); they are given five hundred cases, since by hand all of them would \
         take too long.\n\n![Throughput by contender](benchmarks-stability.svg)\n",
    );
    for table in tables {
        page::section(&mut out, table);
    }
    out
}

/// How many cases fail, and the means, from a JSON report.
fn figures(out: &str) -> Option<Vec<String>> {
    let after = |text: &str, key: &str| -> Option<f64> {
        let rest = text.split_once(&format!("\"{key}\":"))?.1;
        rest.trim_start().split([',', '}', '\n']).next()?.trim().parse().ok()
    };
    let counts = out.split_once("\"counts\"")?.1;
    let metrics = out.split_once("\"metrics\"")?.1;
    let mean = |name: &&str| {
        let figure = metrics.split_once(&format!("\"{name}\":"))?.1;
        Some(format!("{name} {:.6}", after(figure, "value")?))
    };
    let fail = std::iter::once(Some(format!("fail {}", after(counts, "fail")?)));
    fail.chain(MEASURES.iter().map(mean)).collect()
}
