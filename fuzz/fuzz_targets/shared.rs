// Whole runs over bytes that somebody made up: strict and lenient, every format.

use karat_core::formats::{ALL, Style};
use karat_core::judge::Scu;
use karat_core::ledger::Runs;
use karat_core::suites::answers::{Inputs, Settings, evaluate};
use karat_core::{Profile, Source};

/// The input up to its first NUL is gold, the rest traces; without one it is each in turn beside a sound other.
pub fn exercise(data: &[u8], gold: &str, trace: &str) {
    match data.iter().position(|&b| b == 0) {
        Some(cut) => score(&data[..cut], &data[cut + 1..]),
        None => {
            score(gold.as_bytes(), data);
            score(data, trace.as_bytes());
        }
    }
}

fn score(gold: &[u8], traces: &[u8]) {
    let inputs = Inputs { gold: Source::bytes("gold", gold), traces: vec![Source::bytes("traces", traces)] };
    for (lenient, runs, slices) in [(false, Runs::Last, vec![]), (true, Runs::All, vec!["qid".to_owned()])] {
        let settings =
            Settings { lenient, runs, slices, scu: Scu::Enforce, threads: 1, ..Settings::default() };
        match evaluate(&inputs, &Profile::answers(), &settings) {
            Ok(report) => ALL.iter().for_each(|format| {
                (format.render)(&report, &Style { color: true, brief: false });
            }),
            Err(failure) => assert!(!failure.problems.is_empty() && !failure.to_string().is_empty()),
        }
    }
}
