//! The three files of `retrieval`: gold, block table, runs.
#![no_main]
#[path = "shared.rs"]
mod shared;

use karat_engine::request::Extra;
use karat_suites::suites;
use shared::{exercise, request};

const GOLD: &str = r#"{"qid":"q","paraphrases":["w"],"relevant":{"S.1.p.Bk1":2,"b":0},"anchor_section":"S.1","negatives":["n"],"offsets":{"S.1.p.Bk1":[1,9]}}"#;
const BLOCKS: &str = r#"{"id":"S.1.p.Bk1","offsets":[0,9],"type":"table","section_id":"S.01"}"#;
const RUNS: &str = r#"{"qid":"q","query":"w","seed":1,"topk":[{"id":"n","score":1,"vec":[1,0]},{"id":"S.1.p.Bk1","vec":[0,1]}],"query_vec":[1,1],"λ_state":"<>","answer_citations":[{"id":"S.1.p.Bk1","offsets":[0,9]}]}"#;

// Each of the files in turn beside sound others, or all three, cut at NULs.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let parts: Vec<&[u8]> = data.splitn(3, |&b| b == 0).collect();
    if let [gold, blocks, runs] = parts[..] {
        run(gold, Some(blocks), runs);
    } else {
        run(data, None, RUNS.as_bytes());
        run(GOLD.as_bytes(), Some(data), RUNS.as_bytes());
        run(GOLD.as_bytes(), Some(BLOCKS.as_bytes()), data);
    }
});

fn run(gold: &[u8], blocks: Option<&[u8]>, runs: &[u8]) {
    let mut inputs = vec![("gold", gold), ("traces", runs), ("baseline", RUNS.as_bytes())];
    inputs.extend(blocks.map(|blocks| ("blocks", blocks)));
    let asked = request(&suites::retrieval::SUITE, &inputs);
    exercise(&asked.extra(Extra::LayoutToo("trec")), |asked| asked.set("slices", "qid").set("per_topic", true));
}
