//! `karat trend`: how the figures moved from run to run; and how a report gets into the history.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use karat_core::problem::{self, Failure, Problem};
use karat_core::report::Report;
use karat_core::text;

use super::{files, refuse, show};
use crate::config;
use crate::history::{self, Run, Stamp};
use crate::output::Terminal;
use crate::trend::{self, Trend};

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Which figures [default: of text those that the last run gates, else all]
    #[arg(value_name = "METRIC")]
    metrics: Vec<String>,

    /// The history: an SQLite file [default: the one that the configuration names]
    #[arg(long, value_name = "FILE")]
    history: Option<PathBuf>,

    /// The configuration, where --history is not given
    #[arg(long, value_name = "FILE", default_value = config::NAME, conflicts_with = "history")]
    config: PathBuf,

    /// Only this suite, by its name in the history; with --add, the name to record it by [default: its kind]
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,

    /// Only the last N runs of each suite [default: of text 30, else all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    last: Option<u32>,

    /// How it is printed
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = trend::FORMATS.iter().map(|(name, _)| *name).collect::<Vec<_>>())]
    format: String,

    /// Add this report (json) to the history instead, which is made where there is none (repeatable)
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

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let (said, end) = match &args.add[..] {
        [] => (tell(args, terminal.color_out()), "nothing is shown"),
        reports => (add(args, reports), "nothing was recorded"),
    };
    match said {
        Ok(_) if terminal.quiet && !args.add.is_empty() => ExitCode::SUCCESS,
        Ok(text) => show(Ok(text), terminal),
        Err(failure) => refuse(&failure, end, terminal),
    }
}

/// The history that is named, or the configuration's.
fn place(args: &Args) -> Result<PathBuf, Failure> {
    if let Some(path) = &args.history {
        return Ok(path.clone());
    }
    config::read(&args.config)?.report.file("history").ok_or_else(|| {
        let (name, message) = (args.config.display().to_string(), "it names no history");
        let mut problem = Problem::of_file(&problem::HISTORY_UNKNOWN, &name, message);
        problem.expected = "`history = \"eval/history.db\"` under [report], or --history FILE".into();
        problem.into()
    })
}

fn tell(args: &Args, color: bool) -> Result<String, Failure> {
    let runs = history::read(&place(args)?)?;
    let named = |run: &Run| args.suite.as_ref().is_none_or(|name| *name == run.name);
    if let Some(name) = args.suite.as_ref().filter(|_| !runs.iter().any(named)) {
        let near = text::nearest(name, runs.iter().map(|run| run.name.as_str()));
        return Err(wrong("--suite", "the history has no suite called", name, &near));
    }
    let text = args.format == "text";
    let last = args.last.or(text.then_some(trend::SHOWN)).map(|n| n as usize);
    let trend = Trend::new(runs.into_iter().filter(named).collect(), last);
    let names = trend.find(&args.metrics).map_err(|(name, near)| {
        let near: Vec<&str> = near.iter().map(String::as_str).collect();
        wrong("METRIC", "no run has a figure called", &name, &near)
    })?;
    let render = trend::FORMATS.iter().find(|(name, _)| *name == args.format).map(|(_, render)| render);
    Ok(render.map(|render| render(&trend, names.as_deref(), color)).unwrap_or_default())
}

fn wrong(option: &str, what: &str, name: &str, near: &[&str]) -> Failure {
    let message = format!("{what} `{}`", text::visible(name));
    let mut problem = Problem::of_file(&problem::HISTORY_UNKNOWN, option, message);
    if !near.is_empty() {
        problem.expected = format!("did you mean {}?", near.join(" or "));
    }
    problem.into()
}

fn add(args: &Args, reports: &[String]) -> Result<String, Failure> {
    files::standard_input_once(reports.iter().map(String::as_str))?;
    let stamp = Stamp::now(Path::new("."));
    let stamp = Stamp { commit: args.commit.clone().or(stamp.commit), ..stamp };
    let stamp = match &args.at {
        None => stamp,
        Some(time) => stamp.at(time).ok_or_else(|| {
            let message = format!("`{}` is no time", text::visible(time));
            let mut problem = Problem::of_file(&problem::HISTORY_UNKNOWN, "--at", message);
            problem.expected = "such as 2026-11-16T02:50:00Z".into();
            problem
        })?,
    };
    let mut runs = Vec::new();
    for name in reports {
        let report = Report::read(&files::one(name))?;
        runs.push(Run::new(args.suite.as_deref().unwrap_or(&report.suite), &report, &stamp));
    }
    let path = place(args)?;
    history::record(&path, &runs)?;
    let added = text::count(runs.len() as u64, "run");
    Ok(format!("{}: {added} recorded\n", text::visible(&path.display().to_string())))
}
