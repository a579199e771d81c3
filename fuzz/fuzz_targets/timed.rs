//! The files of `latency`: gold, timed traces, a CSV of times.
#![no_main]
#[path = "shared.rs"]
mod shared;

use karat_suites::suites;
use shared::{exercise, request};

const GOLD: &str = r#"{"qid":"q","question":"w","answerable":true,"gold_claim_substr":["right words"],"gold_citations":["p"]}"#;
const TRACES: &str = r#"{"qid":"q","retrieved_ids":["p"],"answer_json":{"claim":"the right words","citations":["p"]},"e2e_ms":12.5,"stage_ms":{"llm":3},"knobs":{"b":[1,{"a":"\u00e9"}],"a":null},"load_rps":5}"#;

// Each of the files in turn beside sound others, or all three, cut at NULs.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let parts: Vec<&[u8]> = data.splitn(3, |&b| b == 0).collect();
    if let [gold, traces, times] = parts[..] {
        run(&[("gold", gold), ("traces", traces), ("latency_csv", times)]);
    } else {
        run(&[("gold", data), ("traces", TRACES.as_bytes())]);
        run(&[("gold", GOLD.as_bytes()), ("traces", data)]);
        run(&[("gold", GOLD.as_bytes()), ("traces", TRACES.as_bytes()), ("latency_csv", data)]);
        run(&[("latency_csv", data)]);
    }
});

fn run(inputs: &[(&str, &[u8])]) {
    let mut inputs = inputs.to_vec();
    if inputs.iter().any(|(key, _)| *key == "gold") {
        inputs.push(("baseline", TRACES.as_bytes()));
    }
    exercise(&request(&suites::latency::SUITE, &inputs), |asked| asked.set("select", "knee"));
}
