//! One line of the log, read and refused.

use super::*;

fn problems(line: &str) -> String {
    let mut wrong = Vec::new();
    read(line, Repeats::Refuse, &mut wrong);
    wrong.iter().map(|w| format!("{} {}", w.kind.slug, w.message)).collect::<Vec<_>>().join(" / ")
}

#[test]
fn reads_a_run() {
    let line = r#"{"qid":7,"query":"a\u00e9?","seed":-1,"paraphrase":2,"index_hash":"h","λ_state":"→","topk":
        [{"id":" p1 ","score":0.9,"offsets":[1,2],"type":"paragraph","x":[1]},{"id":2,"type":null}],
        "delta_s":[0.25,null],"answer_citations":[{"id":"p1","offsets":[1,9]},"p2",{"id":null},3.5]}"#;
    let mut wrong = Vec::new();
    let trace = read(line, Repeats::Refuse, &mut wrong);
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!((trace.id.as_deref(), trace.query.as_deref()), (Some("7"), Some("aé?")));
    assert_eq!((trace.seed, trace.paraphrase, trace.index_hash.as_deref()), (-1, Some(2), Some("h")));
    assert_eq!(trace.lambda, Some(State::Convergent));
    let ids: Vec<&str> = trace.retrieved.iter().map(|item| &*item.id).collect();
    assert_eq!((ids, trace.retrieved[0].kind), (vec!["p1", "2"], Some(Kind::Prose)));
    let distances: Vec<_> = trace.retrieved.iter().map(|item| item.delta_s.map(DeltaS::get)).collect();
    assert_eq!((distances, trace.source), (vec![Some(0.25), None], Some(Source::Logged)));
    let cited: Vec<_> = trace.cited.iter().map(|one| (one.id.as_deref(), one.span.is_some())).collect();
    assert_eq!(cited, [(Some("p1"), true), (Some("p2"), false), (None, false), (None, false)]);
}

#[test]
fn what_the_model_cites_is_never_refused() {
    for (said, cited) in [("\"p1\"", 1), ("{}", 1), ("null", 0), ("[]", 0), ("[null, 7]", 2)] {
        let line = format!(r#"{{"qid":"A","answer_citations":{said}}}"#);
        let mut wrong = Vec::new();
        assert_eq!(read(&line, Repeats::Refuse, &mut wrong).cited.len(), cited, "{said}");
        assert!(wrong.is_empty(), "{said}");
    }
}

#[test]
fn vectors_stand_in_for_distances() {
    let line =
        r#"{"qid":"A","topk":[{"id":"a","vec":[3,4]},{"id":"b","vec":[0,0]},{"id":"c"}],"query_vec":[4,3]}"#;
    let trace = read(line, Repeats::Refuse, &mut Vec::new());
    let distances: Vec<_> = trace.retrieved.iter().map(|item| item.delta_s.map(DeltaS::get)).collect();
    assert!((distances[0].unwrap() - 0.04).abs() < 1e-12);
    assert_eq!((&distances[1..], trace.source), (&[Some(1.0), None][..], Some(Source::Computed)));
    let logged = line.replace("\"query_vec\"", "\"ΔS\":[0,0,0],\"query_vec\"");
    assert_eq!(read(&logged, Repeats::Refuse, &mut Vec::new()).source, Some(Source::Logged));
}

#[test]
fn names_what_is_wrong() {
    for (fields, expected) in [
        (r#""ΔS":[0.1]"#, "trace/ds-length `ΔS` has 1 value, `topk` has 2"),
        (r#""ds":[0.1,1.5]"#, "trace/ds-range `ds[1]` is 1.5"),
        (r#""ds":[-0.1,1e999]"#, "trace/ds-range `ds[0]` is -0.1 / trace/ds-range `ds[1]` is 1e999"),
        (r#""ds":["x",0]"#, "trace/wrong-type `ds[0]` is a string"),
        (r#""lambda_state":"=>""#, "trace/lambda `lambda_state` is \"=>\""),
        (r#""λ_state":1"#, "trace/lambda `λ_state` is a number"),
        (r#""seed":1.5"#, "trace/wrong-type `seed` is 1.5"),
        (r#""paraphrase":-1"#, "trace/wrong-type `paraphrase` is -1"),
        (
            r#""answer_citations":[{"id":"a","offsets":[9,9]}]"#,
            "offsets/order `answer_citations[0].offsets` starts at 9 and ends at 9",
        ),
    ] {
        let line = format!(r#"{{"qid":"A","topk":[{{"id":"a"}},{{"id":"b"}}],{fields}}}"#);
        assert_eq!(problems(&line), expected);
    }
    for (line, expected) in [
        (
            r#"{"qid":"A","topk":[{"id":"a"},{"id":"a"}]}"#,
            "trace/duplicate-id \"a\" is already at rank 1 of this ranking",
        ),
        (
            r#"{"qid":"A","topk":[{"id":"a","vec":[1]}],"query_vec":[1,2]}"#,
            "trace/vector `topk[0].vec` has 1 components, `query_vec` has 2",
        ),
        (
            r#"{"qid":"A","topk":["a",{}]}"#,
            "trace/wrong-type `topk[0]` is a string / trace/wrong-type `topk[1]` has no `id`",
        ),
        (r#"{"query":"x"}"#, "trace/no-case this trace names no question"),
        ("[]", "trace/not-an-object this line is a list, not an object"),
    ] {
        assert_eq!(problems(line), expected);
    }
    assert!(problems(r#"{"qid":"A""#).starts_with("input/bad-json"));
}

#[test]
fn repeated_ids_may_be_dropped() {
    let line = r#"{"qid":"A","topk":[{"id":"a"},{"id":"b"},{"id":"a"}],"ΔS":[0.1,0.2,0.3]}"#;
    let trace = read(line, Repeats::Drop, &mut Vec::new());
    assert_eq!((trace.retrieved.len(), trace.repeated), (2, 1));
    assert_eq!(trace.retrieved[0].delta_s.map(DeltaS::get), Some(0.1));
}
