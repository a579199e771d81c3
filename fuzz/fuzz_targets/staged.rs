//! The three files of `release`: evidence, gold, cases.
#![no_main]
#[path = "shared.rs"]
mod shared;

use karat_suites::suites;
use shared::{exercise, request};

const EVIDENCE: &str = r#"{"chunk_id":"a","version":"v","permitted":true,"current":true,"text":"Alpha beta","acl":["user:u"],"valid_from":1}"#;
const GOLD: &str =
    r#"{"case_id":"c","required_source_ids":["a"],"required_points":["p"],"points":{"p":["alpha"]}}"#;
const CASES: &str = r#"{"name":"n","case_id":"c","should_release":true,"trace":{"case_id":"c","first_stage_ids":["a"],"rerank_input_ids":["a"],"reranked_ids":["a"],"selected_context_ids":["a"],"selected_versions":["v"],"versions":{"index":"1"},"principal":{"user":"u"},"ts":2},"answer":{"claims":[{"claim_id":"k","text":"Alpha","citation_id":"a","answer_point":"p"}]}}"#;

// Each of the files in turn beside sound others, or all three, cut at NULs.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let parts: Vec<&[u8]> = data.splitn(3, |&b| b == 0).collect();
    if let [evidence, gold, cases] = parts[..] {
        score(evidence, gold, cases);
    } else {
        score(data, GOLD.as_bytes(), CASES.as_bytes());
        score(EVIDENCE.as_bytes(), data, CASES.as_bytes());
        score(EVIDENCE.as_bytes(), GOLD.as_bytes(), data);
    }
});

fn score(evidence: &[u8], gold: &[u8], cases: &[u8]) {
    let inputs = [("evidence", evidence), ("gold", gold), ("traces", cases)];
    let asked = request(&suites::release::SUITE, &inputs).set("version_keys", "index");
    exercise(&asked, |asked| asked.set("trust_claim_phrases", true).set("slices", "case_id"));
}
