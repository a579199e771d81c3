//! The laws that make karat's figures mergeable, as properties over random gold sets and traces.
#![allow(clippy::expect_used, clippy::panic, clippy::type_complexity)]

use karat_engine::tally::{Figure, Tally};
use karat_engine::{Report, Request, Source};
use karat_suites::judge::{Constraint, Containment, Params, Presence, Ranks, Scu, Verdict};
use karat_suites::model::Listed;
use karat_suites::suites;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

fn verdicts() -> impl Strategy<Value = Verdict> {
    let presence = select(vec![Presence::Traced, Presence::Traced, Presence::Missing, Presence::Errored]);
    let containment = select(vec![Containment::Yes, Containment::No, Containment::Unknown]);
    let citations = select(vec![Listed::List, Listed::List, Listed::Absent, Listed::NotAList]);
    let constraint = select(vec![Constraint::Kept, Constraint::EchoMismatch, Constraint::Contradiction]);
    let flags = (any::<[bool; 5]>(), 0..6u32, prop::collection::btree_set(1..80u32, 0..5), 0..4u32);
    (presence, containment, citations, constraint, flags).prop_map(
        |(
            presence,
            containment,
            citations,
            constraint,
            ([answerable, refused, in_scope, forbidden, constrained], cited, ranks, more),
        )| {
            let gold = ranks.len() as u32 + more;
            Verdict {
                presence,
                answerable,
                refused: refused && presence == Presence::Traced,
                near_refusal: false,
                containment,
                citations,
                in_scope,
                cited,
                cited_gold: cited.min(gold),
                gold,
                ranks: Ranks::new(ranks),
                forbidden,
                constrained,
                constraint,
            }
        },
    )
}

fn figures() -> Vec<Figure<Verdict>> {
    let params = Params { k: 5, scu: Scu::Enforce };
    suites::answers::metrics::ALL
        .iter()
        .map(|&&metric| Figure { metric, params, name: metric.at(5) })
        .collect()
}

fn tally(verdicts: &[Verdict], figures: &[Figure<Verdict>]) -> Tally {
    let mut tally = Tally::new(figures);
    verdicts.iter().for_each(|verdict| tally.add(verdict, figures));
    tally
}

proptest! {
    #[test]
    fn any_split_in_any_order_gives_the_same_bits(
        all in prop::collection::vec(verdicts(), 0..60),
        cuts in prop::collection::vec(any::<Index>(), 0..6),
        order in any::<u64>(),
    ) {
        let figures = figures();
        let whole = tally(&all, &figures);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(all.len() + 1)).chain([0, all.len()]).collect();
        cuts.sort_unstable();
        let mut parts: Vec<Tally> = cuts.windows(2).map(|cut| tally(&all[cut[0]..cut[1]], &figures)).collect();
        let turn = order as usize % parts.len().max(1);
        parts.rotate_left(turn);
        if order & 1 == 1 {
            parts.reverse();
        }
        // Left to right, and pairwise as a tree would.
        let mut line = Tally::new(&figures);
        parts.iter().for_each(|part| line.merge(part));
        while parts.len() > 1 {
            let right = parts.split_off(parts.len() - 1);
            parts[0].merge(&right[0]);
        }
        prop_assert_eq!(&line, &whole);
        prop_assert_eq!(&parts[0], &whole);
    }

    #[test]
    fn bounds_hold_case_by_case(verdict in verdicts(), k in 1..12u32) {
        let params = Params { k, scu: Scu::Enforce };
        let num = |name: &str| {
            let metric = **suites::answers::metrics::ALL.iter().find(|m| m.name == name).expect("a metric");
            let figure = Figure { metric, params, name: name.into() };
            figure.measure(&verdict).map_or(0, |observation| observation.num)
        };
        prop_assert!(num("recall@k") <= num("hit@k"));
        prop_assert!(num("precision") <= num("chr"));
        prop_assert!(num("answerable_chr") >= num("answer_hit_rate"));
    }
}

const IDS: [&str; 6] = ["p1", "p2", "p3", "p4", "é#1", "日#2"];
const CLAIMS: [&str; 6] = [
    "not in context",
    " NOT IN CONTEXT\n",
    "not in context.",
    "",
    "the alpha phrase holds",
    "Τέλος, BETA PHRASE",
];

fn golds() -> impl Strategy<Value = Vec<Value>> {
    let row = (
        any::<bool>(),
        select(vec![vec!["alpha phrase"], vec!["beta phrase", "gamma"], vec![]]),
        prop::sample::subsequence(IDS.to_vec(), 0..3),
        select(vec!["a", "b"]),
    );
    prop::collection::vec(row, 1..12).prop_map(|rows| {
        let row =
            |(i, (answerable, phrases, citations, team)): (usize, (bool, Vec<&str>, Vec<&str>, &str))| {
                json!({"qid": format!("Q{i}"), "question": format!("{i}?"), "answerable": answerable,
                   "gold_claim_substr": phrases, "gold_citations": citations, "team": team})
            };
        rows.into_iter().enumerate().map(row).collect()
    })
}

