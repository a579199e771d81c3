//! Gold and traces of the plain-text dialect.
#![no_main]
#[path = "shared.rs"]
mod shared;

libfuzzer_sys::fuzz_target!(|data: &[u8]| shared::exercise(
    data,
    r#"[{"qid":"a","q":"q","answerable":true,"gold_ids":["p1"],"gold_claim":"alpha beta"}]"#,
    r#"{"q":"q","chunks":[{"id":"p1"}],"answer":"alpha beta\ncitations: [p1]"}"#,
));
