//! `karat run`: drive a pipeline over the gold set and write the traces that every suite reads.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use karat_core::gold::questions::questions;
use karat_core::problem::{self, Failure, Kind, Problem};
use karat_core::text::{count, group, visible};
use karat_drive::drivers::exec::Exec;
use karat_drive::drivers::http::{self, Http};
use karat_drive::drivers::{Driver, Limits};
use karat_drive::journal::{Held, Journal};
use karat_drive::map::Map;
use karat_drive::meter::{Meter, Reading};
use karat_drive::plan::{Grid, Plan};
use karat_drive::run::{Ended, Settings, drive};
use karat_drive::secrets::Secrets;
use karat_drive::stop::Level;
use karat_drive::{knobs, words};

use super::{WRONG, files};
use crate::output::Terminal;
use crate::problems;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("pipeline").args(["http", "exec"]).required(true))]
pub(crate) struct Args {
    /// The gold set whose questions are asked, of any suite: JSON lines, or one JSON array
    #[arg(long, value_name = "FILE")]
    gold: String,

    /// Post each question to this URL as JSON: q, qid, seed, jitter, knobs
    #[arg(long, value_name = "URL")]
    http: Option<String>,

    /// Run this command and give it the same JSON on standard input, a line each; it replies a line each
    #[arg(long, value_name = "CMD")]
    exec: Option<String>,

    /// Where the traces go, a line each; - is standard output
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Go on with the run that this file is of: ask only what it does not hold
    #[arg(long, conflicts_with = "duration")]
    resume: bool,

    /// With --resume, ask again what failed
    #[arg(long, requires = "resume")]
    retry_failed: bool,

    /// Where a field of the trace stands in the reply (repeatable); a * goes through a list
    #[arg(long, value_name = "FIELD=/POINTER")]
    map: Vec<String>,

    /// A header of every request (repeatable); $NAME is taken from the environment and kept secret
    #[arg(long, value_name = "NAME=VALUE", conflicts_with = "exec")]
    header: Vec<String>,

    /// An environment variable whose value must appear in no trace or message (repeatable); those of headers are known
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

    /// Send so many requests a second, whatever the pipeline does; latency counts from the moment each was due
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    rps: Option<String>,

    /// Requests (or processes) at the same time [default: 8; with --rps 1024; with --exec 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=65_536))]
    concurrency: Option<u32>,

    /// Send requests for so long, going through the gold set over and over: 30s, 5m
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    duration: Option<String>,

    /// How long one attempt may take: 500ms, 30s, 5m
    #[arg(long, value_name = "T", default_value = "60s", allow_hyphen_values = true)]
    timeout: String,

    /// Further attempts when the pipeline is busy, dies or cannot be reached
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=100))]
    retries: u32,

    /// How long a reply may be, in MiB
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

/// Everything that a run needs.
struct Ready {
    plan: Plan,
    driver: Driver,
    journal: (Journal, Held),
    settings: Settings,
    meter: Arc<Meter>,
    bar: ProgressBar,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let ran = prepare(args, terminal).and_then(|ready| {
        let (meter, bar) = (ready.meter.clone(), ready.bar.clone());
        let duration = ready.settings.duration;
        let over = AtomicBool::new(false);
        let ended = std::thread::scope(|scope| {
            let drawing = scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    show(&bar, &meter.read(), duration);
                    std::thread::park_timeout(Duration::from_millis(100));
                }
            });
            let heard = |_, level, in_flight: u64| {
                let text = match level {
                    Level::Drop => "stopped at once; --resume asks again what was in flight\n".to_owned(),
                    _ => format!(
                        "stopping: {} in flight will finish; Ctrl-C again drops them\n",
                        count(in_flight, "request")
                    ),
                };
                bar.suspend(|| terminal.complain(&text));
            };
            let ended = drive(ready.plan, ready.driver, ready.journal, ready.settings, &ready.meter, &heard);
            over.store(true, Ordering::Relaxed);
            drawing.thread().unpark();
            ended
        });
        bar.finish_and_clear();
        ended.map(|ended| (ended, meter.read()))
    });
    match ran {
        Ok((ended, read)) => report(args, terminal, &ended, &read),
        Err(failure) => {
            let text = problems::render_for(&failure, "the run did not take place", terminal.color_err());
            terminal.complain(&text);
            ExitCode::from(WRONG)
        }
    }
}

