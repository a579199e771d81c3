//! The qrels and the run that rankings are measured on.
//!
//! Made from a fixed seed. No two scores of a topic are equal, even as floats: tools differ in what they do about ties,
//! and every contender's figures are checked here. A line is about 40 bytes, as those of common retrievers are: topics follow each other, each
//! sorted by score; 30 documents of a topic are judged, and most of those are ranked.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::data::{self, Random};
use crate::{Outcome, root};

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
