//! Gold and runs of `stability`, and its grid.
#![no_main]
#[path = "shared.rs"]
mod shared;

use karat_engine::request::Value;
use karat_suites::suites;
use shared::{exercise, request};

const GOLD: &str = r#"{"qid":"q","question":"w","answerable":true,"gold_claim_substr":["alpha"],"gold_citations":["a"],"constraints":["k"]}"#;
const RUNS: &str = r#"{"qid":"q","seed":0,"retrieved_ids":["a","b"],"answer_json":{"claim":"Alpha, beta","citations":["a"],"constraints_echo":["k"]}}
{"qid":"q","seed":1,"jitter":"ws","retrieved_ids":["a"],"answer_json":{"claim":"gamma","citations":["a"]}}"#;

// Gold, runs and a grid, cut at NULs; without them each file in turn beside a sound other.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let parts: Vec<&[u8]> = data.splitn(3, |&b| b == 0).collect();
    match parts[..] {
        [gold, runs, grid] => {
            score(gold, runs, Some(grid));
            score(GOLD.as_bytes(), runs, Some(grid));
        }
        _ => {
            score(GOLD.as_bytes(), data, None);
            score(data, RUNS.as_bytes(), None);
        }
    }
});

fn score(gold: &[u8], runs: &[u8], grid: Option<&[u8]>) {
    let suite = &suites::stability::SUITE;
    let mut asked = request(suite, &[("gold", gold), ("traces", runs)]);
    if let (Some(grid), Some(key)) = (grid, suite.key("grid"))
        && let Ok(grid) = Value::typed(key, &[String::from_utf8_lossy(grid).into_owned()])
    {
        asked = asked.set("grid", grid);
    }
    exercise(&asked, |asked| asked.set("slices", "qid"));
}
