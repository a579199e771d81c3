//! `karat compare`: what did a change do, case by case, and may it ship?

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use karat_core::compare::{self, Allowed, Comparison, Gates, Policy, Project};
use karat_core::formats::Style;
use karat_core::input::Source;
use karat_core::number::Decimal;
use karat_core::pipeline;
use karat_core::problem::{self, Failure, Problem};
use karat_core::profiles::Profile;
use karat_core::report::{Checked, Report, Written};
use karat_core::suites::{answers, release, retrieval};

use super::report::distinct;
use super::{WRONG, fail, files};
use crate::output::{Kind, Target, Terminal, write_all};
use crate::problems;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// What it is compared with: a report (json) of a suite or of `karat check`; with --gold, a file of traces
    base: String,

    /// What is new: likewise
    new: String,

    /// Score BASE and NEW as traces against this gold set first
    #[arg(long, value_name = "FILE")]
    gold: Option<String>,

    /// With --gold: the suite that scores them
    #[arg(long, value_enum, value_name = "SUITE", requires = "gold", default_value_t = SuiteArg::Answers)]
    suite: SuiteArg,

    /// With --suite release: the evidence store (repeatable)
    #[arg(long, value_name = "FILE", requires = "gold")]
    evidence: Vec<String>,

    /// With --suite retrieval: the block table
    #[arg(long, value_name = "FILE", requires = "gold")]
    blocks: Option<String>,

    /// With --suite answers: the cut-off of recall@k and its like
    #[arg(long, value_name = "N", requires = "gold", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    k: Option<u32>,

    /// With --gold: gates instead of the preset's
    #[arg(long, value_name = "EXPR", num_args = 1.., requires = "gold", conflicts_with = "preset")]
    gates: Vec<String>,

    /// With --gold: a named set of gates
    #[arg(long, value_name = "NAME", requires = "gold")]
    preset: Option<String>,

    /// With --gold: skip and count malformed lines of the traces
    #[arg(long, requires = "gold")]
    lenient: bool,

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
  karat compare runs/main.jsonl runs/branch.jsonl --gold eval/gold.jsonl --out compare.md

A figure that is gated in either report, or named with --allow, must not fall further
than allowed, and NEW must pass its own gates.

Exit status: 0 the change may ship; 1 it may not, or that cannot be said; 2 the reports
cannot be compared, or the call is wrong.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SuiteArg {
    Answers,
    Retrieval,
    Release,
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> ExitCode {
    let targets = match targets(args) {
        Ok(targets) => targets,
        Err(message) => return fail(&message, terminal),
    };
    let compared = match compare(args) {
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

/// The files to write, each with the name of its format.
fn targets(args: &Args) -> Result<Vec<(Target, &'static str)>, String> {
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
    let inputs: Vec<&str> = [&args.base, &args.new]
        .into_iter()
        .chain(&args.gold)
        .chain(&args.evidence)
        .chain(&args.blocks)
        .map(String::as_str)
        .collect();
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

fn compare(args: &Args) -> Result<Compared, Failure> {
    let read =
        [&args.base, &args.new].into_iter().chain(&args.gold).chain(&args.evidence).chain(&args.blocks);
    files::standard_input_once(read.map(String::as_str))?;
    let policy = policy(args)?;
    let report = |name: &str| match &args.gold {
        None => Written::read(&files::one(name)),
        Some(gold) => score(args, gold, name).map(|report| Written::Suite(Box::new(report))),
    };
    // What is wrong with either is told at once.
    let (base, new) = match (report(&args.base), report(&args.new)) {
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
                format!("this check has {} of the kind {kind}", karat_core::text::count(n, "suite"));
            let mut problem = Problem::of_file(&problem::COMPARE_SUITE, file, message);
            problem.expected =
                "a check is compared with a check, or with the report of its one suite of a kind".into();
            Err(problem.into())
        }
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
        let message = format!("`{}` is no p-value", karat_core::text::visible(&args.alpha));
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
        threads: usize::from(args.threads.unwrap_or(0)),
    })
}

/// Scores traces as the suite's own verb would.
fn score(args: &Args, gold: &str, traces: &str) -> Result<Report, Failure> {
    let gold = files::one(gold);
    let traces = Source::expand(traces)?;
    let threads = usize::from(args.threads.unwrap_or(0));
    let (lenient, gates) = (args.lenient, chosen(args));
    unused(args)?;
    match args.suite {
        SuiteArg::Answers => {
            let settings = answers::Settings { lenient, gates, threads, ..answers::Settings::default() };
            let settings = answers::Settings { k: args.k.unwrap_or(settings.k), ..settings };
            answers::evaluate(&answers::Inputs { gold, traces }, &Profile::answers(), &settings)
        }
        SuiteArg::Retrieval => {
            let blocks = args.blocks.as_deref().map(files::one);
            let settings = retrieval::Settings { lenient, gates, threads, ..retrieval::Settings::default() };
            retrieval::evaluate(&retrieval::Inputs { gold, blocks, traces, baseline: None }, &settings)
        }
        SuiteArg::Release => {
            let evidence = files::expand(&args.evidence)?;
            let settings = release::Settings { lenient, gates, threads, ..release::Settings::default() };
            release::evaluate(&release::Inputs { evidence, gold, traces }, &settings)
        }
    }
}

fn chosen(args: &Args) -> pipeline::Gates {
    match (&args.gates[..], &args.preset) {
        ([], None) => pipeline::Gates::Default,
        ([], Some(name)) => pipeline::Gates::Preset(name.clone()),
        (list, _) => pipeline::Gates::Explicit(list.join(" ")),
    }
}

/// Refuses options of another suite, which would be read and do nothing, and a release without evidence.
fn unused(args: &Args) -> Result<(), Failure> {
    let mut wrong = Vec::new();
    let mut note = |option: &str, message: &str| {
        wrong.push(Problem::of_file(&problem::COMPARE_SUITE, option, message));
    };
    if args.k.is_some() && args.suite != SuiteArg::Answers {
        note("--k", "it is an option of --suite answers");
    }
    if args.blocks.is_some() && args.suite != SuiteArg::Retrieval {
        note("--blocks", "it is an option of --suite retrieval");
    }
    match (args.suite, args.evidence.is_empty()) {
        (SuiteArg::Release, true) => note("--suite", "release needs the evidence store: --evidence FILE"),
        (SuiteArg::Answers | SuiteArg::Retrieval, false) => {
            note("--evidence", "it is an option of --suite release");
        }
        _ => {}
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::new(wrong)) }
}
