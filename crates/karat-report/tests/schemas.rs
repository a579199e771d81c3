//! The schemas describe what karat reads and writes: samples validate, and so does every report.
#![allow(clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use karat_engine::{Request, Source};
use karat_report::schema;
use karat_suites::suites;
use serde_json::{Value, json};

fn validator(name: &str) -> Validator {
    let all = schema::all(suites::ALL);
    let schema = all.iter().find(|schema| schema.name == name).expect("a schema");
    jsonschema::validator_for(&schema.schema).expect("a sound schema")
}

fn rows(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a file");
    match serde_json::from_str(&text) {
        Ok(Value::Array(rows)) => rows,
        _ => text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect(),
    }
}

#[test]
fn samples_and_their_reports_are_what_the_schemas_say() {
    let (gold, trace, report) = (validator("answers.gold"), validator("answers.trace"), validator("report"));
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance");
    let mut checked = 0;
    for suite in ["answers", "answers-array", "answers-edges"] {
        for sample in fs::read_dir(samples.join(suite)).expect("samples") {
            let sample = sample.expect("a sample").path();
            let gold_file = ["gold.jsonl", "qaset.json"]
                .map(|name| sample.join(name))
                .into_iter()
                .find(|p| p.exists())
                .expect("gold");
            for (schema, file) in [(&gold, gold_file.clone()), (&trace, sample.join("trace.jsonl"))] {
                for row in rows(&file) {
                    let errors: Vec<String> = schema.iter_errors(&row).map(|e| e.to_string()).collect();
                    assert!(errors.is_empty(), "{}: {row}: {errors:?}", file.display());
                }
            }
            let request = Request::new(&suites::answers::SUITE)
                .sources("gold", vec![Source::file(gold_file)])
                .sources("traces", vec![Source::file(sample.join("trace.jsonl"))]);
            let made = request.evaluate().expect("a report");
            let made = serde_json::to_value(made).expect("JSON");
            assert!(
                report.is_valid(&made),
                "{:?}",
                report.iter_errors(&made).map(|e| e.to_string()).collect::<Vec<_>>()
            );
            checked += 1;
        }
    }
    assert!(checked >= 36);
}

#[test]
fn samples_of_retrieval_are_what_the_schemas_say() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance/retrieval");
    let schemas = ["gold", "blocks", "trace"].map(|role| (role, validator(&format!("retrieval.{role}"))));
    let report = validator("report");
    for sample in fs::read_dir(samples).expect("samples") {
        let sample = sample.expect("a sample").path();
        let file = |role: &str| sample.join(format!("{role}.jsonl"));
        for (role, schema) in &schemas {
            for row in rows(&file(role)) {
                let errors: Vec<String> = schema.iter_errors(&row).map(|e| e.to_string()).collect();
                assert!(errors.is_empty(), "{}: {row}: {errors:?}", file(role).display());
            }
        }
        let inputs = [("gold", "gold"), ("blocks", "blocks"), ("baseline", "trace"), ("traces", "trace")];
        let request = inputs.iter().fold(Request::new(&suites::retrieval::SUITE), |request, (key, name)| {
            request.sources(key, vec![Source::file(file(name))])
        });
        let made = request.evaluate().expect("a report");
        let made = serde_json::to_value(made).expect("JSON");
        let errors: Vec<String> = report.iter_errors(&made).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

#[test]
fn schemas_refuse_what_karat_refuses() {
    let (gold, trace) = (validator("answers.gold"), validator("answers.trace"));
    let row = json!({"qid": "A", "answerable": true, "gold_claim_substr": [], "gold_citations": ["p"]});
    assert!(gold.is_valid(&row));
    for (field, bad) in [
        ("answerable", json!("yes")),
        ("qid", json!(1.5)),
        ("gold_citations", json!([null])),
        ("match", json!("some")),
    ] {
        let mut broken = row.clone();
        broken[field] = bad;
        assert!(!gold.is_valid(&broken), "{field}");
    }
    assert!(
        trace.is_valid(&json!({"qid": "A", "answer_json": {"claim": null, "citations": "p1"}})),
        "a model's words are evidence"
    );
    for bad in [
        json!({"answer_json": {}}),
        json!({"qid": "", "q": null}),
        json!([]),
        json!({"qid": "A", "retrieved_ids": "p"}),
    ] {
        assert!(!trace.is_valid(&bad), "{bad}");
    }
}
