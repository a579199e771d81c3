//! Gold and runs of `stability`, and its grid.
#![no_main]

use karat_core::Source;
use karat_core::formats::{ALL, Style};
use karat_core::suites::stability::{Grid, Inputs, Settings, evaluate};

const GOLD: &str = r#"{"qid":"q","question":"w","answerable":true,"gold_claim_substr":["alpha"],"gold_citations":["a"],"constraints":["k"]}"#;
const RUNS: &str = r#"{"qid":"q","seed":0,"retrieved_ids":["a","b"],"answer_json":{"claim":"Alpha, beta","citations":["a"],"constraints_echo":["k"]}}
{"qid":"q","seed":1,"jitter":"ws","retrieved_ids":["a"],"answer_json":{"claim":"gamma","citations":["a"]}}"#;

// Gold, runs and a grid, cut at NULs; without them each file in turn beside a sound other.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let parts: Vec<&[u8]> = data.splitn(3, |&b| b == 0).collect();
    match parts[..] {
        [gold, runs, grid] => {
            let grid = Grid::parse(&String::from_utf8_lossy(grid)).unwrap_or_default();
            score(gold, runs, grid.clone());
            score(GOLD.as_bytes(), runs, grid);
        }
        _ => {
            score(GOLD.as_bytes(), data, Grid::default());
            score(data, RUNS.as_bytes(), Grid::default());
        }
    }
});

fn score(gold: &[u8], runs: &[u8], grid: Grid) {
    let inputs = Inputs { gold: Source::bytes("gold", gold), traces: vec![Source::bytes("runs", runs)] };
    for (lenient, slices) in [(false, vec![]), (true, vec!["qid".to_owned()])] {
        let settings = Settings { lenient, slices, grid: grid.clone(), threads: 1, ..Settings::default() };
        match evaluate(&inputs, &settings) {
            Ok(report) => ALL.iter().for_each(|format| {
                (format.render)(&report, &Style { color: true, brief: false });
            }),
            Err(failure) => assert!(!failure.problems.is_empty() && !failure.to_string().is_empty()),
        }
    }
}
