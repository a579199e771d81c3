//! Scoring from Rust: two files in, a decision out.
//!
//! cargo run -p karat-report --example score -- examples/answers/gold.jsonl examples/answers/trace.jsonl
#![allow(clippy::print_stdout)]

use karat_report::formats::{self, Style};
use karat_suites::suites;
use karat_suites::{Failure, Request};

fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let gold = args.next().unwrap_or_else(|| "examples/answers/gold.jsonl".into());
    let trace = args.next().unwrap_or_else(|| "examples/answers/trace.jsonl".into());

    let report = Request::new(&suites::answers::SUITE)
        .set("gold", gold.as_str())
        .set("traces", trace.as_str())
        .set("gates", "precision>=0.60, chr>=0.60, recall@3>=0.80")
        .set("slices", "workflow")
        .evaluate()?;

    // The report is plain data ...
    let precision = &report.metrics["precision"];
    println!(
        "{}: precision {:?} ({:?}/{:?})",
        report.verdict.name(),
        precision.value,
        precision.num,
        precision.den
    );
    for slice in &report.slices {
        println!("  {:?}: {:?}", slice.value, slice.metrics["precision"].value);
    }
    // ... and any format writes it.
    let text = (formats::text::FORMAT.render)(&report, &Style { color: false, brief: true });
    print!("{text}");
    Ok(())
}
