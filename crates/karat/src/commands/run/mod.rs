//! `karat run`: drive a pipeline over the gold set and write the traces that every suite reads.

mod live;
mod summary;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::ProgressBar;
use karat_drive::drivers::exec::Exec;
use karat_drive::drivers::http::{self, Http};
use karat_drive::drivers::{Driver, Limits};
use karat_drive::journal::{Journal, Resumed};
use karat_drive::map::Map;
use karat_drive::meter::Meter;
use karat_drive::plan::{Grid, Plan};
use karat_drive::run::{Contract, Run, Settings};
use karat_drive::secrets::{self, Secrets};
use karat_drive::stop::Level;
use karat_drive::{knobs, words};
use karat_engine::problem::{self, Failure, Kind, Problem};
use karat_engine::text::{count, visible};
use karat_suites::dialects::TRACE_CONTRACT;
use karat_suites::gold::questions::questions;

use super::{files, refuse};
use crate::output::Terminal;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("pipeline").args(["http", "exec"]).required(true))]
pub(crate) struct Args {
    /// The gold set with the questions, of any suite: JSON lines, or one JSON array
    #[arg(long, value_name = "FILE")]
    gold: String,

    /// Post each question to this URL as JSON: q, qid, seed, jitter, knobs
    #[arg(long, value_name = "URL")]
    http: Option<String>,

    /// Run this command and write the same JSON to its standard input, one line per question; it writes one line per reply
    #[arg(long, value_name = "CMD")]
    exec: Option<String>,

    /// The file to write the traces to, one per line; - is standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Continue the run that wrote this file: ask only what it does not contain
    #[arg(long, conflicts_with = "duration")]
    resume: bool,

    /// With --resume, ask failed questions again
    #[arg(long, requires = "resume")]
    retry_failed: bool,

    /// Where the reply has a field of the trace (repeatable); * is every element of a list
    #[arg(long, value_name = "FIELD=/POINTER")]
    map: Vec<String>,

    /// Send this header with every request (repeatable); $NAME is read from the environment and kept secret
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "exec")]
    header: Vec<String>,

    /// Keep the value of this environment variable out of traces and messages (repeatable), as those in headers are
    #[arg(long, value_name = "NAME")]
    secret: Vec<String>,

    /// Ask every question with each of these seeds
    #[arg(long, value_name = "LIST", default_value = "0", allow_hyphen_values = true)]
    seeds: String,

    /// Ask every question in each of these spellings: none, ws, punct, syn, order
    #[arg(long, value_name = "LIST", default_value = "none")]
    jitters: String,

    /// Ask gold's paraphrases too
    #[arg(long)]
    paraphrases: bool,

    /// Ask every question with each of these settings of the pipeline (JSON objects)
    #[arg(long, value_name = "FILE")]
    knobs: Option<String>,

    /// Send N requests per second, however slow the pipeline is; latency counts from when each request was due
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    rps: Option<String>,

    /// Requests (or processes) at the same time [default: 8; with --rps 1024; with --exec 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    concurrency: Option<u32>,

    /// Keep sending requests for this long, repeating the gold set: 30s, 5m
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    duration: Option<String>,

    /// How long one attempt may take: 500ms, 30s, 5m
    #[arg(long, value_name = "T", default_value = "60s", allow_hyphen_values = true)]
    timeout: String,

    /// How often to try again when the pipeline is busy, dies or cannot be reached
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=100))]
    retries: u32,

    /// The longest reply to accept, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=48))]
    max_reply: u32,
}

const EXAMPLES: &str = "\
Examples:
  karat run --gold gold.jsonl --http http://localhost:8000/ask --out trace.jsonl
  karat run --gold gold.jsonl --exec 'python3 pipeline.py' --out trace.jsonl
  karat run --gold gold.jsonl --http https://rag.example/api --out trace.jsonl \\
      --header 'Authorization=Bearer $TOKEN' --map answer_json.claim=/result/text \\
      --map 'retrieved_ids=/result/hits/*/id' --map answer_json.citations=/result/cited
  karat run --gold gold.jsonl --http $URL --out stability.jsonl --seeds 0,1,2 --jitters none,ws,syn
  karat run --gold gold.jsonl --http $URL --out load.jsonl --knobs knobs.json --rps 5 --duration 2m
  karat run --gold gold.jsonl --http $URL --out trace.jsonl --resume --retry-failed

