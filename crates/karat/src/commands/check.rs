//! `karat check`: every suite of karat.toml, the gold lock and the waivers; one table, one verdict.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use karat_engine::detail::Detail;
use karat_engine::input::Source;
use karat_engine::pipeline::Cases;
use karat_engine::problem::Failure;
use karat_engine::report::Checked;
use karat_engine::request::{Cache, RunContext};
use karat_engine::suite::Suite;
use karat_engine::text;
use karat_report::formats::{self, Style};
use karat_suites::check;
use karat_suites::config::Config;

use super::report::{GITHUB, distinct};
use super::{Stop, Suites, WRONG, refuse};
use crate::config;
use crate::history;
use crate::output::{Kind, Target, Terminal, WrongTarget, folder_of, summarise, write_all};
use crate::progress;
use crate::trend;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Suites of the configuration; none asks for all. Only a check of all of them writes reports and history
    suites: Vec<String>,

    /// The configuration
    #[arg(long, value_name = "FILE", default_value = config::NAME)]
    config: PathBuf,

    /// The day that waivers are judged by, YYYY-MM-DD [default: today]
    #[arg(long, value_name = "DAY")]
    today: Option<String>,

    /// How the result is printed
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = formats::ALL.iter().map(|f| f.name).collect::<Vec<_>>())]
    format: String,

    /// Write the result to a file too, beside those of the configuration (repeatable)
    #[arg(long, value_name = "FILE")]
    out: Vec<PathBuf>,

    /// Exit with 1 where anything casts doubt on a verdict (amber), whatever the gates say
    #[arg(long)]
    deny_amber: bool,

    /// How many threads [default: as many as there are cores]; the output is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

const EXAMPLES: &str = "\
Examples:
  karat check
  karat check answers shadow
  karat check --config eval/karat.toml --format md
  karat check --today 2026-12-31      what happens when the waivers expire?

Exit status: 0 every suite passes, or what fails is waived, and gold is what was locked;
1 a suite does not pass or gold has changed; 2 an input or the configuration is wrong.";

pub(crate) fn run(args: &Args, suites: Suites, terminal: &Terminal) -> ExitCode {
    run_check(args, suites, terminal).unwrap_or_else(|stop| stop.end(terminal))
}

fn run_check(args: &Args, all: Suites, terminal: &Terminal) -> Result<ExitCode, Stop> {
    let config = config::read(&args.config, all)?;
    let suites = config.chosen(&args.suites)?;
    let whole = suites.len() == config.suites.len();
    let today = config::today(args.today.as_deref()).map_err(Stop::Call)?;
    let mut targets = if whole { configured(&config)? } else { Vec::new() };
    for out in &args.out {
        targets.push(Target::new(out).map_err(Stop::Call)?);
    }
    if let Some(target) = targets.iter().find(|target| target.is_partial()) {
        return Err(Stop::Call(format!("--out {}: a check makes no partials", target.path().display())));
    }
    let suites_read = suites.iter().flat_map(|suite| suite.request.files_read());
    let read: Vec<String> = suites_read.chain([args.config.display().to_string()]).collect();
    let kept = [config.gold.file("lock"), config.report.file("history")].into_iter().flatten();
    let mut taken: Vec<String> = kept.map(|path| path.display().to_string()).collect();
    taken.extend(read.iter().cloned());
    distinct(&targets, &taken).map_err(Stop::Call)?;

    let named = formats::named(&args.format);
    let formats = || targets.iter().filter_map(report_format).chain(named);
    let paged = formats().any(|format| format.paths);
    let sources: Vec<Source> =
        read.iter().flat_map(|name| Source::expand(name).unwrap_or_default()).collect();
    let bar = progress::bar(&sources, terminal);
    let listed = |suite: &Suite| formats().any(|format| (format.cases)(&(suite.profile)()));
    let options = check::Options {
        suites: &args.suites,
        today,
        // Fifty lists of cases would be much to keep for a format that shows none.
        cases: &|suite| if listed(suite) { Cases::All } else { Cases::None },
        detail: if paged { Detail::PAGE } else { Detail::Worst },
        threads: usize::from(args.threads.unwrap_or(0)),
    };
    let context = RunContext { cache: &Cache::default(), progress: &|bytes| bar.inc(bytes) };
    let checked = check::check(&config, &options, &context);
    bar.finish_and_clear();
    let mut checked = checked?;
    let mut wrong = false;
    for suite in checked.suites.iter().filter(|suite| suite.report.is_none()) {
        wrong = true;
        let failure = Failure { problems: suite.found.clone(), total: suite.problems_total };
        let end = format!("{} was not scored", text::visible(&suite.name));
        refuse(&failure, &end, terminal);
    }
    if let Some(path) = config.report.file("history").filter(|path| paged && path.exists()) {
        for suite in &mut checked.suites {
            // One that cannot be read is complained about when this run is added to it.
            let before = history::recent(&path, &suite.name, trend::SHOWN - 1).unwrap_or_default();
            suite.trend = suite.report.as_ref().and_then(|report| trend::of_check(&before, report));
        }
    }
    let render = |target| report_format(target).map(|format| (format.check)(&checked, &Style::PLAIN));
    let files: Vec<(&Target, String)> =
        targets.iter().map(|target| (target, render(target).unwrap_or_default())).collect();
    write_all(&files).map_err(Stop::Call)?;
    if let Some(path) = config.report.file("history").filter(|_| whole) {
        remember(&path, &args.config, &checked)?;
    }
    for target in targets.iter().filter(|_| !terminal.quiet) {
        terminal.complain(&format!("wrote {}\n", target.path().display()));
    }
    let style = Style { color: terminal.color_out(), brief: terminal.quiet };
    let printed = named.map(|format| (format.check)(&checked, &style)).unwrap_or_default();
    terminal.print(&printed).map_err(|e| Stop::Call(format!("standard output: {e}")))?;
    if args.format == GITHUB
        && let Err(message) = summarise(&(formats::md::FORMAT.check)(&checked, &Style::PLAIN))
    {
        terminal.complain(&format!("karat: {message}\n")); // the verdict stands without it
    }
    let denied = args.deny_amber && checked.reports().any(|(_, report)| !report.amber.is_empty());
    Ok(match (wrong, checked.pass && !denied) {
        (true, _) => ExitCode::from(WRONG),
        (false, true) => ExitCode::SUCCESS,
        (false, false) => ExitCode::from(1),
    })
}

/// The reports that the configuration asks for; what is wrong with one is reported at its line.
fn configured(config: &Config) -> Result<Vec<Target>, Failure> {
    let (mut targets, mut wrong) = (Vec::new(), Vec::new());
    for out in config.report.texts("out") {
        match Target::at(&config.report.path(out)) {
            Ok(target) => targets.push(target),
            Err(WrongTarget { message, expected, .. }) => {
                wrong.push(config.report.problem("out", format!("`out`: {message}"), expected));
            }
        }
    }
    if wrong.is_empty() { Ok(targets) } else { Err(Failure::new(wrong)) }
}

fn report_format(target: &Target) -> Option<&'static formats::Format> {
    match target.kind() {
        Kind::Report(format) => Some(format),
        Kind::Partial => None,
    }
}

/// Adds the check to the history.
fn remember(path: &Path, config: &Path, checked: &Checked) -> Result<(), Failure> {
    let stamp = history::Stamp::now(folder_of(config));
    let runs: Vec<history::Run> =
        checked.reports().map(|(name, report)| history::Run::new(name, report, &stamp)).collect();
    if runs.is_empty() { Ok(()) } else { history::record(path, &runs) }
}
