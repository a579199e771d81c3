//! The data of `answers`: a gold set, lean traces, and fat ones that carry their chunks' texts.
//!
//! Made from a fixed seed, so that two machines measure the same bytes. Lean: about 500 bytes a trace. Fat: about 7 KB,
//! the chunks last, as a logger that dumps its context writes them.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// What there is to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Lean,
    Fat,
}

impl Shape {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Shape::Lean => "lean",
            Shape::Fat => "fat",
        }
    }
}

/// A gold file and a trace file on disk.
pub(crate) struct Data {
    pub(crate) gold: PathBuf,
    pub(crate) trace: PathBuf,
    pub(crate) bytes: u64,
}

/// Makes the files, unless they are there from an earlier run.
pub(crate) fn make(folder: &Path, shape: Shape, cases: u64, traces: u64) -> io::Result<Data> {
    fs::create_dir_all(folder)?;
    let gold = folder.join(format!("gold-{cases}.jsonl"));
    let trace = folder.join(format!("{}-{cases}-{traces}.jsonl", shape.name()));
    if !gold.exists() {
        write(&gold, |out| (0..cases).try_for_each(|case| out.write_all(gold_row(case).as_bytes())))?;
    }
    if !trace.exists() {
        let mut random = Random(7);
        write(&trace, |out| {
            (0..traces).try_for_each(|n| out.write_all(trace_row(n, cases, shape, &mut random).as_bytes()))
        })?;
    }
    let bytes = fs::metadata(&trace)?.len();
    Ok(Data { gold, trace, bytes })
}

/// Writes beside the place and moves there, so that a file that exists is whole.
pub(crate) fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let beside = path.with_extension("part");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&beside)?);
    fill(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()?; // nobody is measured while this is written
    fs::rename(beside, path)
}

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}

const WORDS: [&str; 24] = [
    "the",
    "bucket",
    "policy",
    "keeps",
    "objects",
    "for",
    "region",
    "key",
    "rotation",
    "limit",
    "request",
    "upload",
    "invoice",
    "after",
    "version",
    "größer",
    "als",
    "retention",
    "audit",
    "token",
    "quota",
    "shard",
    "cache",
    "replica",
];

fn chunk(case: u64, n: u64) -> String {
    format!("doc{:05}.p{}#{}", (case * 31 + n * 7) % 99_991, n % 9 + 1, n % 4)
}

/// The phrase that a right answer to a case contains.
fn fact(case: u64) -> String {
    format!("setting {case} is {} days", case % 90 + 1)
}

fn gold_row(case: u64) -> String {
    let answerable = !case.is_multiple_of(7);
    let (phrases, citations) = match answerable {
        true if case.is_multiple_of(3) => {
            (format!("\"{}\"", fact(case)), format!("\"{}\", \"{}\"", chunk(case, 1), chunk(case, 4)))
        }
        true => (format!("\"{}\"", fact(case)), format!("\"{}\"", chunk(case, 1))),
        false => (String::new(), String::new()),
    };
    format!(
        "{{\"qid\": \"Q{case:06}\", \"question\": \"What is setting {case} of the object store?\", \"answerable\": {answerable}, \
         \"gold_claim_substr\": [{phrases}], \"gold_citations\": [{citations}]}}\n"
    )
}

fn trace_row(n: u64, cases: u64, shape: Shape, random: &mut Random) -> String {
    let case = random.below(cases + cases / 50); // two in a hundred belong to no case
    let mut row = String::with_capacity(600);
    let _ = write!(
        row,
        "{{\"ts\": {}, \"qid\": \"Q{case:06}\", \"q\": \"What is setting {case} of the object store?\", \"retrieved_ids\": [",
        1_760_000_000 + n
    );
    let turn = random.below(3);
    let ids: Vec<String> = (0..10).map(|rank| chunk(case, rank + turn)).collect();
    let _ = write!(row, "\"{}\"]", ids.join("\", \""));
    let refuse = random.below(100) < if case.is_multiple_of(7) { 92 } else { 6 };
    let mut claim = String::new();
    let mut cited = String::new();
    if refuse {
        claim.push_str("not in context");
    } else {
        claim.push_str("According to the documentation ");
        if random.below(100) < 90 {
            claim.push_str(&fact(case));
        }
        while claim.len() < 140 {
            claim.push(' ');
            claim.push_str(WORDS[random.below(24) as usize]);
        }
        if random.below(100) == 0 {
            claim.push_str("\\n- \\\"quoted\\\"");
        }
        let wanted = if random.below(100) < 93 { chunk(case, 1) } else { chunk(case, 3) };
        let _ = write!(cited, "\"{wanted}\", \"{}\"", ids[random.below(10) as usize]);
    }
    let _ = write!(
        row,
        ", \"answer_json\": {{\"claim\": \"{claim}\", \"citations\": [{cited}]}}, \"ok\": true, \"reason\": \"ok\", \"latency_ms\": {}.{}",
        random.below(3000),
        random.below(1000)
    );
    if shape == Shape::Fat {
        row.push_str(", \"chunks\": [");
        for (rank, id) in ids.iter().enumerate() {
            let _ = write!(
                row,
                "{}{{\"id\": \"{id}\", \"score\": 0.{}, \"text\": \"",
                if rank == 0 { "" } else { ", " },
                900 - rank * 37
            );
            let end = row.len() + 600;
            while row.len() < end {
                row.push_str(WORDS[random.below(24) as usize]);
                row.push(' ');
            }
            row.push_str("\"}");
        }
        row.push(']');
    }
    row.push_str("}\n");
    row
}
