//! The edge cases of the contracts, one small input each. `check` compares the figures that a case names and its labels.
#![allow(clippy::expect_used, clippy::panic)]

use karat_engine::report::Decision;
use karat_engine::{Report, Request, Source};
use karat_suites::suites;

/// How the suite is asked, beside its files.
fn plain() -> Request {
    Request::new(&suites::answers::SUITE)
}

fn report(gold: &str, traces: &str, request: &Request) -> Report {
    let request = request.clone().sources("gold", vec![Source::bytes("gold", gold.as_bytes())]);
    let request = request.sources("traces", vec![Source::bytes("traces", traces.as_bytes())]);
    request.evaluate().unwrap_or_else(|failure| panic!("{failure}"))
}

/// `name n/d` for each figure that `expected` names, then the labels in gold's order.
#[track_caller]
fn check_with(request: &Request, gold: &str, traces: &str, expected: &str) {
    let report = report(gold, traces, request);
    let labels: Vec<&str> = report.cases.iter().map(|case| case.label.as_str()).collect();
    let (figures, _) = expected.split_once(" | ").unwrap_or((expected, ""));
    let mut shown: Vec<String> = Vec::new();
    for name in figures.split(' ').step_by(2) {
        shown.push(match (report.counts.get(name), report.metrics.get(name)) {
            (Some(count), _) => format!("{name} {count}"),
            (_, Some(figure)) => match (figure.num, figure.den, figure.value) {
                (Some(num), Some(den), _) => format!("{name} {num}/{den}"),
                (None, Some(_), Some(value)) => format!("{name} {value:.4}"),
                (Some(num), None, _) => format!("{name} {num}"),
                _ => format!("{name} null"),
            },
            _ => panic!("no figure is called {name}"),
        });
    }
    assert_eq!(format!("{} | {}", shown.join(" "), labels.join(" ")), expected);
}

#[track_caller]
fn check(gold: &str, traces: &str, expected: &str) {
    check_with(&plain(), gold, traces, expected);
}

const ONE: &str = r#"{"qid":"A","question":"a?","answerable":true,"gold_claim_substr":["null keys"],"gold_citations":["p1"]}"#;
const BOTH: &str = r#"{"qid":"A","question":"a?","answerable":true,"gold_claim_substr":["null keys"],"gold_citations":["p1"]}
{"qid":"U","question":"u?","answerable":false,"gold_claim_substr":[],"gold_citations":[]}"#;

#[test]
fn a_case_without_a_trace_is_a_shipped_empty_answer() {
    check(
        BOTH,
        "",
        "answered 2 missing 2 precision 0/2 chr 0/2 under_refusal 1/1 over_refusal 0/1 recall@5 0/1 | MISSING MISSING",
    );
    let skip = plain().set("missing", "skip");
    check_with(
        &skip,
        BOTH,
        "",
        "answered 0 missing 2 precision 0/0 under_refusal 0/0 over_refusal 0/0 | MISSING MISSING",
    );
}

