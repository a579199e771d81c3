//! Scoring a TREC run from Rust, printed as trec_eval prints it.
//!
//! cargo run --release -p karat-suites --example trec -- [-q] [-c] [--threads N] QRELS RUN
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use std::thread::available_parallelism;

use karat_suites::trec;
use karat_suites::trec::layout::layout;
use karat_suites::trec::measures::{Over, of_all, of_topics};
use karat_suites::{Failure, Source};

fn main() -> ExitCode {
    match score() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(2)
        }
    }
}

fn score() -> Result<(), Failure> {
    let (mut files, mut per_topic, mut over) = (Vec::new(), false, Over::Run);
    let mut threads = available_parallelism().map_or(1, |n| n.get());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-q" => per_topic = true,
            "-c" => over = Over::Complete,
            "--threads" => threads = args.next().and_then(|n| n.parse().ok()).unwrap_or(threads),
            _ => files.extend(Source::expand(&arg)?),
        }
    }
    let [qrels, run] = files.as_slice() else {
        println!("usage: trec [-q] [-c] [--threads N] QRELS RUN");
        return Ok(());
    };
    let rankings = trec::read(std::slice::from_ref(qrels), std::slice::from_ref(run), threads, &|_| ())?;
    let topics: Vec<_> = rankings.asked().collect();
    if per_topic {
        print!("{}", layout(of_topics(&topics, &[])));
    }
    print!("{}", layout(of_all(&topics, over, &[])));
    Ok(())
}
