//! The evidence store and the gold cases that `release` is measured on.
//!
//! Only chunks of even number are named by anybody: a store without the odd ones is half as large and gives the same
//! figures.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::data::{Random, write};
use super::chunk::{Chunk, OBJECTS, TEAMS};
use super::rows;

/// The files on disk.
pub(crate) struct Data {
    pub(crate) gold: PathBuf,
    pub(crate) trace: PathBuf,
    /// The whole store, and the half of it.
    pub(crate) stores: [PathBuf; 2],
}

/// How much there is.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) chunks: u64,
    pub(crate) cases: u64,
    pub(crate) rows: u64,
}

/// Makes the files, unless they are there from an earlier run.
pub(crate) fn make(folder: &Path, size: Size) -> io::Result<Data> {
    fs::create_dir_all(folder)?;
    let Size { chunks, cases, rows } = size;
    let gold = folder.join(format!("release-gold-{cases}-{chunks}.jsonl"));
    let trace = folder.join(format!("release-cases-{cases}-{rows}-{chunks}.jsonl"));
    let stores = [1, 2].map(|step| folder.join(format!("release-store-{}.jsonl", chunks / step)));
    if !gold.exists() {
        write(&gold, |out| {
            (0..cases).try_for_each(|case| out.write_all(gold_row(&Case::new(case, chunks)).as_bytes()))
        })?;
    }
    if !trace.exists() {
        let mut random = Random(41);
        write(&trace, |out| {
            (0..rows).try_for_each(|row| out.write_all(rows::row(row, size, &mut random).as_bytes()))
        })?;
    }
    for (step, store) in [1, 2].into_iter().zip(&stores) {
        if !store.exists() {
            let mut line = String::new();
            write(store, |out| {
                (0..chunks).step_by(step).try_for_each(|number| {
                    line.clear();
                    Chunk::new(number).write(&mut line);
                    out.write_all(line.as_bytes())
                })
            })?;
        }
    }
    Ok(Data { gold, trace, stores })
}

/// A gold case and the chunks that its question finds.
pub(crate) struct Case {
    pub(crate) number: u64,
    pub(crate) team: usize,
    /// Thirty chunks that its team may use; the required ones come first.
    pub(crate) pool: Vec<u64>,
    pub(crate) required: usize,
}

/// The points that an answer may have to make.
pub(crate) const POINTS: [&str; 3] = ["retention", "approval", "scope"];

impl Case {
    pub(crate) fn new(number: u64, chunks: u64) -> Self {
        let mut random = Random(number.wrapping_mul(0x9fb2_1c65_1e98_df25));
        let team = number as usize % TEAMS.len();
        let mut pool = Vec::new();
        while pool.len() < 30 {
            let chunk = 2 * random.below(chunks / 2);
            if Chunk::new(chunk).open_to(team) && !pool.contains(&chunk) {
                pool.push(chunk);
            }
        }
        Case { number, team, pool, required: 1 + number as usize % 2 }
    }

    pub(crate) fn id(&self) -> String {
        format!("case-{:05}", self.number)
    }

    /// How many points an answer must make.
    pub(crate) fn points(&self) -> usize {
        if self.number.is_multiple_of(3) { 3 } else { 2 }
    }

    /// The chunk that proves a point, and the phrases that it must hold.
    pub(crate) fn proof(&self, point: usize) -> (u64, Vec<String>) {
        let chunk = self.pool[point % self.required];
        let fact = |which| Chunk::new(chunk).fact(which);
        match point / self.required {
            0 => (chunk, vec![fact(0)]),
            1 => (chunk, vec![fact(1)]),
            _ => (chunk, vec![fact(0), fact(1)]),
        }
    }
}

fn gold_row(case: &Case) -> String {
    let required: Vec<String> =
        case.pool[..case.required].iter().map(|&n| format!("\"{}\"", Chunk::new(n).id())).collect();
    let points: Vec<String> = POINTS[..case.points()].iter().map(|point| format!("\"{point}\"")).collect();
    let mut phrases = String::new();
    for (i, point) in POINTS[..case.points()].iter().enumerate() {
        let _ = write!(phrases, "\"{point}\": [\"{}\"], ", case.proof(i).1.join("\", \""));
    }
    // A point that nobody has to make, whose proof is retrieved at most and never selected.
    let _ = write!(phrases, "\"caveat\": [\"{}\"]", Chunk::new(case.pool[29]).fact(1));
    format!(
        "{{\"case_id\": \"{}\", \"question\": \"What holds for {} in matter {}?\", \"required_source_ids\": [{}], \
         \"required_points\": [{}], \"workflow\": \"{}\", \"points\": {{{phrases}}}}}\n",
        case.id(),
        OBJECTS[case.number as usize % 16],
        case.number,
        required.join(", "),
        points.join(", "),
        TEAMS[case.team]
    )
}
