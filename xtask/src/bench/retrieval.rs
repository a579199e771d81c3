//! `retrieval`: TREC qrels and a run, beside trec_eval and the tools around it.
//!
//! The data is made from a fixed seed. No two scores of a topic are equal, even as floats: tools differ in what they do about ties,
//! and every contender's figures are checked here. A line is about 40 bytes, as those of common retrievers are: topics follow each other, each
//! sorted by score; 30 documents of a topic are judged, and most of those are ranked.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::data::{self, Random};
use super::{Contender, Ground, Table, built, contest, group, page};
use crate::{Outcome, root};

/// What karat is measured against.
pub(crate) const PACKAGES: [&str; 3] = ["pytrec_eval-terrier", "ranx", "ir_measures"];
const MEASURES: [&str; 5] = ["map", "ndcg_cut_10", "P_10", "recall_100", "recip_rank"];

const COLLECTION: u64 = 8_841_823; // a prime, so that any step walks through all of it
const JUDGED: u64 = 30;

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

pub(crate) fn run(ground: &Ground) -> Outcome {
    let tables = [table(ground, 10_000 / ground.scale())?];
    ground.publish("benchmarks-retrieval", &render(&tables[0]), &page::plot(&tables))
}

/// karat beside the tools that are commonly used, end to end from the files, figures checked equal.
fn table(ground: &Ground, topics: u64) -> Result<Table, String> {
    const DOCUMENTS: u64 = 1000;
    let (qrels, run) = make(&ground.folder, topics, DOCUMENTS).map_err(|e| e.to_string())?;
    let karat = |threads: &str| {
        let mut command = Command::new(built("karat"));
        command.args(["retrieval", "--format", "trec", "--threads", threads, "--qrels"]);
        command.arg(&qrels).arg("--run").arg(&run);
        command
    };
    let other = |name: &str| {
        let mut command = Command::new(&ground.python);
        command.arg(root().join("bench/trec.py")).arg(name).arg(&qrels).arg(&run);
        command
    };
    let contenders = vec![
        Contender::new("karat, 2 threads", karat("2")),
        Contender::new("karat, 1 thread", karat("1")),
        Contender::new("trec_eval, by pytrec_eval", other("pytrec_eval")),
        Contender::new("ranx", other("ranx")),
        Contender::new("ir_measures", other("ir_measures")),
    ];
    let size = |path: &Path| fs::metadata(path).map(|m| m.len()).unwrap_or(0);
    let title = format!("{} topics of {} documents", group(topics), group(DOCUMENTS));
    let note = format!("MB/s are those of the run; the qrels are {:.1} MB.", size(&qrels) as f64 / 1e6);
    Ok(Table { title, bytes: size(&run), note, rows: contest(contenders, figures)? })
}

fn render(table: &Table) -> String {
    let mut out = String::from(
        "<!-- Written by `cargo xtask bench retrieval`. -->\n\n# Benchmarks: retrieval\n\n`cargo xtask bench retrieval` makes \
         qrels and a run in TREC's format (fixed seed), has every contender read and score them on this machine, the runs of one in a row, end \
         to end from the files, and checks that all of them print the same map, ndcg_cut_10, P_10, recall_100 and recip_rank. \
         karat prints trec_eval's whole set of measures meanwhile. The best of up to five runs counts. Machines differ and \
         are shared: read the ratios, not the seconds. The script of the others is [bench/trec.py](../bench/trec.py).\n\n\
         ![Throughput by contender](benchmarks-retrieval.svg)\n",
    );
    page::section(&mut out, table);
    out
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
