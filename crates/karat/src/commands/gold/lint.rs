//! `karat gold lint`: can this gold set tell good from bad?

use std::fmt::Write;

use clap::ValueEnum;
use karat_engine::input::Source;
use karat_engine::problem::{Problem, Severity};
use karat_engine::text;
use karat_suites::lint::{self, Contract, Linted};
use serde_json::{Value, json};

use super::{Answer, Done, ProjectArgs, answer};
use crate::commands::Suites;
use crate::commands::files;
use crate::output::{BAD, GOOD, Terminal, UNSURE, paint};
use crate::problems;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Gold files of any suite, or patterns; `-` is standard input [default: those of karat.toml, with its slices]
    #[arg(value_name = "GOLD")]
    gold: Vec<String>,

    #[command(flatten)]
    project: ProjectArgs,

    /// The suite that they are written for [default: recognised by their fields]
    #[arg(long, value_enum, value_name = "SUITE")]
    suite: Option<Suite>,

    /// A field that reports are sliced by: each of its values should have enough rows (repeatable)
    #[arg(long, value_name = "FIELD")]
    slice: Vec<String>,

    /// Fail on warnings too
    #[arg(long)]
    deny_warnings: bool,

    /// The output format
    #[arg(long, value_enum, default_value_t = Answer::Text, value_name = "FORMAT")]
    format: Answer,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Suite {
    /// And with it latency and stability
    Answers,
    Release,
    Retrieval,
}

const EXAMPLES: &str = "\
Examples:
  karat gold lint
  karat gold lint eval/gold.jsonl
  karat gold lint eval/*.jsonl --slice workflow --deny-warnings
  karat explain gold/near-duplicate

Exit status: 0 no errors (and, with --deny-warnings, no warnings); 1 there are some; 2 a file cannot be
read, or the call is wrong.";

pub(super) fn run(args: &Args, suites: Suites, terminal: &Terminal) -> Done {
    files::standard_input_once(args.gold.iter().map(String::as_str))?;
    let contract = args.suite.map(|suite| match suite {
        Suite::Answers => Contract::Answers,
        Suite::Release => Contract::Release,
        Suite::Retrieval => Contract::Retrieval,
    });
    let mut slices = args.slice.clone();
    let sources = if args.gold.is_empty() {
        let config = args.project.read(suites)?;
        let all = config.suites.iter().flat_map(|suite| suite.request.given.texts("slices"));
        for field in all {
            if !slices.contains(field) {
                slices.push(field.clone());
            }
        }
        config.gold_files().into_iter().map(Source::file).collect()
    } else {
        files::expand(&args.gold)?
    };
    let mut linted = Vec::new();
    for source in sources {
        let name = source.name().to_string();
        linted.push((name, lint::lint(&source, contract, &slices)?));
    }
    let (errors, warnings) = linted.iter().fold((0, 0), |(errors, warnings), (_, linted)| {
        let (e, w) = linted.counts();
        (errors + e, warnings + w)
    });
    let failed = errors > 0 || (args.deny_warnings && warnings > 0);
    let told = match args.format {
        Answer::Json => as_json(&linted, !failed),
        Answer::Text => as_text(&linted, failed, terminal),
    };
    Ok(answer(&told, u8::from(failed), terminal))
}

fn as_json(linted: &[(String, Linted)], pass: bool) -> String {
    let severity = |severity| if severity == Severity::Error { "error" } else { "warning" };
    let found = |found: &Problem| {
        json!({ "slug": found.kind.slug, "severity": severity(found.kind.severity), "line": found.line,
                "column": found.column, "field": found.path, "message": found.message,
                "expected": found.expected, "help": found.kind.help })
    };
    let file = |(name, linted): &(String, Linted)| {
        let totals = linted.totals.iter().map(|(kind, total)| (kind.slug.to_owned(), json!(total)));
        let (errors, warnings) = linted.counts();
        json!({ "path": name, "suite": linted.contract.name(), "rows": linted.rows, "errors": errors,
                "warnings": warnings, "totals": totals.collect::<serde_json::Map<String, Value>>(),
                "found": linted.found.iter().map(found).collect::<Vec<_>>() })
    };
    let files: Vec<Value> = linted.iter().map(file).collect();
    format!("{:#}\n", json!({ "schema": "karat.lint/1", "pass": pass, "gold": files }))
}

fn as_text(linted: &[(String, Linted)], failed: bool, terminal: &Terminal) -> String {
    let color = terminal.color_out();
    let mut out = String::new();
    if !terminal.quiet {
        for problem in linted.iter().flat_map(|(_, linted)| &linted.found) {
            out.push_str(&problems::single(problem, color));
            out.push('\n');
        }
    }
    for (name, linted) in linted {
        let (errors, warnings) = linted.counts();
        let (word, style) = match (failed, errors, warnings) {
            (_, 0, 0) => ("SOUND", GOOD),
            (false, 0, _) => ("WARNED", UNSURE),
            _ => ("UNSOUND", BAD),
        };
        let (word, name, suite) = (paint(style, word, color), text::visible(name), linted.contract.name());
        let [rows, errors_found, warnings_found] =
            [(linted.rows, "row"), (errors, "error"), (warnings, "warning")]
                .map(|(n, noun)| text::count(n, noun));
        let _ = writeln!(out, "{word}  {name} ({suite}, {rows}): {errors_found}, {warnings_found}");
        for (kind, total) in linted.totals.iter().filter(|_| !terminal.quiet) {
            let shown = linted.found.iter().filter(|found| found.kind == *kind).count() as u64;
            let first = if shown < *total { format!("; the first {shown} are shown") } else { String::new() };
            let _ = writeln!(out, "  {:<26}{:>7}{first}", kind.slug, text::group(*total));
        }
        if let Some((_, more)) = linted.unlisted.filter(|_| !terminal.quiet) {
            let _ = writeln!(out, "  … and {} that are not listed", text::group(more));
        }
        if errors > 0 && !terminal.quiet {
            out.push_str("  the lints look once the errors are gone\n");
        }
    }
    out
}
