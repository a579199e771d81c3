//! Every door asks for the same: what is typed, what karat.toml says, what a report carries, and what `explain` and
//! `compare` make of it, for random values of every option of every suite.
#![allow(clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use karat_engine::detail::Detail;
use karat_engine::number::Decimal;
use karat_engine::pipeline::Cases;
use karat_engine::request::Value;
use karat_engine::request::key::{Key, Shape};
use karat_engine::{Report, Request, Suite};
use karat_report::compare::{self, Gates, Policy};
use karat_report::explain;
use karat_suites::config::Config;
use karat_suites::suites;
use proptest::prelude::*;
use proptest::sample::select;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project")
}

/// The inputs of each suite, by key: what is typed.
fn inputs(suite: &str) -> Vec<(&'static str, Vec<String>)> {
    let file = |name: &str| root().join(name).display().to_string();
    let files: &[(&str, &[&str])] = match suite {
        "answers" => {
            &[("gold", &["examples/answers/gold.jsonl"]), ("traces", &["examples/answers/*e*ed.jsonl"])]
        }
        "retrieval" => &[
            ("gold", &["examples/retrieval/gold.jsonl"]),
            ("traces", &["examples/retrieval/shadow.jsonl"]),
            ("blocks", &["examples/retrieval/blocks.jsonl"]),
            ("baseline", &["examples/retrieval/live.jsonl"]),
        ],
        "release" => &[
            ("gold", &["examples/release/gold.jsonl"]),
            ("traces", &["examples/release/production.jsonl", "examples/release/controls.jsonl"]),
            ("evidence", &["examples/release/evidence.jsonl"]),
        ],
        "latency" => &[
            ("gold", &["examples/latency/gold.jsonl"]),
            ("traces", &["examples/latency/sweep.jsonl"]),
            ("baseline", &["examples/latency/live.jsonl"]),
        ],
        "stability" => {
            &[("gold", &["examples/stability/gold.jsonl"]), ("traces", &["examples/stability/runs.jsonl"])]
        }
        "agreement" => &[("pairs", &["crates/karat/tests/cli/agreement.in/pairs.jsonl"])],
        _ => panic!("{suite} has no sample: a new suite gets a line here"),
    };
    files.iter().map(|(key, names)| (*key, names.iter().map(|name| file(name)).collect())).collect()
}

/// Something to type for a key; nothing leaves it at its default.
fn words(suite: &'static Suite, key: &'static Key) -> BoxedStrategy<Vec<String>> {
    let of = |lists: &[&[&str]]| {
        let lists = lists.iter().map(|list| list.iter().map(|word| (*word).to_owned()).collect());
        select(lists.chain([Vec::new()]).collect::<Vec<Vec<String>>>()).boxed()
    };
    match (key.name, key.shape) {
        // It has no effect beside gold and traces, and is refused.
        ("complete", _) => of(&[]),
        (_, Shape::Flag) => of(&[&["true"]]),
        (_, Shape::Word(words)) => {
            select(words.iter().map(|(word, _)| vec![(*word).to_owned()]).collect::<Vec<_>>()).boxed()
        }
        (_, Shape::Number(..)) => of(&[&["1"], &["5"], &["17"], &["1000000"]]),
        (_, Shape::Numbers(..)) => of(&[&["3"], &["2", "7"]]),
        ("refusal", _) => of(&[&["not in context"], &["/not in/", "n/a"]]),
        ("slices", _) => match suite.no_slices {
            None => of(&[&["workflow"]]),
            Some(_) => of(&[]),
        },
        ("gates", _) => of(&[&["malformed<=0"]]),
        ("grid", _) => of(&[&["seeds=0,1"], &["seeds=0", "jitters=none"]]),
        ("metrics", _) => of(&[&["R@5"], &["MRR,P@3"]]),
        ("version_keys", _) => of(&[&["index"], &["index", "dense"]]),
        // A rater of pairs, a preset and packs of rules are names of things that a sample need not have.
        ("truth", _) => of(&[&["scholar"]]),
        ("scu_rules" | "preset", _) => of(&[]),
        (name, _) if key.shape.is_input() => panic!("{name} is an input"),
        (name, _) => panic!("{name} of {} has no values here: a new option gets a line", suite.name),
    }
}

type Typed = BTreeMap<&'static str, Vec<String>>;