fn prepare(args: &Args, terminal: &Terminal) -> Result<Ready, Failure> {
    let mut wrong: Vec<Problem> = Vec::new();
    let environment = |name: &str| std::env::var(name).ok();
    let mut secrets = Secrets::default();
    let said = |kind: &'static Kind, option: &str, message: &str| {
        Problem::of_file(kind, option, visible(message).into_owned())
    };
    for name in &args.secret {
        if let Err(message) = secrets.variable(name, &environment) {
            wrong.push(said(&problem::CALL_SECRET, "--secret", &message));
        }
    }
    let uri = args.http.as_deref().map(http::url).transpose().unwrap_or_else(|message| {
        wrong.push(said(&problem::CALL_URL, "--http", &message));
        None
    });
    let headers = http::headers(&args.header, &environment, &mut secrets).unwrap_or_else(|messages| {
        wrong.extend(messages.iter().map(|m| said(&problem::CALL_HEADER, "--header", m)));
        Default::default()
    });
    let map = Map::parse(&args.map).unwrap_or_else(|messages| {
        wrong.extend(messages.iter().map(|m| said(&problem::CALL_MAP, "--map", m)));
        Map::default()
    });
    let mut note =
        |kind: &'static Kind, option: &str, message: String| wrong.push(said(kind, option, &message));
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
    let (Ok(seeds), Ok(jitters), Ok(timeout), Ok(rps), Ok(duration), Ok(knobs), Ok(gold), true) =
        (seeds, jitters, timeout, rps, duration, settings, gold, wrong.is_empty())
    else {
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
    let bar = bar(terminal);
    let driver = match (uri, &args.exec) {
        (Some(uri), _) => {
            let http = Http::new(uri, headers, limits);
            Driver::Http(Box::new(http.map_err(|m| said(&problem::RUN_UNREACHABLE, "--http", &m))?))
        }
        (None, command) => {
            let (bar, secrets, quiet) = (bar.clone(), secrets.clone(), terminal.quiet);
            let listener = move |line: &str| {
                if !quiet {
                    let text = format!("pipeline: {}\n", secrets.redact(line));
                    bar.suspend(|| crate::output::complain(&text));
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
    let settings = Settings {
        map,
        secrets,
        retries: args.retries,
        concurrency,
        rps,
        duration,
        retry_failed: args.retry_failed,
        signals: true,
    };
    let journal = journal(args)?;
    Ok(Ready { plan, driver, journal, settings, meter: Arc::new(Meter::new(None)), bar })
}

fn journal(args: &Args) -> Result<(Journal, Held), Failure> {
    if args.out == Path::new("-") {
        if args.resume {
            let message = "standard output holds nothing that could be resumed";
            return Err(Problem::of_file(&problem::RUN_OUT, "--out -", message).into());
        }
        return Ok((Journal::stream("<stdout>", Box::new(std::io::stdout())), Held::default()));
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

/// A bar on standard error, where somebody is looking.
fn bar(terminal: &Terminal) -> ProgressBar {
    if !terminal.watched() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(0);
    bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(10));
    if let Ok(style) = ProgressStyle::with_template("{bar:24} {msg}") {
        bar.set_style(style);
    }
    bar
}

/// The live line: done, rate, errors, p50 and p95 so far, time left.
fn show(bar: &ProgressBar, read: &Reading, duration: Option<Duration>) {
    let (position, length, done, left) = match (duration, read.total) {
        (Some(duration), _) => {
            let left = duration.saturating_sub(read.elapsed);
            let tenths = |time: Duration| u64::try_from(time.as_millis() / 100).unwrap_or(u64::MAX);
            (tenths(read.elapsed), tenths(duration), group(read.done()), Some(left))
        }
        (None, Some(total)) => {
            let rate = read.rate();
            let left = (rate > 0.0).then(|| total.saturating_sub(read.done()) as f64 / rate);
            let left = left.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            (read.done(), total, format!("{}/{}", group(read.done()), group(total)), left)
        }
        (None, None) => return,
    };
    let mut text = format!("{done}  {:.1}/s  {}", read.rate(), count(read.failed, "error"));
    if let Some([p50, p95, ..]) = read.latency {
        let _ = write!(text, "  p50 {}  p95 {}", ms(p50), ms(p95));
    }
    if let Some(left) = left {
        let seconds = left.as_secs();
        let _ = match seconds {
            0..60 => write!(text, "  {seconds}s left"),
            60..3600 => write!(text, "  {}m{:02}s left", seconds / 60, seconds % 60),
            _ => write!(text, "  {}h{:02}m left", seconds / 3600, seconds / 60 % 60),
        };
    }
    bar.set_length(length.max(1));
    bar.set_position(position.min(length));
    bar.set_message(text);
}

/// `8.3 ms`, `81 ms`, `1.24 s`.
fn ms(ms: f64) -> String {
    match ms {
        ..10.0 => format!("{ms:.1} ms"),
        ..1000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.2} s", ms / 1000.0),
    }
}

/// Says what came of it, and what to do next.
fn report(args: &Args, terminal: &Terminal, ended: &Ended, read: &Reading) -> ExitCode {
    let failed = read.failed + ended.held_failed;
    let mut text = format!(
        "{} in {:.1} s ({:.1}/s): {} answered, {} failed\n",
        count(read.done(), "request"),
        read.elapsed.as_secs_f64(),
        read.rate(),
        group(read.answered),
        group(read.failed)
    );
    if !terminal.quiet {
        details(args, ended, read, &mut text);
    }
    if args.out == Path::new("-") {
        terminal.complain(&text);
    } else if let Err(e) = terminal.print(&text) {
        return super::fail(&format!("standard output: {e}"), terminal);
    }
    match ended.signal {
        Some(signal) => ExitCode::from(signal.status()),
        None if failed > 0 || ended.unasked > 0 => ExitCode::from(1),
        None => ExitCode::SUCCESS,
    }
}

fn details(args: &Args, ended: &Ended, read: &Reading, text: &mut String) {
    if let Some([p50, p95, p99, longest]) = read.latency {
        let _ = writeln!(
            text,
            "  answers took p50 {} · p95 {} · p99 {} · at most {}",
            ms(p50),
            ms(p95),
            ms(p99),
            ms(longest)
        );
    }
    if let Some(lag) = read.lag.filter(|lag| *lag >= 50.0) {
        let _ = writeln!(
            text,
            "  requests waited for room, 1 % of them {} or longer, and their latency counts it: the\n  pipeline cannot keep up with --rps, or --concurrency is too low",
            ms(lag)
        );
    }
    for (kind, times) in &read.reasons {
        let _ = writeln!(text, "  {:>6}  {}", group(*times), visible(kind));
    }
    if ended.held + ended.held_failed > 0 {
        let _ = writeln!(text, "  the file held {} already", count(ended.held + ended.held_failed, "trace"));
    }
    if ended.held_failed > 0 {
        let _ = writeln!(text, "  {} of them failed: --retry-failed asks again", group(ended.held_failed));
    }
    if ended.unasked > 0 && ended.signal.is_some() {
        let _ = writeln!(text, "  {} not asked: --resume goes on", count(ended.unasked, "request"));
    } else if ended.unasked > 0 {
        let _ = writeln!(
            text,
            "  {} of the gold set not asked: the time was up",
            count(ended.unasked, "request")
        );
    }
    if read.redacted > 0 {
        let _ = writeln!(
            text,
            "  {} held a secret, which was replaced: the pipeline should not repeat it",
            count(read.redacted, "trace")
        );
    }
    if args.out != Path::new("-") {
        let _ = writeln!(text, "  traces in {}", visible(&args.out.display().to_string()));
    }
}