fn traces() -> impl Strategy<Value = Vec<Value>> {
    let ids = || prop::collection::vec(select(IDS.to_vec()), 0..6);
    let row = (0..14usize, ids(), ids(), select(CLAIMS.to_vec()), any::<bool>());
    prop::collection::vec(row, 0..40).prop_map(|rows| {
        let row = |(case, retrieved, cited, claim, ok): (usize, Vec<&str>, Vec<&str>, &str, bool)| {
            json!({"qid": format!("Q{case}"), "retrieved_ids": retrieved, "ok": ok,
                   "answer_json": {"claim": claim, "citations": cited}})
        };
        rows.into_iter().map(row).collect()
    })
}

fn lines(rows: &[Value]) -> Vec<u8> {
    rows.iter().flat_map(|row| format!("{row}\n").into_bytes()).collect()
}

fn report(gold: &[Value], traces: &[Value], threads: usize) -> Report {
    Request::new(&suites::answers::SUITE)
        .sources("gold", vec![Source::bytes("gold", lines(gold))])
        .sources("traces", vec![Source::bytes("trace", lines(traces))])
        .set("gates", "precision>=0.5 mrr>=0.1 recall@2>=0.1 under<=0.5@95")
        .set("slices", "team")
        .threads(threads)
        .evaluate()
        .expect("sound input")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn shuffling_traces_with_unique_ids_changes_nothing_but_the_hash(gold in golds(), traces in traces(), turn in any::<Index>()) {
        let mut seen = std::collections::BTreeSet::new();
        let unique: Vec<Value> = traces.into_iter().filter(|trace| seen.insert(trace["qid"].to_string())).collect();
        let mut shuffled = unique.clone();
        if !shuffled.is_empty() {
            let turn = turn.index(shuffled.len());
            shuffled.rotate_left(turn);
            shuffled.reverse();
        }
        let text = |rows: &[Value]| {
            let mut report = report(&gold, rows, 1);
            report.inputs[1].sha256 = None;
            serde_json::to_string(&report).expect("JSON")
        };
        prop_assert_eq!(text(&unique), text(&shuffled));
    }

    #[test]
    fn the_figures_keep_their_bounds(gold in golds(), traces in traces()) {
        let report = report(&gold, &traces, 1);
        let value = |name: &str| report.metrics[name].value.expect("a value");
        prop_assert!(value("chr") <= value("chr_bound"));
        prop_assert!(value("recall@5") <= value("hit@5"));
        prop_assert!(value("recall@2") <= value("recall@5"));
        prop_assert!(value("precision") <= value("chr"));
        for (name, figure) in &report.metrics {
            if let (Some(value), Some([low, high])) = (figure.value, figure.ci95) {
                prop_assert!(0.0 <= low && low <= high && high <= 1.0, "{}", name);
                prop_assert!(low <= value && value <= high || figure.num.is_none(), "{} {} {:?}", name, value, figure.ci95);
            }
        }
        let cases: u64 = report.labels.values().sum();
        prop_assert_eq!(cases, gold.len() as u64);
    }
}

#[test]
fn one_thread_and_eight_give_the_same_bytes() {
    // Enough for a few dozen blocks, with several traces a case so that "last wins" is put to the test.
    let gold: Vec<Value> = (0..400)
        .map(|i| json!({"qid": format!("Q{i}"), "question": format!("{i}?"), "answerable": i % 5 != 0,
                        "gold_claim_substr": [format!("fact {i} holds")], "gold_citations": [format!("p{}", i % 7)], "team": i % 3}))
        .collect();
    let traces: Vec<Value> = (0..60_000)
        .map(|i: usize| {
            let case = i * 7919 % 450;
            json!({"qid": format!("Q{case}"), "retrieved_ids": (0..8).map(|r| format!("p{}", (i + r) % 11)).collect::<Vec<_>>(),
                   "answer_json": {"claim": if i.is_multiple_of(9) { "not in context".to_owned() } else { format!("so fact {case} holds {i}") },
                                   "citations": [format!("p{}", case % 7)]}, "pad": "x".repeat(300)})
        })
        .collect();
    let text = |threads| serde_json::to_string(&report(&gold, &traces, threads)).expect("JSON");
    let one = text(1);
    assert_eq!(one, text(8));
    assert_eq!(one, text(3));
}

#[test]
fn a_large_gold_set_is_the_same_for_any_number_of_threads() {
    let row = |i: usize| {
        json!({"qid": format!("Q{i}"), "question": format!("What is {i}?"), "answerable": !i.is_multiple_of(5), "team": i % 3,
               "gold_claim_substr": [format!("fact {i} holds")], "gold_citations": [format!("p{}", i % 7)], "pad": "x".repeat(300)})
    };
    let mut gold: Vec<Value> = (0..40_000).map(row).collect();
    let traces: Vec<Value> = (0..40_000)
        .step_by(3)
        .map(|i| json!({"qid": format!("Q{i}"), "answer_json": {"claim": format!("fact {i} holds")}}))
        .collect();
    let text =
        |gold: &[Value], threads| serde_json::to_string(&report(gold, &traces, threads)).expect("JSON");
    assert_eq!(text(&gold, 1), text(&gold, 3));
    // A warning far down, and two equal questions in two pieces: said the same way.
    gold[39_000]["gold_citations"] = json!([]);
    gold[38_999]["question"] = json!("What is 7?");
    assert_eq!(text(&gold, 1), text(&gold, 3));
}