fn asked() -> impl Strategy<Value = (&'static Suite, Typed)> {
    select(suites::ALL.to_vec()).prop_flat_map(|suite| {
        let keys = suite.keys().filter(|key| !suite.inputs.contains(key) && !key.typed_only);
        let typed: Vec<BoxedStrategy<(&'static str, Vec<String>)>> =
            keys.map(|key| words(suite, key).prop_map(move |words| (key.name, words)).boxed()).collect();
        typed.prop_map(move |typed| {
            let typed = typed.into_iter().filter(|(_, words)| !words.is_empty());
            (suite, typed.chain(inputs(suite.name)).collect())
        })
    })
}

/// As the command line fills it.
fn typed(suite: &'static Suite, typed: &Typed) -> Request {
    typed.iter().fold(Request::new(suite), |request, (name, words)| {
        let key = suite.key(name).expect("a key");
        request.set(name, Value::typed(key, words).expect("a value"))
    })
}

/// As karat.toml says it.
fn configured(suite: &'static Suite, typed: &Typed) -> Request {
    let mut text = format!("[suites.x]\nkind = \"{}\"\n", suite.name);
    for (name, words) in typed {
        let quoted: Vec<String> = words.iter().map(|word| format!("{word:?}")).collect();
        let value = match suite.key(name).expect("a key").shape {
            Shape::Flag => words[0].clone(),
            Shape::Number(..) => words[0].clone(),
            Shape::Numbers(..) => format!("[{}]", words.join(", ")),
            Shape::File | Shape::Text | Shape::Word(_) => quoted[0].clone(),
            Shape::NamedTexts => {
                let axes = words.iter().filter_map(|word| word.split_once('='));
                let list = |values: &str| {
                    values.split(',').map(|value| format!("{value:?}")).collect::<Vec<_>>().join(", ")
                };
                let axes: Vec<String> =
                    axes.map(|(axis, values)| format!("{axis} = [{}]", list(values))).collect();
                format!("{{ {} }}", axes.join(", "))
            }
            _ => format!("[{}]", quoted.join(", ")),
        };
        text.push_str(&format!("{name} = {value}\n"));
    }
    let config = Config::parse("karat.toml", &text, Path::new(""), suites::ALL);
    config.unwrap_or_else(|failure| panic!("{failure}\n{text}")).suites.remove(0).request
}

fn scored(request: &Request) -> Result<Report, String> {
    request.evaluate().map_err(|failure| {
        failure.problems.iter().map(|problem| problem.message.clone()).collect::<Vec<_>>().join("; ")
    })
}

fn json(report: &Report) -> String {
    serde_json::to_string_pretty(report).expect("JSON")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_door_gives_the_same_report((suite, words) in asked()) {
        let request = typed(suite, &words);
        let report = match scored(&request) {
            Ok(report) => report,
            Err(message) => {
                prop_assert_eq!(scored(&configured(suite, &words)).map(|_| ()), Err(message));
                return Ok(());
            }
        };
        prop_assert_eq!(json(&scored(&configured(suite, &words)).expect("a report")), json(&report));
        let written: Report = serde_json::from_str(&json(&report)).expect("a report");
        let again = Request::of_report("report.json", &written.request, suites::ALL).expect("a request");
        let again_report = scored(&again).expect("a report");
        prop_assert_eq!(json(&again_report), json(&report));
        explain::same_run("report.json", &written, &again_report, explain::Shared::All).expect("the same run");

        // What is told of a case is what the report says of it.
        for case in report.cases.iter().step_by(report.cases.len() / 3 + 1) {
            let told = again.clone().show(Cases::All, Detail::Named(case.id.clone()));
            let told = explain::case(&scored(&told).expect("a report"), &case.id).expect("a case");
            let heads: Vec<&str> = told.lines().filter(|line| line.ends_with(case.id.as_str())).collect();
            let label = case.label.as_str();
            prop_assert!(heads.iter().any(|head| head.starts_with(label)), "{label}\n{told}");
        }

        // A report compared with itself, scored again: nothing moved.
        let policy = Policy {
            allow: Vec::new(),
            require_significant: false,
            alpha: Decimal::parse("0.05").expect("a number"),
            allow_gold_change: false,
            gates: Gates::Ignore,
            threads: 1,
        };
        match compare::compare(("a", &written), ("b", &again_report), &policy) {
            Ok(compared) => prop_assert!(compared.pass, "{}", suite.name),
            // Where figures cannot be paired, they cannot for both sides.
            Err(failure) => prop_assert!(!failure.problems.is_empty()),
        }
    }
}

#[test]
fn what_was_enforced_is_explained_so() {
    let gold = r#"{"qid":"A","question":"?","answerable":true,"gold_claim_substr":["alpha"],"gold_citations":["p"],"constraints":["X rejects null keys."]}"#;
    let traces = concat!(
        r#"{"qid":"A","retrieved_ids":["p"],"answer_json":{"claim":"not in context","citations":[]}}"#,
        "\n",
        r#"{"qid":"A","retrieved_ids":["p"],"answer_json":{"claim":"alpha permits null keys","citations":["p"],"constraints_echo":["X rejects null keys."]}}"#,
    );
    let source = |name: &str, text: &str| vec![karat_engine::Source::bytes(name, text.as_bytes())];
    let request = Request::new(&suites::answers::SUITE)
        .sources("gold", source("gold", gold))
        .sources("traces", source("traces", traces))
        .show(Cases::All, Detail::Named("A".into()));
    for (key, value, label) in
        [("scu", "enforce", "SCU_VIOLATION"), ("scu", "off", "OK"), ("runs", "all", "OVER_REFUSAL")]
    {
        let report = request.clone().set(key, value).evaluate().expect("a report");
        assert_eq!(report.cases[0].label, label, "{key} {value}");
        assert!(explain::case(&report, "A").expect("a case").starts_with(label), "{key} {value}");
    }
}