Exit status: 0 every question was answered; 1 some were not (their traces say why);
2 the call or an input is wrong; 130 after Ctrl-C, which lets what is in flight finish.";

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let bar = live::bar(terminal);
    let ran = prepare(args, terminal, &bar).and_then(|run| {
        let (meter, duration) = (run.meter.clone(), run.settings.duration);
        let over = AtomicBool::new(false);
        let ended = std::thread::scope(|scope| {
            let drawing = scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    live::show(&bar, &meter.read(), duration);
                    std::thread::park_timeout(Duration::from_millis(100));
                }
            });
            let heard = |_, level, in_flight: u64| {
                let text = match level {
                    Level::Drop => "stopped at once; --resume asks again what was in flight\n".to_owned(),
                    _ if in_flight == 0 => "stopping: nothing is in flight\n".to_owned(),
                    _ => format!(
                        "stopping: {} in flight will finish, and none is tried again; Ctrl-C again drops them\n",
                        count(in_flight, "request")
                    ),
                };
                bar.suspend(|| terminal.complain(&text));
            };
            let ended = run.drive(&heard);
            over.store(true, Ordering::Relaxed);
            drawing.thread().unpark();
            ended
        });
        bar.finish_and_clear();
        ended.map(|ended| (ended, meter.read()))
    });
    match ran {
        Ok((ended, read)) => summary::report(args, terminal, &ended, &read),
        Err(failure) => {
            let broken = failure.problems.iter().any(|problem| *problem.kind == problem::RUN_BROKEN_OFF);
            let outcome = if broken { "the run broke off" } else { "the run did not take place" };
            refuse(&failure, outcome, terminal)
        }
    }
}

