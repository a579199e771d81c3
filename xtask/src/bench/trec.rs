//! The qrels and the run that rankings are measured on.
//!
//! Made from a fixed seed. No two scores of a topic are equal, even as floats: tools differ in what they do about ties,
//! and every contender's figures are checked here. A line is about 40 bytes, as those of common retrievers are: topics follow each other, each
//! sorted by score; 30 documents of a topic are judged, and most of those are ranked.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::data::{self, Random};
use super::{Table, built, contest, group};
use crate::{Outcome, root};

/// What karat is measured against.
pub(crate) const PACKAGES: [&str; 3] = ["pytrec_eval-terrier", "ranx", "ir_measures"];
const MEASURES: [&str; 5] = ["map", "ndcg_cut_10", "P_10", "recall_100", "recip_rank"];

const COLLECTION: u64 = 8_841_823; // a prime, so that any step walks through all of it
const JUDGED: u64 = 30;

/// `cargo xtask trec-data TOPICS DOCUMENTS`: writes the files into target/bench and says where.
pub(crate) fn write(topics: &str, documents: &str) -> Outcome {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text} is no number"));
    let (qrels, run) = make(&root().join("target/bench"), number(topics)?, number(documents)?)
        .map_err(|e| format!("the data cannot be written: {e}"))?;
    eprintln!("{} {}", qrels.display(), run.display());
    Ok(())
}

/// Makes qrels and a run, unless they are there from an earlier time.
pub(crate) fn make(folder: &Path, topics: u64, documents: u64) -> io::Result<(PathBuf, PathBuf)> {
    fs::create_dir_all(folder)?;
    let qrels = folder.join(format!("qrels-{topics}-{documents}.txt"));
    let run = folder.join(format!("run-{topics}-{documents}.txt"));
    if !qrels.exists() {
        data::write(&qrels, |out| (0..topics).try_for_each(|topic| judgements(out, topic, documents)))?;
    }
    if !run.exists() {
        data::write(&run, |out| (0..topics).try_for_each(|topic| ranking(out, topic, documents)))?;
    }
    Ok((qrels, run))
}

/// The `n`th document of a topic; distinct for `n` below the collection's size.
fn document(topic: u64, n: u64) -> u64 {
    let mut random = Random(topic);
    let (start, step) = (random.below(COLLECTION), random.below(COLLECTION - 1) + 1);
    (start + n * step) % COLLECTION
}

fn judgements(out: &mut dyn Write, topic: u64, documents: u64) -> io::Result<()> {
    let mut random = Random(topic ^ 0x7165);
    // Two of three are from the ranking, the first places more often; the others are from behind its end.
    for n in 0..JUDGED {
        let stride = documents / JUDGED;
        let place = if n % 3 == 2 { documents + n } else { n * stride * n / JUDGED + n % stride.max(1) };
        let grade = [0, 0, 1, 1, 2, 3][random.below(6) as usize];
        writeln!(out, "{} 0 D{:07} {grade}", 1_000_000 + topic * 37, document(topic, place))?;
    }
    Ok(())
}

fn ranking(out: &mut dyn Write, topic: u64, documents: u64) -> io::Result<()> {
    let mut random = Random(topic ^ 0x72_756e);
    let mut score = 30_000_000;
    let most = 29_000_000 / documents.max(1);
    for n in 0..documents {
        score -= 10 + random.below(most.saturating_sub(10).max(1)).min(score - 11);
        let (whole, rest) = (score / 1_000_000, score % 1_000_000);
        let document = document(topic, n);
        writeln!(out, "{} Q0 D{document:07} {} {whole}.{rest:06} bm25", 1_000_000 + topic * 37, n + 1)?;
    }
    Ok(())
}

/// karat beside the tools that are commonly used, end to end from the files, figures checked equal.
pub(crate) fn table(folder: &Path, python: &Path, topics: u64) -> Result<Table, String> {
    const DOCUMENTS: u64 = 1000;
    let (qrels, run) = make(folder, topics, DOCUMENTS).map_err(|e| e.to_string())?;
    let karat = |threads: &str| {
        let mut command = Command::new(built("karat"));
        command.args(["retrieval", "--format", "trec", "--threads", threads, "--qrels"]);
        command.arg(&qrels).arg("--run").arg(&run);
        command
    };
    let other = |name: &str| {
        let mut command = Command::new(python);
        command.arg(root().join("bench/trec.py")).arg(name).arg(&qrels).arg(&run);
        command
    };
    let mut contenders = [
        ("karat, 2 threads", true, karat("2")),
        ("karat, 1 thread", true, karat("1")),
        ("trec_eval (pytrec_eval)", true, other("pytrec_eval")),
        ("ranx", true, other("ranx")),
        ("ir_measures", true, other("ir_measures")),
    ];
    let rows = contest(&mut contenders, figures)?;
    let size = |path: &Path| fs::metadata(path).map(|m| m.len()).unwrap_or(0);
    let title = format!("rankings: {} topics of {} documents", group(topics), group(DOCUMENTS));
    Ok(Table { title, bytes: size(&run), gold_bytes: size(&qrels), rows })
}

/// The five figures in trec_eval's layout or in a JSON object, as text.
fn figures(out: &str) -> Option<Vec<String>> {
    let value = |name: &&str| -> Option<f64> {
        let line = out.lines().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix("all"));
        let text = match line {
            Some(rest) => rest.trim(),
            None => out.split_once(&format!("\"{name}\":"))?.1.trim_start().split([',', '}']).next()?,
        };
        text.trim().parse().ok()
    };
    MEASURES.iter().map(|name| value(name).map(|value| format!("{name} {value:.4}"))).collect()
}
