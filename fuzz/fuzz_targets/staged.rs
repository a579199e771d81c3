//! The three files of `release`: evidence, gold, cases.
#![no_main]

use karat_core::Source;
use karat_core::formats::{ALL, Style};
use karat_core::suites::release::{Inputs, Settings, evaluate, explain};

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
    let inputs = Inputs {
        evidence: vec![Source::bytes("evidence", evidence)],
        gold: Source::bytes("gold", gold),
        traces: vec![Source::bytes("cases", cases)],
    };
    for (lenient, trust_claim_phrases, slices) in
        [(false, false, vec![]), (true, true, vec!["case_id".to_owned()])]
    {
        let settings = Settings {
            lenient,
            trust_claim_phrases,
            slices,
            version_keys: vec!["index".into()],
            threads: 1,
            ..Settings::default()
        };
        match evaluate(&inputs, &settings) {
            Ok(report) => {
                for format in ALL {
                    (format.render)(&report, &Style { color: true, brief: false });
                }
                if let Some(case) = report.cases.first() {
                    assert!(explain(&inputs, &settings, &case.id).is_ok());
                }
            }
            Err(failure) => assert!(!failure.problems.is_empty() && !failure.to_string().is_empty()),
        }
    }
}
