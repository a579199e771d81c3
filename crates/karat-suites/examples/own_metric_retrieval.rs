//! A metric of your own for `retrieval`: the same constant, over another verdict.
//!
//! cargo run -p karat-suites --example own_metric_retrieval
#![allow(clippy::print_stdout)]

use karat_suites::metrics::{About, Empty, Fold};
use karat_suites::suites;
use karat_suites::suites::retrieval::metrics::Metric;
use karat_suites::{Failure, Request};

/// How often at least one relevant id is among the first two.
const TOP_TWO: Metric = Metric::case(
    &About {
        name: "top_two",
        summary: "How often a run returns a relevant id among its first two.",
        definition: "mean over questions of the mean over runs of [G ∩ R_2 ≠ ∅]",
        over: "questions",
        empty: Empty::Undefined,
        fold: Fold::Mean,
        source: "this example",
        ..About::PLAIN
    },
    |question, p| question.mean(p, |run| Some(run.ranked.success(2))),
);

fn main() -> Result<(), Failure> {
    let report = Request::new(&suites::retrieval::SUITE)
        .metric(TOP_TWO)
        .set("gold", "examples/retrieval/gold.jsonl")
        .set("traces", "examples/retrieval/shadow.jsonl")
        .set("gates", "top_two>=0.50")
        .evaluate()?;
    let figure = &report.metrics["top_two"];
    println!("{} top_two {:?} {:?}", report.verdict.name(), figure.value, figure.ci95);
    assert!(report.gates.iter().any(|gate| gate.metric == "top_two" && gate.pass == Some(true)));
    Ok(())
}
