//! What every scoring verb shares: how its report is printed and written, and what its exit status is.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser};
use karat_engine::detail::Detail;
use karat_engine::input::Source;
use karat_engine::pipeline::Cases;
use karat_engine::problem::Failure;
use karat_engine::report::Report;
use karat_engine::request::{Extra, Output};
use karat_engine::suite::Suite;
use karat_engine::text;
use karat_report::formats::{self, Style};

use super::{answer, fail, refuse};
use crate::output::{Kind, Target, Terminal, summarise, write_all};

/// The name that asks for a partial instead of a report.
const PARTIAL: &str = "partial";
/// The format that also writes the summary of a GitHub step.
pub(crate) const GITHUB: &str = "github";

#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// How many threads [default: as many as there are cores]; the output is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// How the report is printed
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = formats::ALL.iter().map(|f| f.name).collect::<Vec<_>>())]
    format: String,

    /// Write the report to a file too; its ending picks the format (repeatable)
    #[arg(long, value_name = "FILE")]
    out: Vec<PathBuf>,

    /// Exit with 1 where anything casts doubt on the verdict (amber), whatever the gates say
    #[arg(long)]
    deny_amber: bool,

    /// Which cases json, csv and md list
    #[arg(long, value_enum, default_value_t = CasesArg::All, value_name = "WHICH")]
    cases: CasesArg,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CasesArg {
    All,
    Offenders,
    None,
}

impl ReportArgs {
    /// The formats that the command of a suite prints.
    pub(crate) fn formats_of(suite: &Suite) -> PossibleValuesParser {
        let own = suite.layouts.iter().copied();
        let all = formats::ALL.iter().map(|format| PossibleValue::new(format.name));
        let partial = PossibleValue::new(PARTIAL).hide(suite.no_partials.is_some());
        PossibleValuesParser::new(all.chain([partial]).chain(own.map(PossibleValue::new)))
    }

    pub(crate) fn threads(&self) -> usize {
        usize::from(self.threads.unwrap_or(0))
    }

    pub(crate) fn cases(&self, suite: &Suite) -> Cases {
        match self.cases {
            CasesArg::All if !self.formats().any(|format| (format.cases)(&(suite.profile)())) => Cases::None,
            CasesArg::All => Cases::All,
            CasesArg::Offenders => Cases::Offenders,
            CasesArg::None => Cases::None,
        }
    }

    /// Whose words the report carries: pages that people click through ask for more than the worst cases'.
    pub(crate) fn detail(&self) -> Detail {
        if self.formats().any(|format| format.paths) { Detail::PAGE } else { Detail::Worst }
    }

    /// What is made beside the report, or instead of it.
    pub(crate) fn extra(&self, suite: &Suite) -> Extra {
        let layout = suite.layouts.iter().copied().find(|layout| *layout == self.format);
        match layout {
            _ if self.wants_partial() => Extra::Partial,
            Some(layout) if self.out.is_empty() => Extra::Layout(layout),
            Some(layout) => Extra::LayoutToo(layout),
            None => Extra::None,
        }
    }

    /// The formats that are printed and written.
    fn formats(&self) -> impl Iterator<Item = &'static formats::Format> {
        let out = self.out.iter().filter_map(|path| formats::for_file(&path.display().to_string()));
        formats::named(&self.format).into_iter().chain(out)
    }

    /// Whether a partial is to be made.
    pub(crate) fn wants_partial(&self) -> bool {
        self.format == PARTIAL || self.out.iter().any(|path| Target::new(path).is_ok_and(|t| t.is_partial()))
    }

    /// Scores and reports. The files are checked before the work begins, and written before anything is printed.
    /// `inputs` are what the verb reads: no output may take the place of one.
    pub(crate) fn run(
        &self,
        terminal: &Terminal,
        inputs: &[String],
        score: impl FnOnce() -> Result<Output, Failure>,
    ) -> ExitCode {
        let targets: Result<Vec<Target>, String> = self.out.iter().map(|path| Target::new(path)).collect();
        let targets = targets.and_then(|targets| distinct(&targets, inputs).map(|()| targets));
        let targets = match targets {
            Ok(targets) => targets,
            Err(message) => return fail(&message, terminal),
        };
        let made = match score() {
            Ok(made) => made,
            Err(failure) => {
                let status = refuse(&failure, "nothing was scored", terminal);
                if self.format == GITHUB {
                    // Where standard output is gone, the status still says it.
                    let _ = terminal.print(&formats::github::problems(&failure));
                }
                return status;
            }
        };
        warn(&made.report, terminal);
        let extra = || made.extra.clone().unwrap_or_default();
        let render = |target: &Target| match target.kind() {
            Kind::Report(format) => (format.render)(&made.report, &Style::PLAIN),
            Kind::Partial => extra(),
        };
        let files: Vec<(&Target, String)> = targets.iter().map(|target| (target, render(target))).collect();
        if let Err(message) = write_all(&files) {
            return fail(&message, terminal);
        }
        for target in targets.iter().filter(|_| !terminal.quiet) {
            terminal.complain(&format!("wrote {}\n", target.path().display()));
        }
        let style = Style { color: terminal.color_out(), brief: terminal.quiet };
        let format = formats::named(&self.format);
        let printed = format.map_or_else(extra, |format| (format.render)(&made.report, &style));
        if self.format == GITHUB
            && let Err(message) = summarise(&(formats::md::FORMAT.render)(&made.report, &Style::PLAIN))
        {
            terminal.complain(&format!("karat: {message}\n")); // the verdict stands without it
        }
        // A part decides nothing, and neither do figures that nobody gates.
        let decided = self.format != PARTIAL && !(format.is_none() && made.report.gates.is_empty());
        answer(
            &printed,
            u8::from(decided && (!made.report.pass || self.deny_amber && !made.report.amber.is_empty())),
            terminal,
        )
    }
}

/// Makes sure that no file is written twice, nor over something that is read.
pub(crate) fn distinct<'t>(
    targets: impl IntoIterator<Item = &'t Target>,
    inputs: &[String],
) -> Result<(), String> {
    let targets: Vec<&Target> = targets.into_iter().collect();
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    for (i, target) in targets.iter().enumerate() {
        let (path, shown) = (real(target.path()), target.path().display());
        if targets[..i].iter().any(|other| real(other.path()) == path) {
            return Err(format!("--out {shown}: this file is named twice"));
        }
        let reads = inputs.iter().flat_map(|input| Source::expand(input).unwrap_or_default());
        if reads.into_iter().any(|source| real(Path::new(&**source.name())) == path) {
            return Err(format!("--out {shown}: this file is an input; name another one"));
        }
    }
    Ok(())
}

/// The first warnings about gold, a line each.
fn warn(report: &Report, terminal: &Terminal) {
    const SHOWN: usize = 5;
    if terminal.quiet {
        return;
    }
    report.warnings.iter().take(SHOWN).for_each(|warning| terminal.complain(&format!("{warning}\n")));
    if report.warnings_total > SHOWN as u64 {
        let more = text::count(report.warnings_total - SHOWN as u64, "more warning");
        let first = report.warnings.len();
        terminal.complain(&format!("… and {more}; the json report lists the first {first}\n"));
    }
}
