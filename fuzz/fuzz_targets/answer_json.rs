//! Gold and traces of the structured dialect.
#![no_main]
#[path = "shared.rs"]
mod shared;

use karat_suites::suites;
use shared::{exercise, request};

const GOLD: &str = r#"{"qid":"a","question":"q","answerable":true,"gold_claim_substr":["alpha"],"gold_citations":["p1"],"constraints":["X rejects null keys."]}"#;
const TRACE: &str = r#"{"qid":"a","retrieved_ids":["p1"],"answer_json":{"claim":"alpha permits null keys","citations":["p1"],"constraints_echo":["X rejects null keys."]}}"#;

// The input up to its first NUL is gold, the rest traces; without one it is each in turn beside a sound other.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    match data.iter().position(|&b| b == 0) {
        Some(cut) => score(&data[..cut], &data[cut + 1..]),
        None => {
            score(GOLD.as_bytes(), data);
            score(data, TRACE.as_bytes());
        }
    }
});

fn score(gold: &[u8], traces: &[u8]) {
    let asked = request(&suites::answers::SUITE, &[("gold", gold), ("traces", traces)]);
    exercise(&asked.set("scu", "enforce"), |asked| asked.set("runs", "all").set("slices", "qid"));
}
