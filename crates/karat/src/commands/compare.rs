//! `karat compare`: what did a change do, case by case, and may it ship?

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ArgMatches;
use karat_engine::number::Decimal;
use karat_engine::problem::{self, Failure, Problem};
use karat_engine::report::{Checked, Report, Written};
use karat_engine::request::Request;
use karat_engine::suite::Suite;
use karat_report::compare::{self, Allowed, Comparison, Gates, Policy, Project};
use karat_report::explain;
use karat_report::formats::Style;

use super::report::distinct;
use super::suite::{typed, typed_keys};
use super::{Suites, WRONG, fail, files};
use crate::output::{Kind, Target, Terminal, write_all};
use crate::problems;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// What it is compared with: a report (json) of a suite or of `karat check`; with the files of a suite, such as --gold,
    /// traces
    base: String,

    /// What is new: likewise; beside a report of a suite also traces, which are scored as that report was
    new: String,

    /// With the files of a suite: the suite that scores BASE and NEW [default: the first that takes them]
    #[arg(long, value_name = "SUITE")]
    suite: Option<String>,

    /// How far a figure may fall: METRIC=0.05, or METRIC=15% of the base; it is judged then, gated or not (repeatable)
    /// [default: 0.02 for rates, 15% for what has a unit, 0 for counts]
    #[arg(long, value_name = "METRIC=DROP")]
    allow: Vec<String>,

    /// Let a fall fail only if it is also significant
    #[arg(long)]
    require_significant: bool,

    /// Up to which p-value, Holm-corrected, a fall is significant
    #[arg(long, value_name = "P", default_value = "0.05")]
    alpha: String,

    /// Compare reports of different gold, over the cases that both have
    #[arg(long)]
    allow_gold_change: bool,

    /// Judge the change alone: that NEW fails its own gates does not matter
    #[arg(long)]
    ignore_gates: bool,

    /// How many threads [default: as many as there are cores]; the output is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// How the comparison is printed; csv lists the cases that changed
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = compare::FORMATS.iter().map(|format| format.name).collect::<Vec<_>>())]
    format: String,

    /// Write the comparison to a file too; its ending picks the format: .txt .md .json .csv (repeatable)
    #[arg(long, value_name = "FILE")]
    out: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  karat compare main.json branch.json               of a suite, or of `karat check`
  karat compare main.json branch.json --allow recall@5=0.05 --require-significant
  karat compare main.json runs/branch.jsonl         traces, scored as the report was
  karat compare runs/main.jsonl runs/branch.jsonl --gold eval/gold.jsonl --out compare.md

A figure that is gated in either report, or named with --allow, must not fall further
than allowed, and NEW must pass its own gates.

Exit status: 0 the change may ship; 1 it may not, or that cannot be said; 2 the reports
cannot be compared, or the call is wrong.";

pub(crate) fn run(args: &Args, matches: &ArgMatches, suites: Suites, terminal: &Terminal) -> ExitCode {
    let made =
        request(args, matches, suites).and_then(|request| Ok((targets(args, request.as_ref())?, request)));
    let (targets, request) = match made {
        Ok(made) => made,
        Err(message) => return fail(&message, terminal),
    };
    let compared = match compare(args, request.as_ref(), suites) {
        Ok(compared) => compared,
        Err(failure) => {
            terminal.complain(&problems::render_for(&failure, "nothing was compared", terminal.color_err()));
            return ExitCode::from(WRONG);
        }
    };
    let render = |name: &str, style: &Style| {
        let format = compare::FORMATS.iter().find(|format| format.name == name);
        format.map(|format| compared.render(format, style)).unwrap_or_default()
    };
    let files: Vec<(&Target, String)> =
        targets.iter().map(|(target, name)| (target, render(name, &Style::PLAIN))).collect();
    if let Err(message) = write_all(&files) {
        return fail(&message, terminal);
    }
    for (target, _) in targets.iter().filter(|_| !terminal.quiet) {
        terminal.complain(&format!("wrote {}\n", target.path().display()));
    }
    let style = Style { color: terminal.color_out(), brief: terminal.quiet };
    match terminal.print(&render(&args.format, &style)) {
        Err(e) => fail(&format!("standard output: {e}"), terminal),
        Ok(()) if compared.pass() => ExitCode::SUCCESS,
        Ok(()) => ExitCode::from(1),
    }
}

