//! A metric of your own: one constant, added to the request. It is reported, sliced and gated like any other.
//!
//! cargo run -p karat-suites --example own_metric
#![allow(clippy::print_stdout)]

use karat_suites::metrics::{About, Observation, Population};
use karat_suites::suites;
use karat_suites::suites::answers::metrics::Metric;
use karat_suites::{Failure, Request};

/// Of the questions that can be answered, how many have gold's evidence at the very top.
const TOP_RANK: Metric = Metric::case(
    &About {
        name: "top_rank",
        summary: "Of the questions that can be answered, how many have gold's evidence at rank 1.",
        definition: "|{x ∈ A : the first retrieved id is gold}| / |A|",
        over: "answerable cases",
        population: Population::Answerable,
        source: "this example",
        ..About::PLAIN
    },
    |v, _| v.answerable.then(|| Observation::bit(v.ranks.first() == Some(1))),
);

fn main() -> Result<(), Failure> {
    let report = Request::new(&suites::answers::SUITE)
        .metric(TOP_RANK)
        .set("gold", "examples/answers/gold.jsonl")
        .set("traces", "examples/answers/trace.jsonl")
        .set("gates", "top_rank>=0.50")
        .evaluate()?;
    let figure = &report.metrics["top_rank"];
    println!("{} top_rank {:?} {:?}", report.verdict.name(), figure.value, figure.ci95);
    assert!(report.gates.iter().any(|gate| gate.metric == "top_rank" && gate.pass == Some(true)));
    Ok(())
}
