//! The reference pages of docs/, made from the declarations so that they cannot drift.

mod config;

use std::fmt::Write;

use crate::dialect::{Field, Shape};
use crate::formats;
use crate::lints;
use crate::metrics::{About, Direction, Empty, Fold};
use crate::problem::{self, Severity};
use crate::profile::Term;
use crate::suite::{Suite, profiles};
use crate::text::capital;

/// A generated page: its path in the project, and its text.
pub struct Page {
    /// Where it lies.
    pub path: &'static str,
    /// What it says.
    pub text: fn(&[&'static Suite]) -> String,
}

/// Every generated page.
pub const PAGES: &[Page] = &[
    Page { path: "docs/metrics.md", text: metrics_page },
    Page { path: "docs/labels.md", text: labels_page },
    Page { path: "docs/problems.md", text: problems_page },
    Page { path: "docs/files.md", text: files_page },
    Page { path: "docs/config.md", text: config::page },
];

const NOTE: &str =
    "<!-- Written by `cargo xtask codegen` from the declarations of the suites. Edit those. -->\n\n";

/// What a metric is when there is nothing to count.
#[must_use]
pub fn when_empty(metric: &About) -> &'static str {
    match (metric.fold, metric.empty) {
        (Fold::Count | Fold::Input, Empty::Zero | Empty::One) => "0: it is a count",
        (_, Empty::Zero) => "0, marked vacuous; its gate is inconclusive",
        (_, Empty::One) => "1, marked vacuous; its gate is inconclusive",
        (_, Empty::Undefined) => "no value; its gate fails",
    }
}

/// Which way is better, and what `=` means.
#[must_use]
pub fn better(metric: &About) -> &'static str {
    match metric.direction {
        Direction::HigherIsBetter => "up: `=` in a gate means `>=`",
        Direction::LowerIsBetter => "down: `=` in a gate means `<=`",
    }
}

/// Which interval a metric has.
#[must_use]
pub fn interval(metric: &About) -> &'static str {
    match metric.fold {
        Fold::Proportion => "Wilson, 95 %; with several runs a case, bootstrap over cases",
        Fold::Pooled | Fold::Mean => {
            "bootstrap over cases (BCa, 2,000 resamples, seed 24); none under 10 cases"
        }
        Fold::Difference => {
            "paired bootstrap over cases (BCa, 2,000 resamples, seed 24); none under 10 cases"
        }
        Fold::Statistic => "jackknife over cases, 95 %; none under 10 cases",
        Fold::Quantile { .. } | Fold::Derived | Fold::Count | Fold::Input => "none",
    }
}

