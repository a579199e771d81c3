//! A small retrieval pipeline without a network and without a model, to try karat on.
//!
//! It searches a bundled handbook, answers with a sentence of it and its source, or says that the handbook does not say.
#![allow(clippy::print_stderr, clippy::print_stdout)]

mod answer;
mod corpus;
mod guard;
mod index;
mod knobs;
mod lines;
mod pipeline;
mod question;
mod request;
mod rerank;
mod serve;
mod text;

use std::io;
use std::net::IpAddr;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use serde_json::{Value, json};

use crate::knobs::Knobs;
use crate::pipeline::Pipeline;
use crate::request::Request;

/// A small retrieval pipeline over the handbook of a made-up company, to try karat on.
///
/// Knobs, in a request or with --knobs: k (chunks read), rerank (candidates read closely), intersect (words and letters
/// must agree), refuse_below (share of the question that an answer covers), temperature (chance, steered by the seed).
#[derive(Parser)]
#[command(
    version,
    after_help = "Examples:\n  \
    pipeline-example ask 'How long does a refund take?'\n  \
    pipeline-example serve --port 8077\n  \
    pipeline-example lines --knobs '{\"k\": 3, \"rerank\": 0}' < requests.jsonl"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Answer POST /ask until Ctrl-C
    Serve {
        /// Address to listen on
        #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
        host: IpAddr,
        /// Port to listen on; 0 takes a free one and prints it
        #[arg(long, default_value_t = 8077, value_name = "PORT")]
        port: u16,
        #[command(flatten)]
        defaults: Defaults,
    },
    /// Answer a request a line on standard input, until it ends
    Lines {
        #[command(flatten)]
        defaults: Defaults,
    },
    /// Answer one question and show the reply
    Ask {
        /// The question
        question: String,
        /// What chance depends on, where temperature is above 0
        #[arg(long, default_value_t = 0, value_name = "N")]
        seed: i64,
        #[command(flatten)]
        defaults: Defaults,
    },
}

#[derive(Args)]
struct Defaults {
    /// Knobs of requests that do not set them, as JSON
    #[arg(long, value_name = "JSON", default_value = "{}", value_parser = read_knobs)]
    knobs: Knobs,
}

fn read_knobs(text: &str) -> Result<Knobs, String> {
    let given: Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
    Knobs::default().with(&given).map_err(|wrong| wrong.join("; "))
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("pipeline-example: {message}");
            ExitCode::from(2)
        }
    }
}

fn run(command: Command) -> Result<(), String> {
    match command {
        Command::Serve { host, port, defaults } => {
            // As many questions at once as there are processors; the others wait, and their callers can see it.
            let workers = std::thread::available_parallelism().map_or(1, usize::from);
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .max_blocking_threads(workers)
                .enable_all()
                .build()
                .map_err(|e| e.to_string())?;
            runtime
                .block_on(serve::serve(Pipeline::new(defaults.knobs), host, port))
                .map_err(|e| format!("cannot serve on {host}:{port}: {e}"))
        }
        Command::Lines { defaults } => {
            let pipeline = Pipeline::new(defaults.knobs);
            lines::answer(&pipeline, io::stdin().lock(), io::stdout().lock()).map_err(|e| e.to_string())
        }
        Command::Ask { question, seed, defaults } => {
            let body = json!({ "q": question, "seed": seed }).to_string();
            let request =
                Request::read(body.as_bytes(), &defaults.knobs).map_err(|wrong| wrong.join("; "))?;
            let reply = Pipeline::new(defaults.knobs).ask(&request);
            println!("{reply:#}");
            Ok(())
        }
    }
}