#[test]
fn a_trace_of_an_unknown_case_is_counted_and_no_more() {
    check(ONE, r#"{"qid":"Z","q":"a?"}"#, "unmatched 1 missing 1 compliance 0/0 | MISSING");
}

#[test]
fn an_empty_claim_is_shipped_and_wrong() {
    let gold =
        r#"{"qid":"A","question":"a?","answerable":true,"gold_claim_substr":[],"gold_citations":["p1"]}"#;
    for claim in [r#""""#, r#"" \n""#, "null", "7", r#"["x"]"#] {
        let trace = format!(
            r#"{{"qid":"A","retrieved_ids":["p1"],"answer_json":{{"claim":{claim},"citations":["p1"]}}}}"#
        );
        check(gold, &trace, "answered 1 precision 0/1 chr 1/1 containment 0/1 | NO_CLAIM_MATCH");
    }
}

#[test]
fn all_refused_is_vacuous_not_perfect() {
    let refused = "{\"qid\":\"A\",\"answer_json\":{\"claim\":\"\\u00a0Not In Context \\u001c\",\"citations\":[]}}\n{\"qid\":\"U\",\"answer_json\":{\"claim\":\"not in context\"}}";
    check(
        BOTH,
        refused,
        "precision 0/0 chr 0/0 under_refusal 0/1 over_refusal 1/1 refused 2 | OVER_REFUSAL REFUSAL_OK",
    );
    let made = report(BOTH, refused, &plain());
    assert_eq!((made.metrics["precision"].value, made.metrics["precision"].vacuous), (Some(1.0), true));
    assert_eq!(made.verdict.name(), "NO-SHIP");
}

#[test]
fn a_full_stop_makes_an_answer_of_a_refusal() {
    let traces = "{\"qid\":\"A\",\"answer_json\":{\"claim\":\"not in context.\"}}\n{\"qid\":\"U\",\"answer_json\":{\"claim\":\"not in context.\"}}";
    check(
        BOTH,
        traces,
        "answered 2 precision 0/2 chr 0/2 under_refusal 1/1 over_refusal 0/1 | ANS_NO_HIT HALLUCINATION",
    );
}

#[test]
fn a_hallucination_without_citations_is_no_citation_hit() {
    let traces = "{\"qid\":\"A\",\"retrieved_ids\":[\"p1\"],\"answer_json\":{\"claim\":\"null keys\",\"citations\":[\"p1\"]}}\n{\"qid\":\"U\",\"answer_json\":{\"claim\":\"sure\",\"citations\":[]}}";
    check(BOTH, traces, "precision 1/2 chr 1/2 under_refusal 1/1 | OK HALLUCINATION");
}

#[test]
fn an_empty_list_of_phrases_asks_for_nothing_and_short_ones_never_match() {
    let gold = |substr: &str, extra: &str| {
        format!(
            r#"{{"qid":"A","question":"a?","answerable":true,"gold_claim_substr":{substr},"gold_citations":["p1"]{extra}}}"#
        )
    };
    let trace =
        r#"{"qid":"A","retrieved_ids":["p1"],"answer_json":{"claim":"ABCD and İABC","citations":["p1"]}}"#;
    check(&gold("[]", ""), trace, "precision 1/1 | OK");
    check(&gold(r#"["abcd"]"#, ""), trace, "precision 0/1 | NO_CLAIM_MATCH");
    check(&gold(r#"["İabc"]"#, ""), trace, "precision 1/1 | OK");
    check(&gold(r#"["abcd","abcd and"]"#, ""), trace, "precision 1/1 | OK");
    check(&gold(r#"["abcd","abcd and"]"#, r#","match":"all""#), trace, "precision 0/1 | NO_CLAIM_MATCH");
}

#[test]
fn no_gold_citations_means_that_none_may_be_cited() {
    let gold = r#"{"qid":"A","question":"a?","answerable":true,"gold_claim_substr":[],"gold_citations":[]}"#;
    let trace =
        |cites: &str| format!(r#"{{"qid":"A","retrieved_ids":["p1"],"answer_json":{{"claim":"x"{cites}}}}}"#);
    check(
        gold,
        &trace(r#","citations":[]"#),
        "precision 1/1 chr 1/1 recall@5 1/1 hit@5 1/1 chr_bound 1/1 mrr 1.0000 ndcg@5 1.0000 answer_hit_rate 0/1 | OK",
    );
    check(gold, &trace(""), "precision 1/1 compliance 0/1 | OK");
    check(gold, &trace(r#","citations":["p1"]"#), "precision 0/1 | ANS_NO_HIT");
    check(gold, "", "precision 0/1 recall@5 0/1 hit@5 0/1 mrr 0.0000 ndcg@5 0.0000 chr_bound 0/1 | MISSING");
}

#[test]
fn citations_that_are_no_list_out_of_scope_or_repeated() {
    let trace = |cites: &str| {
        format!(
            r#"{{"qid":"A","retrieved_ids":["p1","p2"],"answer_json":{{"claim":"null keys","citations":{cites}}}}}"#
        )
    };
    check(ONE, &trace(r#""p1""#), "chr 0/1 compliance 0/1 | ANS_NO_HIT");
    check(ONE, &trace("null"), "chr 0/1 compliance 0/1 | ANS_NO_HIT");
    check(ONE, &trace(r#"{"id":"p1"}"#), "chr 0/1 | ANS_NO_HIT");
    check(ONE, &trace(r#"["p1","p9"]"#), "chr 0/1 answer_hit_rate 1/1 citation_precision 1/2 | OUT_OF_SCOPE");
    check(ONE, &trace(r#"["p1",null]"#), "chr 0/1 citation_precision 1/2 | OUT_OF_SCOPE");
    check(
        ONE,
        &trace(r#"[" p1","p1 ","", "p1"]"#),
        "chr 1/1 citation_precision 1/1 citation_recall 1/1 | OK",
    );
    check(ONE, &trace(r#"["p1","p2"]"#), "precision 1/1 citation_precision 1/2 | OK");
}

#[test]
fn a_repeated_id_keeps_its_first_rank_and_its_slot() {
    let gold = r#"{"qid":"A","question":"a?","answerable":true,"gold_claim_substr":[],"gold_citations":["p2","p3"]}"#;
    let trace = r#"{"qid":"A","retrieved_ids":["p1","p1","p2","p2","p3"],"answer_json":{"claim":"x","citations":["p2"]}}"#;
    let at = |k: u64| plain().set("k", k);
    check_with(&at(2), gold, trace, "hit@2 0/1 recall@2 0/1 chr 1/1 | OK");
    check_with(&at(3), gold, trace, "hit@3 1/1 recall@3 0/1 mrr 0.3333 | OK");
    // DCG = 1/log2(4) + 1/log2(6), ideal = 1 + 1/log2(3)
    check_with(&at(5), gold, trace, "recall@5 1/1 ndcg@5 0.5438 | OK");
}

#[test]
fn ids_are_strings_or_whole_numbers() {
    let gold = r#"{"qid":7,"question":"a?","answerable":true,"gold_claim_substr":[],"gold_citations":[12]}"#;
    let trace = r#"{"q_id":"7","retrieved_ids":["12"],"answer_json":{"claim":"x","citations":[12]}}"#;
    check(gold, trace, "precision 1/1 unmatched 0 | OK");
}

#[test]
fn the_last_trace_counts_or_each() {
    let traces = "{\"qid\":\"A\",\"retrieved_ids\":[\"p1\"],\"answer_json\":{\"claim\":\"null keys\",\"citations\":[\"p1\"]}}\n{\"qid\":\"A\",\"answer_json\":{\"claim\":\"not in context\"}}";
    check(ONE, traces, "answered 0 refused 1 | OVER_REFUSAL");
    let all = plain().set("runs", "all");
    check_with(
        &all,
        ONE,
        traces,
        "answered 1 refused 1 precision 1/1 over_refusal 1/2 compliance 2/2 recall@5 1/2 | OVER_REFUSAL",
    );
}

#[test]
fn a_failed_pipeline_is_scored_like_a_missing_case() {
    let gold = r#"{"qid":"A","question":"a?","answerable":true,"gold_claim_substr":[],"gold_citations":[]}"#;
    check(
        gold,
        r#"{"qid":"A","ok":false,"reason":"timeout","retrieved_ids":["p1"]}"#,
        "errored 1 missing 0 answered 1 precision 0/1 recall@5 0/1 compliance 0/1 | ERROR",
    );
    check(
        gold,
        r#"{"qid":"A","ok":false,"answer_json":{"claim":"x","citations":[]}}"#,
        "errored 0 precision 1/1 | OK",
    );
}

#[test]
fn constraints_are_echoed_as_trimmed_multisets_and_not_contradicted() {
    let gold = r#"{"qid":"A","question":"a?","answerable":true,"gold_claim_substr":["null keys"],"gold_citations":["p1"],"constraints":["X rejects null keys.","TTL ≤ 5s."]}"#;
    let trace = |claim: &str, echo: &str| {
        format!(
            r#"{{"qid":"A","retrieved_ids":["p1"],"answer_json":{{"claim":"{claim}","citations":["p1"],"constraints_echo":{echo}}}}}"#
        )
    };
    let good = r#"["TTL ≤ 5s. "," X rejects null keys.",""]"#;
    let scu = |scu: &str| plain().set("scu", scu);
    let enforce = |claim: &str, echo: &str, expected: &str| {
        check_with(&scu("enforce"), gold, &trace(claim, echo), expected)
    };
    enforce("X rejects null keys", good, "scu_violations 0 scu_integrity 1/1 precision 1/1 | OK");
    enforce(
        "X rejects null keys",
        r#"["X rejects null keys."]"#,
        "scu_violations 1 echo_mismatch 1 contradiction 0 precision 0/1 chr 1/1 | SCU_VIOLATION",
    );
    enforce("X rejects null keys", "null", "echo_mismatch 1 | SCU_VIOLATION");
    enforce(
        "X rejects null keys",
        r#"["TTL ≤ 5s.","X rejects null keys.",1.5]"#,
        "echo_mismatch 1 | SCU_VIOLATION",
    );
    enforce("X permits null keys", good, "contradiction 1 scu_integrity 0/1 precision 0/1 | SCU_VIOLATION");
    enforce("X permits null keys", "[]", "echo_mismatch 1 contradiction 0 scu_violations 1 | SCU_VIOLATION");
    enforce("X does not support null keys", good, "scu_violations 0 precision 1/1 | OK");
    enforce("not in context", "null", "scu_violations 0 | OVER_REFUSAL");
    check_with(
        &scu("report"),
        gold,
        &trace("X permits null keys", good),
        "scu_violations 1 precision 1/1 | OK",
    );
    check_with(
        &scu("off"),
        gold,
        &trace("X permits null keys", "null"),
        "scu_violations null precision 1/1 | OK",
    );
    check_with(&scu("enforce"), gold, "", "scu_violations 1 scu_integrity 0/1 | MISSING");
}

#[test]
fn forbidden_texts_of_any_length() {
    let gold = r#"{"qid":"A","question":"a?","answerable":true,"gold_claim_substr":["null keys"],"gold_citations":["p1"],"forbidden_substr":["ÄÖ"]}"#;
    let trace =
        r#"{"qid":"A","retrieved_ids":["p1"],"answer_json":{"claim":"null keys äö","citations":["p1"]}}"#;
    check(gold, trace, "precision 0/1 chr 1/1 | FORBIDDEN");
}

#[test]
fn the_array_contract() {
    let gold = r#"[ {"qid":"q1","q":"What is X?","answerable":true,"gold_ids":["p1#1"],"gold_claim":"X is a constrained mapping."},
        {"qid":"q2","q":"Explain Y.","answerable":true,"gold_ids":["p2#1"]},
        {"qid":"q3","q":"What is Z?","answerable":false,"gold_ids":[]} ]"#;
    let traces = r#"{"q":"What is X?","chunks":[{"id":"p1#1"}],"answer":"- X is a Constrained mapping.\n- citations: ['p1#1']"}
{"question":"Explain Y.","chunks":[],"answer":"Y.","citations":["p2#1"]}
{"q":"What is Z?","answer":"NOT in context"}"#;
    check(
        gold,
        traces,
        "answer_hit_rate 2/2 answerable_chr 2/2 containment 1/2 compliance 3/3 precision 1/2 | OK OUT_OF_SCOPE REFUSAL_OK",
    );
    assert_eq!(report(gold, traces, &plain()).settings.gates, "quality");
}

#[test]
fn a_suite_that_measured_nothing_does_not_ship() {
    let skip = plain().set("missing", "skip").set("gates", "malformed<=0");
    let empty = report(BOTH, "", &skip);
    assert!(!empty.pass && empty.verdict == Decision::Inconclusive);
    assert_eq!(empty.headline.as_deref(), Some("no case has a trace, so that nothing was measured"));
    let refused = r#"{"qid":"U","answer_json":{"claim":"not in context","citations":[]}}"#;
    assert!(report(BOTH, refused, &skip).pass, "one trace is something");
    let source = |name: &str, text: &str| vec![Source::bytes(name, text.as_bytes())];
    let rater = r#"{"qid":"A","label":"VALID"}"#;
    let raters = vec![
        ("a".to_owned(), Source::bytes("a", rater.as_bytes())),
        ("b".to_owned(), Source::bytes("b", rater.replace("\"A\"", "\"B\"").into_bytes())),
    ];
    let gold = r#"{"qid":"A","relevant":["p1"]}"#;
    for request in [
        Request::new(&suites::agreement::SUITE).named("raters", raters).set("gates", "unpaired<=9"),
        Request::new(&suites::retrieval::SUITE)
            .sources("gold", source("gold", gold))
            .sources("traces", source("traces", ""))
            .set("gates", "missing<=9"),
        Request::new(&suites::latency::SUITE)
            .sources("latency_csv", source("times.csv", "e2e_ms\n"))
            .set("gates", "untimed<=9"),
        Request::new(&suites::stability::SUITE)
            .sources("gold", source("gold", ONE))
            .sources("traces", source("traces", ""))
            .set("gates", "missing<=9 missing_runs<=9 errored<=9 silent<=9"),
    ] {
        let report = request.evaluate().unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(report.verdict, Decision::Inconclusive, "{}", report.suite);
        let headline = report.headline.unwrap_or_default();
        assert!(headline.starts_with("no "), "{}: {headline}", report.suite);
    }
}