/// What scores BASE and NEW, where files or options of a suite were typed; its traces are still to be filled in.
fn request(args: &Args, matches: &ArgMatches, suites: Suites) -> Result<Option<Request>, String> {
    let keys = typed_keys(suites, matches);
    if keys.is_empty() && args.suite.is_none() {
        return Ok(None);
    }
    let report =
        |name: &str| name != "-" && Path::new(name).is_file() && Written::is_report(&files::one(name));
    if let Some(name) = [&args.base, &args.new].into_iter().find(|name| report(name)) {
        return Err(format!(
            "{name} is a report, which says how it was scored: leave out the files and options"
        ));
    }
    let takes = |suite: &Suite| keys.iter().all(|key| suite.key(key.name).is_some());
    let named = |suite: &Suite| args.suite.as_ref().is_none_or(|asked| asked == suite.name);
    let traced = |suite: &&&'static Suite| suite.key("traces").is_some();
    let suite = suites.iter().filter(traced).find(|suite| named(suite) && takes(suite));
    let Some(suite) = suite else {
        let typed: Vec<String> = keys.iter().map(|key| key.typed()).collect();
        let known: Vec<&str> = suites.iter().filter(traced).map(|suite| suite.name).collect();
        return Err(match suites.iter().filter(traced).find(|suite| args.suite.is_some() && named(suite)) {
            Some(suite) => {
                let foreign = keys.iter().find(|key| suite.key(key.name).is_none());
                let foreign = foreign.map(|key| key.typed()).unwrap_or_default();
                format!("{foreign}: `karat {}` has no such option", suite.name)
            }
            None if args.suite.is_some() => format!("--suite: expected one of {}", known.join(", ")),
            None => format!("no suite takes {} together", typed.join(", ")),
        });
    };
    Ok(Some(
        Request::with(suite, typed(suite, matches).map_err(|problem| problem.to_string())?)
            .threads(args.threads()),
    ))
}

/// The files to write, each with the name of its format.
fn targets(args: &Args, request: Option<&Request>) -> Result<Vec<(Target, &'static str)>, String> {
    let mut targets = Vec::new();
    for path in &args.out {
        let target = Target::new(path)?;
        let format = match target.kind() {
            Kind::Report(report) => compare::FORMATS.iter().find(|format| format.ending == report.ending),
            Kind::Partial => None,
        };
        let Some(format) = format else {
            let known: Vec<&str> = compare::FORMATS.iter().map(|format| format.ending).collect();
            return Err(format!(
                "--out {}: a comparison has no such format; expected one of {}",
                path.display(),
                known.join(" ")
            ));
        };
        targets.push((target, format.name));
    }
    let read = request.map(Request::files_read).unwrap_or_default();
    let inputs: Vec<String> = [&args.base, &args.new].into_iter().cloned().chain(read).collect();
    distinct(targets.iter().map(|(target, _)| target), &inputs)?;
    Ok(targets)
}

/// What was compared: a suite, or every suite of a project.
enum Compared {
    Suite(Box<Comparison>),
    Project(Box<Project>),
}

impl Compared {
    fn pass(&self) -> bool {
        match self {
            Compared::Suite(comparison) => comparison.pass,
            Compared::Project(project) => project.pass,
        }
    }

    fn render(&self, format: &compare::Format, style: &Style) -> String {
        match self {
            Compared::Suite(comparison) => (format.render)(comparison, style),
            Compared::Project(project) => (format.project)(project, style),
        }
    }
}

