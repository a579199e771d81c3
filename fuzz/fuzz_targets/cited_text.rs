//! Gold and traces of the plain-text dialect.
#![no_main]
#[path = "shared.rs"]
mod shared;

use karat_suites::suites;
use shared::{exercise, request};

const GOLD: &str = r#"[{"qid":"a","q":"q","answerable":true,"gold_ids":["p1"],"gold_claim":"alpha beta"}]"#;
const TRACE: &str = r#"{"q":"q","chunks":[{"id":"p1"}],"answer":"alpha beta\ncitations: [p1]"}"#;

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
