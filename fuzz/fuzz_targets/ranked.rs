//! The three files of `retrieval`: gold, block table, runs.
#![no_main]

use karat_core::Source;
use karat_core::formats::{ALL, Style};
use karat_core::suites::retrieval::{Inputs, Lines, Settings, score};
use karat_core::trec::measures::Over;

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
    let inputs = Inputs {
        gold: Source::bytes("gold", gold),
        blocks: blocks.map(|blocks| Source::bytes("blocks", blocks)),
        traces: vec![Source::bytes("shadow", runs)],
        baseline: Some(vec![Source::bytes("live", RUNS.as_bytes())]),
    };
    for (lenient, slices) in [(false, vec![]), (true, vec!["qid".to_owned()])] {
        let settings = Settings { lenient, slices, threads: 1, ..Settings::default() };
        match score(&inputs, &settings, &|_| {}) {
            Ok(scored) => {
                let report = scored.report();
                for format in ALL {
                    (format.render)(&report, &Style { color: true, brief: false });
                }
                assert!(scored.trec(Lines::PerTopic, Over::Complete).starts_with(|c: char| c.is_alphabetic()));
            }
            Err(failure) => assert!(!failure.problems.is_empty() && !failure.to_string().is_empty()),
        }
    }
}
