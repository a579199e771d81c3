//! `karat explain`: what a word means, or how one case went from question to verdict.

mod word;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ArgMatches;
use clap::parser::ValueSource;
use karat_engine::detail::Detail;
use karat_engine::input::Source;
use karat_engine::pipeline::Cases;
use karat_engine::problem::{self, Failure, Problem};
use karat_engine::report::{Report, Written};
use karat_engine::request::{Cache, Request, RunContext};
use karat_engine::suite::Suite;
use karat_engine::text;
use karat_report::explain;

use super::suite::{typed, typed_keys};
use super::{Suites, WRONG, fail, show};
use crate::config;
use crate::output::Terminal;
use crate::problems;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// A metric, a label, a stage, a reason, a preset or a problem; nothing lists them all. With a report, with the files of
    /// a suite, or where karat.toml lies: one of its cases
    name: Option<String>,

    /// A report (json) of a suite or of `karat check`: the case is scored again as the report was
    #[arg(long, value_name = "FILE")]
    report: Option<String>,

    /// Look for a case in this suite of the report or of karat.toml; with files, which suite they are of [default: the
    /// first that takes them]
    #[arg(long, value_name = "SUITE")]
    suite: Option<String>,

    /// The configuration whose suites are looked through
    #[arg(long, value_name = "FILE", default_value = config::NAME)]
    config: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  karat explain precision
  karat explain HALLUCINATION
  karat explain ship
  karat explain gold/duplicate-id
  karat explain A0003 --report last.json
  karat explain A0003 --gold gold.jsonl --trace trace.jsonl --scu enforce
  karat explain A0003                 a case of the suites in karat.toml
  karat explain 'deploy 7' --evidence store.jsonl --gold gold.jsonl --trace cases.jsonl";

/// What became of looking for a case.
enum Look {
    Found(String),
    /// Not there; names that are like it.
    Near(Vec<String>),
}

pub(crate) fn run(args: &Args, matches: &ArgMatches, suites: Suites, terminal: &Terminal) -> ExitCode {
    let files = !typed_keys(suites, matches).is_empty();
    let named_config = matches.value_source("config") == Some(ValueSource::CommandLine);
    if named_config && (files || args.report.is_some()) {
        return fail(
            "--config names suites to look through: leave it out beside files or --report",
            terminal,
        );
    }
    let looked = match &args.name {
        None if files || args.report.is_some() => {
            return fail("name a case to explain: `karat explain CASE --gold …`", terminal);
        }
        None => return show(Ok(word::list(suites)), terminal),
        Some(name) => match &args.report {
            Some(_) if files => {
                return fail("--report says what is scored: leave out the files and options", terminal);
            }
            Some(report) => from_report(args, report, name, suites),
            None if files => from_files(args, matches, name, suites),
            None if args.suite.is_some() => from_config(args, name, suites),
            // What is declared goes first.
            None => match word::declared(name, suites) {
                Ok(told) => return show(Ok(told), terminal),
                Err(words) if args.config.exists() || named_config => match from_config(args, name, suites) {
                    // Neither a word nor a case: the nearest word helps more than no case.
                    Ok(Look::Near(cases)) if cases.is_empty() && !words.is_empty() => {
                        return fail(&unknown_word(name, &words), terminal);
                    }
                    looked => looked,
                },
                Err(words) => return fail(&unknown_word(name, &words), terminal),
            },
        },
    };
    let failure = match looked {
        Ok(Look::Found(told)) => return show(Ok(told), terminal),
        Ok(Look::Near(near)) => unknown(args.name.as_deref().unwrap_or_default(), &near),
        Err(failure) => failure,
    };
    terminal.complain(&problems::render(&failure, terminal.color_err()));
    ExitCode::from(WRONG)
}

/// The path of one case, scored as the report was, from the same files.
fn from_report(args: &Args, report: &str, name: &str, suites: Suites) -> Result<Look, Failure> {
    let reports = match Written::read(&Source::file(report), suites)? {
        Written::Suite(report) => vec![(report.suite.clone(), *report)],
        Written::Check(checked) => {
            let suites = checked.suites.into_iter();
            suites.filter_map(|suite| Some((suite.name, suite.report?))).collect()
        }
    };
    let chosen = |suite: &str| args.suite.as_ref().is_none_or(|asked| asked == suite);
    if let Some(asked) = args.suite.as_ref().filter(|_| !reports.iter().any(|(suite, _)| chosen(suite))) {
        let message = format!("no suite of {report} is called \"{}\"", text::visible(asked));
        return Err(Problem::of_file(&problem::CALL_VALUE, "--suite", message).into());
    }
    let several = reports.len() > 1;
    let looks = reports.iter().filter(|(suite, _)| chosen(suite)).map(|(suite, old)| {
        let request = Request::of_report(report, &old.request, suites)?;
        Ok((suite.clone(), look(&request, name, Some((report, old)))?))
    });
    gather(looks, several)
}

/// The path of one case, from the files of its suite.
fn from_files(args: &Args, matches: &ArgMatches, name: &str, suites: Suites) -> Result<Look, Failure> {
    let suite = suite_of(args, matches, suites)?;
    let request = Request::with(suite, typed(suite, matches)?);
    match look(&request, name, None)? {
        Look::Found(told) => Ok(Look::Found(told + &assumed(args, &request))),
        near => Ok(near),
    }
}

