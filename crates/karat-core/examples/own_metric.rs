//! A metric of your own: one constant, added to the profile. It is reported, sliced and gated like any other.
//!
//! cargo run -p karat-core --example own_metric
#![allow(clippy::print_stdout)]

use karat_core::metrics::{Measure, Metric, Observation, Population};
use karat_core::pipeline::Gates;
use karat_core::suites::answers::{Inputs, Settings, evaluate};
use karat_core::{Failure, Profile, Source};

/// Of the questions that can be answered, how many have gold's evidence at the very top.
const TOP_RANK: Metric = Metric {
    name: "top_rank",
    summary: "Of the questions that can be answered, how many have gold's evidence at rank 1.",
    definition: "|{x ∈ A : the first retrieved id is gold}| / |A|",
    over: "answerable cases",
    population: Population::Answerable,
    source: "this example",
    measure: Measure::Answer(|v, _| v.answerable.then(|| Observation::bit(v.ranks.first() == Some(1)))),
    ..Metric::PLAIN
};

fn main() -> Result<(), Failure> {
    let mut profile = Profile::answers();
    profile.metrics.push(&TOP_RANK);
    let inputs = Inputs {
        gold: Source::file("examples/answers/gold.jsonl"),
        traces: vec![Source::file("examples/answers/trace.jsonl")],
    };
    let settings = Settings { gates: Gates::Explicit("top_rank>=0.50".into()), ..Settings::default() };
    let report = evaluate(&inputs, &profile, &settings)?;
    let figure = &report.metrics["top_rank"];
    println!("{} top_rank {:?} {:?}", report.verdict.name(), figure.value, figure.ci95);
    assert!(report.gates.iter().any(|gate| gate.metric == "top_rank" && gate.pass == Some(true)));
    Ok(())
}
