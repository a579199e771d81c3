//! The files of `latency`: gold, timed traces, a CSV of times.
#![no_main]

use karat_core::Source;
use karat_core::formats::{ALL, Style};
use karat_core::suites::latency::{Inputs, Select, Settings, evaluate};

const GOLD: &str = r#"{"qid":"q","question":"w","answerable":true,"gold_claim_substr":["right words"],"gold_citations":["p"]}"#;
const TRACES: &str = r#"{"qid":"q","retrieved_ids":["p"],"answer_json":{"claim":"the right words","citations":["p"]},"e2e_ms":12.5,"stage_ms":{"llm":3},"knobs":{"b":[1,{"a":"\u00e9"}],"a":null},"load_rps":5}"#;
const TIMES: &str = "ts,qid,e2e_ms,retrieval_ms,rerank_ms,llm_ms,guard_ms,knobs\n1,q,12,1,,3,4,\"{\"\"k\"\": 5}\"\n";

// Each of the files in turn beside sound others, or all three, cut at NULs.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let parts: Vec<&[u8]> = data.splitn(3, |&b| b == 0).collect();
    if let [gold, traces, times] = parts[..] {
        run(Some(gold), Some(traces), Some(times));
    } else {
        run(Some(data), Some(TRACES.as_bytes()), None);
        run(Some(GOLD.as_bytes()), Some(data), None);
        run(Some(GOLD.as_bytes()), Some(TRACES.as_bytes()), Some(data));
        run(None, None, Some(data));
    }
});

fn run(gold: Option<&[u8]>, traces: Option<&[u8]>, times: Option<&[u8]>) {
    let source = |name: &str, bytes: Option<&[u8]>| bytes.map(|bytes| Source::bytes(name, bytes));
    let inputs = Inputs {
        gold: source("gold", gold),
        traces: source("traces", traces).into_iter().collect(),
        latency_csv: source("times", times).into_iter().collect(),
        baseline: gold.map(|_| vec![Source::bytes("before", TRACES.as_bytes())]),
    };
    for (lenient, select) in [(false, Select::Fastest), (true, Select::Knee)] {
        let settings = Settings { lenient, select, threads: 1, ..Settings::default() };
        match evaluate(&inputs, &settings) {
            Ok(report) => ALL.iter().for_each(|format| {
                (format.render)(&report, &Style { color: true, brief: false });
            }),
            Err(failure) => assert!(!failure.problems.is_empty() && !failure.to_string().is_empty()),
        }
    }
}