fn prepare(args: &Args, terminal: &Terminal, bar: &ProgressBar) -> Result<Run, Failure> {
    let mut wrong: Vec<Problem> = Vec::new();
    let environment = |name: &str| std::env::var(name).ok();
    let mut secrets = Secrets::default();
    let said = |kind: &'static Kind, option: &str, message: &str| {
        Problem::of_file(kind, option, visible(message).into_owned())
    };
    let mut note =
        |kind: &'static Kind, option: &str, message: String| wrong.push(said(kind, option, &message));
    for name in &args.secret {
        if let Err(message) = secrets.variable(name, &environment) {
            note(&problem::CALL_SECRET, "--secret", message);
        }
    }
    let uri = args.http.as_deref().map(http::url).transpose();
    let uri = uri.map_err(|m| note(&problem::CALL_URL, "--http", m));
    let headers = http::headers(&args.header, &environment, &mut secrets);
    let headers =
        headers.map_err(|all| all.into_iter().for_each(|m| note(&problem::CALL_HEADER, "--header", m)));
    if args.exec.as_deref().is_some_and(|command| command.trim().is_empty()) {
        note(&problem::RUN_EXEC, "--exec", "the command is empty".into());
    }
    let map = Map::parse(&args.map);
    let map = map.map_err(|all| all.into_iter().for_each(|m| note(&problem::CALL_MAP, "--map", m)));
    let seeds = words::seeds(&args.seeds).map_err(|m| note(&problem::CALL_SEEDS, "--seeds", m));
    let jitters = words::jitters(&args.jitters).map_err(|m| note(&problem::CALL_JITTERS, "--jitters", m));
    let timeout = words::time(&args.timeout).map_err(|m| note(&problem::CALL_PACE, "--timeout", m));
    let rps = args.rps.as_deref().map(words::rate).transpose();
    let rps = rps.map_err(|m| note(&problem::CALL_PACE, "--rps", m));
    let duration = args.duration.as_deref().map(words::time).transpose();
    let duration = duration.map_err(|m| note(&problem::CALL_PACE, "--duration", m));
    let mut failed = |failure: Failure| wrong.extend(failure.problems);
    let settings = args.knobs.as_deref().map(|file| knobs::read(&files::one(file))).transpose();
    let settings = settings.map_err(&mut failed);
    files::standard_input_once(args.knobs.iter().chain([&args.gold]).map(String::as_str))?;
    let gold = questions(&files::one(&args.gold)).map_err(&mut failed);
    let typed = (seeds, jitters, timeout, rps, duration, settings);
    let (Ok(uri), Ok(headers), Ok(map), Ok(gold), true) = (uri, headers, map, gold, wrong.is_empty()) else {
        return Err(Failure::new(wrong));
    };
    let (Ok(seeds), Ok(jitters), Ok(timeout), Ok(rps), Ok(duration), Ok(knobs)) = typed else {
        return Err(Failure::new(wrong));
    };
    if args.paraphrases && gold.iter().all(|question| question.paraphrases.is_empty()) {
        let message = "no gold row has `paraphrases`, and --paraphrases asks for them";
        return Err(Problem::of_file(&problem::GOLD_MISSING_FIELD, &args.gold, message).into());
    }
    let default = match (&args.exec, rps) {
        (Some(_), _) => 1,
        (None, Some(_)) => 1024,
        (None, None) => 8,
    };
    let concurrency = args.concurrency.unwrap_or(default) as usize;
    let limits = Limits { timeout, reply: (args.max_reply as usize) << 20, concurrency };
    let driver = match (uri, &args.exec) {
        (Some(uri), _) => {
            let http = Http::new(uri, headers, limits);
            Driver::Http(Box::new(http.map_err(|m| said(&problem::RUN_UNREACHABLE, "--http", &m))?))
        }
        (None, command) => {
            let (bar, secrets, terminal) = (bar.clone(), secrets.clone(), *terminal);
            let listener = move |line: &str| {
                if !terminal.quiet {
                    let text = format!("pipeline: {}\n", secrets.redact(line));
                    bar.suspend(|| terminal.complain(&text));
                }
            };
            Driver::Exec(Exec::new(command.clone().unwrap_or_default(), limits, Arc::new(listener)))
        }
    };
    let grid = Grid {
        paraphrases: args.paraphrases,
        seeds,
        jitters,
        knobs: knobs.unwrap_or_default(),
        load: rps,
        rounds: duration.is_some(),
    };
    let plan = Plan::new(gold, grid);
    let held: Vec<Problem> = secrets::refused(&secrets, &plan, TRACE_CONTRACT)
        .iter()
        .map(|(shown, message)| {
            let named = args.secret.iter().any(|name| *shown == format!("[${name}]"));
            said(&problem::CALL_SECRET, if named { "--secret" } else { "--header" }, message)
        })
        .collect();
    if !held.is_empty() {
        return Err(Failure::new(held));
    }
    let settings = Settings {
        contract: Contract { traces: TRACE_CONTRACT, map, secrets },
        retries: args.retries,
        concurrency,
        rps,
        duration,
        retry_failed: args.retry_failed,
        signals: true,
    };
    Ok(Run { plan, driver, journal: journal(args)?, settings, meter: Arc::new(Meter::new(None)) })
}

fn journal(args: &Args) -> Result<(Journal, Resumed), Failure> {
    if args.out == Path::new("-") {
        if args.resume {
            let message = "standard output holds nothing that could be resumed";
            return Err(Problem::of_file(&problem::RUN_OUT, "--out -", message).into());
        }
        return Ok((Journal::stream("<stdout>", Box::new(std::io::stdout())), Resumed::default()));
    }
    let real = |path: &Path| path.canonicalize().ok();
    let inputs = [Some(&args.gold), args.knobs.as_ref()];
    if inputs.into_iter().flatten().any(|input| {
        let input = real(Path::new(input));
        input.is_some() && input == real(&args.out)
    }) {
        let message = "this file is an input; name another one";
        return Err(Problem::of_file(&problem::RUN_OUT, &args.out.display().to_string(), message).into());
    }
    Journal::open(&args.out, args.resume)
}
