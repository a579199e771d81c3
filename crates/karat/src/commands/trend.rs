//! `karat trend`: how the figures moved from run to run; and how a report gets into the history.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use karat_engine::problem::{self, Failure, Problem};
use karat_engine::report::Report;
use karat_engine::text;
use karat_report::compare;

use super::{Suites, files, refuse, show};
use crate::config;
use crate::history::{self, Run, Stamp};
use crate::output::Terminal;
use crate::trend::{self, Trend};

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The figures to show [default: in text those that the last run gates, otherwise all]
    #[arg(value_name = "METRIC")]
    metrics: Vec<String>,

    /// The history: an SQLite file [default: the one that the configuration names]
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,

    /// The configuration, if --history is not given
    #[arg(long, value_name = "FILE", default_value = config::NAME, conflicts_with = "history")]
    config: PathBuf,

    /// Show only this suite, by its name in the history; with --add, record the report under this name [default: its kind]
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,

    /// Show only the last N runs of each suite [default: 30 in text, otherwise all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    last: Option<u32>,

    /// The output format
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = trend::FORMATS.iter().map(|(name, _)| *name).collect::<Vec<_>>())]
    format: String,

    /// Instead, add this report (json) to the history, which is created if it does not exist (repeatable)
    #[arg(long, value_name = "REPORT", conflicts_with_all = ["metrics", "last", "format"])]
    add: Vec<String>,

    /// With --add: when it was run, such as 2026-11-16T02:50:00Z [default: now]
    #[arg(long, value_name = "TIME", requires = "add")]
    at: Option<String>,

    /// With --add: the commit it was run on [default: the one that is checked out]
    #[arg(long, value_name = "ID", requires = "add")]
    commit: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  karat trend
  karat trend --history eval/history.db
  karat trend precision chr --history eval/history.db --suite answers --last 10
  karat trend --history eval/history.db --format csv > trend.csv
  karat trend --history eval/history.db --add answers.json

Exit status: 0 done; 2 the history, the report or the call is wrong.";

pub(crate) fn run(args: &Args, suites: Suites, terminal: &Terminal) -> ExitCode {
    let (said, end) = match &args.add[..] {
        [] => (tell(args, suites, terminal.color_out()), "nothing is shown"),
        reports => (add(args, suites, reports), "nothing was recorded"),
    };
    match said {
        Ok(_) if terminal.quiet && !args.add.is_empty() => ExitCode::SUCCESS,
        Ok(text) => show(Ok(text), terminal),
        Err(failure) => refuse(&failure, end, terminal),
    }
}

/// The history that is named, or the configuration's.
fn place(args: &Args, suites: Suites) -> Result<PathBuf, Failure> {
    if let Some(path) = &args.history {
        return Ok(path.clone());
    }
    config::read(&args.config, suites)?.report.file("history").ok_or_else(|| {
        let expected = "`history = \"eval/history.db\"` under [report], or --history FILE";
        unknown(&args.config.display().to_string(), "it names no history".into(), expected.into())
    })
}

fn unknown(source: &str, message: String, expected: String) -> Failure {
    Problem { expected, ..Problem::of_file(&problem::HISTORY_UNKNOWN, source, message) }.into()
}

fn tell(args: &Args, suites: Suites, color: bool) -> Result<String, Failure> {
    let runs = history::read(&place(args, suites)?)?;
    let named = |run: &Run| args.suite.as_ref().is_none_or(|name| *name == run.name);
    if let Some(name) = args.suite.as_ref().filter(|_| !runs.iter().any(named)) {
        let near = text::nearest(name, runs.iter().map(|run| run.name.as_str()));
        return Err(unknown_name("--suite", "the history has no suite called", name, &near));
    }
    let text = args.format == "text";
    let last = args.last.or(text.then_some(trend::SHOWN)).map(|n| n as usize);
    let trend = Trend::new(runs.into_iter().filter(named).collect(), last, suites);
    let names = trend.find(&args.metrics).map_err(|(name, near)| {
        let near: Vec<&str> = near.iter().map(String::as_str).collect();
        unknown_name("METRIC", "no run has a figure called", &name, &near)
    })?;
    let render = trend::FORMATS.iter().find(|(name, _)| *name == args.format).map(|(_, render)| render);
    Ok(render.map(|render| render(&trend, names.as_deref(), color)).unwrap_or_default())
}

fn unknown_name(option: &str, what: &str, name: &str, near: &[&str]) -> Failure {
    let meant = if near.is_empty() { String::new() } else { format!("did you mean {}?", near.join(" or ")) };
    unknown(option, format!("{what} `{}`", text::visible(name)), meant)
}

fn add(args: &Args, suites: Suites, reports: &[String]) -> Result<String, Failure> {
    files::standard_input_once(reports.iter().map(String::as_str))?;
    let mut stamp = Stamp::now(Path::new("."));
    stamp.commit = args.commit.clone().or(stamp.commit);
    if let Some(time) = &args.at {
        stamp = stamp.at(time).ok_or_else(|| {
            let message = format!("`{}` is no time", text::visible(time));
            unknown("--at", message, "such as 2026-11-16T02:50:00Z".into())
        })?;
    }
    let mut runs = Vec::new();
    for name in reports {
        let report = Report::read(&files::one(name), suites)?;
        compare::sound(name, &report)?;
        runs.push(Run::new(args.suite.as_deref().unwrap_or(&report.suite), &report, &stamp));
    }
    let path = place(args, suites)?;
    history::record(&path, &runs)?;
    let added = text::count(runs.len() as u64, "run");
    Ok(format!("{}: {added} recorded\n", text::visible(&path.display().to_string())))
}
