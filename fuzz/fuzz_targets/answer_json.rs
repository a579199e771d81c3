//! Gold and traces of the structured dialect.
#![no_main]
#[path = "shared.rs"]
mod shared;

libfuzzer_sys::fuzz_target!(|data: &[u8]| shared::exercise(
    data,
    r#"{"qid":"a","question":"q","answerable":true,"gold_claim_substr":["alpha"],"gold_citations":["p1"],"constraints":["X rejects null keys."]}"#,
    r#"{"qid":"a","retrieved_ids":["p1"],"answer_json":{"claim":"alpha permits null keys","citations":["p1"],"constraints_echo":["X rejects null keys."]}}"#,
));