fn metrics_page(suites: &[&'static Suite]) -> String {
    let mut out = format!(
        "{NOTE}# Metrics\n\n`karat explain NAME` prints the same.\n[definitions.md](definitions.md) lists the sources that the definitions come from, and how conflicts between them were settled.\n"
    );
    for profile in profiles(suites) {
        let _ = writeln!(
            out,
            "\n# `{0}`\n\n{1}.\n\n{2}.\n",
            profile.suite,
            capital(profile.summary),
            capital(profile.sets)
        );
        if profile.suite == "answers" {
            out.push_str("A case without a trace, or whose pipeline failed, is a shipped empty answer: nothing of it counts as found, contained or cited, even where gold's lists are empty.\n\n");
        }
        let _ = writeln!(out, "| metric | what it tells | default gate |\n|---|---|---|");
        for metric in &profile.metrics {
            let gate = metric.default_gate.map(|gate| format!("`{gate}`")).unwrap_or_default();
            let _ = writeln!(out, "| `{}` | {} | {gate} |", metric.name, metric.summary);
        }
        for metric in &profile.metrics {
            describe(&mut out, metric);
        }
        for preset in profile.presets {
            let _ = write!(out, "\n## Preset `{}`\n\n```toml\n{}```\n", preset.name, preset.toml);
        }
    }
    out
}

fn describe(out: &mut String, metric: &About) {
    let _ = writeln!(out, "\n## `{}`\n\n{}\n", metric.name, metric.summary);
    let mut row = |name: &str, value: &str| _ = writeln!(out, "- **{name}**: {value}");
    row("definition", &format!("`{}`", metric.definition));
    row("counted over", metric.over);
    row("when empty", when_empty(metric));
    row("better", better(metric));
    row("interval", interval(metric));
    if !metric.aliases.is_empty() {
        row("also written", &metric.aliases.iter().map(|a| format!("`{a}`")).collect::<Vec<_>>().join(", "));
    }
    row("from", metric.source);
}

fn labels_page(suites: &[&'static Suite]) -> String {
    let all = profiles(suites);
    let mut out =
        format!("{NOTE}# Labels and stages\n\nEvery case gets one label and the stage that broke first.\n");
    for profile in &all {
        if let Some(other) = profile.judges_as(&all) {
            let _ = writeln!(out, "\n# `{}`\n\nLabels and stages are those of `{other}`.", profile.suite);
            continue;
        }
        let _ = writeln!(
            out,
            "\n# `{}`\n\n## Labels, worst first\n\n| label | meaning | what to do |\n|---|---|---|",
            profile.suite
        );
        for label in (profile.labels)() {
            let _ = writeln!(out, "| `{}` | {} | {} |", label.name, label.meaning, steps(&label));
        }
        let _ = writeln!(
            out,
            "\n## Stages, in the pipeline's order\n\n| stage | a case is lost here when | look first at |\n|---|---|---|"
        );
        for stage in (profile.stages)() {
            let _ = writeln!(out, "| `{}` | {} | {} |", stage.name, stage.meaning, steps(&stage));
        }
    }
    for words in all.iter().filter_map(|profile| profile.words) {
        let (title, order, noun) = (capital(words.title), words.order, words.noun);
        let _ = writeln!(out, "\n## {title}, {order}\n\n| {noun} | meaning |\n|---|---|");
        for (word, meaning) in (words.list)() {
            let _ = writeln!(out, "| `{word}` | {meaning} |");
        }
    }
    out
}

/// What to do, each step under its condition.
fn steps(term: &Term) -> String {
    let step = |(when, step): &(&str, &str)| match *when {
        "" => (*step).to_owned(),
        when => format!("{when}: {step}"),
    };
    term.steps.iter().map(step).collect::<Vec<_>>().join("; ")
}

fn problems_page(_: &[&'static Suite]) -> String {
    let mut out = format!(
        "{NOTE}# Problems\n\nWhat can be wrong with an input, by its stable slug. An error scores nothing (exit 2); a warning is printed and counted.\n\n| slug | | meaning | what to do |\n|---|---|---|---|\n"
    );
    for kind in problem::KINDS {
        let severity = if kind.severity == Severity::Error { "error" } else { "warning" };
        let _ = writeln!(out, "| `{}` | {severity} | {} | {} |", kind.slug, kind.meaning, kind.help);
    }
    out.push_str("\n## What `karat gold lint` looks for\n\nBeside the contract of the suite. All are warnings.\n\n| slug | found when |\n|---|---|\n");
    for lint in lints::ALL {
        let _ = writeln!(out, "| `{}` | {} |", lint.kind.slug, lint.method);
    }
    out
}

fn files_page(suites: &[&'static Suite]) -> String {
    let mut out = format!(
        "{NOTE}# Files\n\nWhat karat reads and writes. `karat schema` prints JSON Schemas of them.\n\nkarat recognises a dialect by its fields, row by row. Unknown fields are skipped; those of gold can be used for slices. A null is an absent field. A UTF-8 BOM, CRLF, blank lines and a missing final newline are never errors. Files that are compressed with gzip or zstd are read directly.\n"
    );
    let dialects = suites.iter().flat_map(|suite| suite.dialects.iter().map(|dialect| (suite.name, dialect)));
    for (suite, dialect) in dialects {
        let _ = writeln!(
            out,
            "\n## `{}`\n\n{} Read by `karat {}`. Source: {} ([definitions](definitions.md)).",
            dialect.name, dialect.summary, suite, dialect.source
        );
        let others =
            dialect.others.iter().chain(dialect.columns).map(|(role, fields)| (capital(role), *fields));
        let files = [("Gold row".to_owned(), dialect.gold), ("Trace".to_owned(), dialect.trace)];
        for (title, fields) in files.into_iter().chain(others).filter(|(_, fields)| !fields.is_empty()) {
            let _ = writeln!(out, "\n### {title}\n\n| field | value | |\n|---|---|---|");
            fields.iter().for_each(|field| row(&mut out, "", field));
        }
    }
    let _ = writeln!(out, "\n## Reports\n\n| `--format` | `--out` ending | for |\n|---|---|---|");
    for format in formats::ALL {
        let ending = if format.ending.is_empty() { "–".into() } else { format!("`{}`", format.ending) };
        let _ = writeln!(out, "| `{}` | {ending} | {} |", format.name, format.summary);
    }
    out
}

fn row(out: &mut String, path: &str, field: &Field) {
    let (shape, inner): (String, &[Field]) = match field.shape {
        Shape::Id => ("id: a string or a whole number".into(), &[]),
        Shape::Text => ("string".into(), &[]),
        Shape::Bool => ("true or false".into(), &[]),
        Shape::Number => ("number".into(), &[]),
        Shape::Whole => ("whole number".into(), &[]),
        Shape::Numbers => ("list of numbers".into(), &[]),
        Shape::Offsets => ("[start, end) in bytes".into(), &[]),
        Shape::OffsetsByName => ("object of [start, end)".into(), &[]),
        Shape::Graded => ("list of ids, or object of grades".into(), &[]),
        Shape::Time => ("time: RFC 3339 text, or seconds since 1970".into(), &[]),
        Shape::TextsByName => ("object of lists of strings".into(), &[]),
        Shape::Pairs => ("object, or list of pairs".into(), &[]),
        Shape::Texts => ("list of strings".into(), &[]),
        Shape::Ids => ("list of ids".into(), &[]),
        Shape::OneOf(words) => (words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(" or "), &[]),
        Shape::Object(fields) | Shape::Record(fields) => ("object".into(), fields),
        Shape::Objects(fields) => ("list of objects".into(), fields),
        Shape::Any => ("anything".into(), &[]),
    };
    let required = if field.required.is_some() { " **Required.**" } else { "" };
    let _ = writeln!(out, "| `{path}{}` | {shape} | {}{required} |", field.name, field.doc);
    inner.iter().for_each(|inner| row(out, &format!("{path}{}.", field.name), inner));
}