fn compare(args: &Args, request: Option<&Request>, suites: Suites) -> Result<Compared, Failure> {
    if args.base == "-" && args.new == "-" {
        let message = "standard input can be read only once";
        return Err(Problem::of_file(&problem::UNREADABLE, "<stdin>", message).into());
    }
    let policy = policy(args)?;
    let score = |request: &Request, traces: &str| request.clone().of_traces(traces)?.evaluate();
    let read = |name: &str| match request {
        Some(request) => Ok(Written::Suite(Box::new(score(request, name)?))),
        None => Written::read(&files::one(name), suites),
    };
    let base = read(&args.base);
    // Traces beside a report are scored as the report was.
    let new = match &base {
        Ok(Written::Suite(report)) if request.is_none() && !Written::is_one(&files::one(&args.new)) => {
            let asked = Request::of_report(&args.base, &report.request, suites)?;
            let new = score(&asked.threads(args.threads()), &args.new)?;
            explain::same_run(&args.base, report, &new, explain::Shared::AllButTraces)?;
            Ok(Written::Suite(Box::new(new)))
        }
        _ => read(&args.new),
    };
    // What is wrong with either is told at once.
    let (base, new) = match (base, new) {
        (Ok(base), Ok(new)) => (base, new),
        (Err(base), Err(new)) if base != new => {
            let total = base.total + new.total;
            let problems = base.problems.into_iter().chain(new.problems).collect();
            return Err(Failure { total, ..Failure::new(problems) });
        }
        (Err(failure), _) | (_, Err(failure)) => return Err(failure),
    };
    let (base, new) = match (base, new) {
        (Written::Check(base), Written::Check(new)) => {
            let found = compare::project((&args.base, &base), (&args.new, &new), &policy)?;
            return Ok(Compared::Project(Box::new(found)));
        }
        (Written::Check(base), Written::Suite(new)) => (only(&args.base, *base, &new.suite)?, new),
        (Written::Suite(base), Written::Check(new)) => {
            let new = only(&args.new, *new, &base.suite)?;
            (base, new)
        }
        (Written::Suite(base), Written::Suite(new)) => (base, new),
    };
    let found = compare::compare((&args.base, &base), (&args.new, &new), &policy)?;
    Ok(Compared::Suite(Box::new(found)))
}

/// The one suite of this kind in a check, to be compared with a report of that kind.
fn only(file: &str, checked: Checked, kind: &str) -> Result<Box<Report>, Failure> {
    let mut found: Vec<Report> = checked
        .suites
        .into_iter()
        .filter(|suite| suite.kind == kind)
        .filter_map(|suite| suite.report)
        .collect();
    match (found.pop(), found.len()) {
        (Some(report), 0) => Ok(Box::new(report)),
        (report, more) => {
            let n = more as u64 + u64::from(report.is_some());
            let message =
                format!("this check has {} of the kind {kind}", karat_engine::text::count(n, "suite"));
            let mut problem = Problem::of_file(&problem::COMPARE_SUITE, file, message);
            problem.expected =
                "a check is compared with a check, or with the report of its one suite of a kind".into();
            Err(problem.into())
        }
    }
}

impl Args {
    fn threads(&self) -> usize {
        usize::from(self.threads.unwrap_or(0))
    }
}

fn policy(args: &Args) -> Result<Policy, Failure> {
    let (mut allow, mut wrong) = (Vec::new(), Vec::new());
    for text in &args.allow {
        match Allowed::parse(text) {
            Ok(allowed) => allow.push(allowed),
            Err(problem) => wrong.push(problem),
        }
    }
    let one = Decimal::parse("1").unwrap_or(Decimal::ZERO);
    let alpha = Decimal::parse(&args.alpha)
        .filter(|alpha| alpha.ratio() > Decimal::ZERO.ratio() && alpha.ratio() < one.ratio());
    if alpha.is_none() {
        let message = format!("`{}` is no p-value", karat_engine::text::visible(&args.alpha));
        let mut problem = Problem::of_file(&problem::COMPARE_ALLOW, "--alpha", message);
        problem.expected = "a number between 0 and 1, such as 0.05".into();
        wrong.push(problem);
    }
    let Some(alpha) = alpha.filter(|_| wrong.is_empty()) else { return Err(Failure::new(wrong)) };
    Ok(Policy {
        allow,
        require_significant: args.require_significant,
        alpha,
        allow_gold_change: args.allow_gold_change,
        gates: if args.ignore_gates { Gates::Ignore } else { Gates::Count },
        threads: args.threads(),
    })
}