/// The suite that takes what was typed: the one that is named, or the first that has all of it.
fn suite_of(args: &Args, matches: &ArgMatches, suites: Suites) -> Result<&'static Suite, Failure> {
    let keys = typed_keys(suites, matches);
    let all: Vec<&str> = suites.iter().map(|suite| suite.name).collect();
    let wrong = |flag: &str, message: String, expected: String| {
        let mut problem = Problem::of_file(&problem::CALL_VALUE, flag, message);
        problem.expected = expected;
        Failure::from(problem)
    };
    let lacks = |suite: &Suite| keys.iter().find(|key| suite.key(key.name).is_none()).copied();
    if let Some(asked) = &args.suite {
        let suite = suites.iter().copied().find(|suite| suite.name == asked).ok_or_else(|| {
            let message = format!("no suite is called \"{}\"", text::visible(asked));
            wrong("--suite", message, format!("one of {}", all.join(", ")))
        })?;
        return match lacks(suite) {
            None => Ok(suite),
            Some(key) => {
                let message = format!(
                    "`{}` takes no such thing; --suite says which suite the files are of",
                    suite.name
                );
                Err(wrong(&key.typed(), message, String::new()))
            }
        };
    }
    let mut takes = suites.iter().copied().filter(|suite| lacks(suite).is_none());
    takes.next().ok_or_else(|| {
        let typed: Vec<String> = keys.iter().map(|key| key.typed()).collect();
        let message = format!("no suite takes {} together", typed.join(", "));
        wrong("karat explain", message, format!("the files and options of one of {}", all.join(", ")))
    })
}

/// The same files are of several suites: says which one was taken, where the traces look like another's.
fn assumed(args: &Args, request: &Request) -> String {
    let answers = args.suite.is_none() && request.suite.name == karat_suites::suites::answers::SUITE.name;
    let traces = if answers { request.sources_of("traces").unwrap_or_default() } else { Vec::new() };
    let line = traces.first().and_then(|source| source.line_at(0, 1 << 20).ok());
    let line = String::from_utf8_lossy(&line.unwrap_or_default()).into_owned();
    let has = |fields: &[&str]| fields.iter().any(|field| line.contains(&format!("\"{field}\"")));
    let others: Vec<&str> = [("stability", has(&["seed", "jitter"])), ("latency", has(&["e2e_ms", "knobs"]))]
        .into_iter()
        .filter_map(|(suite, looks)| looks.then_some(suite))
        .collect();
    match others.as_slice() {
        [] => String::new(),
        others => format!(
            "\nTold as `answers` judges its last trace; --suite {} tells it as that suite does.\n",
            others.join(" or --suite ")
        ),
    }
}

/// The path of one case, from the suites of the project that have it.
fn from_config(args: &Args, name: &str, all: Suites) -> Result<Look, Failure> {
    let config = config::read(&args.config, all)?;
    let suites = config.chosen(args.suite.as_slice())?;
    gather(suites.into_iter().map(|suite| Ok((suite.name.clone(), look(&suite.request, name, None)?))), true)
}

/// What several suites know of a case: all that have it, or the first failure, or names that are like it.
fn gather(
    looks: impl Iterator<Item = Result<(String, Look), Failure>>,
    several: bool,
) -> Result<Look, Failure> {
    let (mut found, mut near, mut failures) = (Vec::new(), Vec::new(), Vec::new());
    for look in looks {
        match look {
            Ok((suite, Look::Found(told))) if several => found.push(format!("[suites.{suite}]\n{told}")),
            Ok((_, Look::Found(told))) => found.push(told),
            Ok((suite, Look::Near(names))) => {
                let shown = |name: String| if several { format!("{name} ({suite})") } else { name };
                near.extend(names.into_iter().map(shown));
            }
            Err(failure) => failures.push(failure),
        }
    }
    match (found.is_empty(), failures.pop()) {
        (false, _) => Ok(Look::Found(found.join("\n"))),
        (true, Some(failure)) => Err(failure),
        (true, None) => Ok(Look::Near(near)),
    }
}

/// Scores a request and looks for a case. `before` is the report, with its file's name, that the request is of: what it
/// read must not have changed.
fn look(request: &Request, name: &str, before: Option<(&str, &Report)>) -> Result<Look, Failure> {
    let request = request.clone().show(Cases::All, Detail::Named(name.to_owned()));
    let context = RunContext { cache: &Cache::default(), progress: &|_| {} };
    let report = request.run(&context)?.report;
    if let Some((file, before)) = before {
        explain::same_run(file, before, &report, explain::Shared::All)?;
    }
    Ok(match explain::case(&report, name) {
        Some(told) => Look::Found(told),
        None => Look::Near(explain::nearest(&report, name)),
    })
}

fn unknown(name: &str, near: &[String]) -> Failure {
    let message = format!("no case is called \"{}\"", text::visible(name));
    let mut problem = Problem::of_file(&problem::CASE_UNKNOWN, "karat explain", message);
    problem.expected = match near {
        [] => "expected the id of a case; `karat explain` lists what else has a name".into(),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    problem.into()
}

fn unknown_word(name: &str, near: &[&str]) -> String {
    let hint = match near {
        [] => "`karat explain` lists what there is".to_owned(),
        near => format!("did you mean {}?", near.join(" or ")),
    };
    format!("nothing is called `{}`; {hint}", text::visible(name))
}
