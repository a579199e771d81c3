//! The reference pages of docs/, made from the declarations so that they cannot drift.

use std::fmt::Write;

use crate::dialects::{self, Field, Shape};
use crate::formats;
use crate::judge::{Label, Stage};
use crate::metrics::{self, Direction, Empty, Fold, Metric};
use crate::problem::{self, Severity};
use crate::profiles::PRESETS;

/// A generated page: its path in the project, and its text.
pub struct Page {
    /// Where it lies.
    pub path: &'static str,
    /// What it says.
    pub text: fn() -> String,
}

/// Every generated page.
pub const PAGES: &[Page] = &[
    Page { path: "docs/metrics.md", text: metrics_page },
    Page { path: "docs/labels.md", text: labels_page },
    Page { path: "docs/problems.md", text: problems_page },
    Page { path: "docs/files.md", text: files_page },
];

const NOTE: &str =
    "<!-- Written by `cargo xtask codegen` from the declarations in crates/karat-core. Edit those. -->\n\n";

/// What a metric is when there is nothing to count.
#[must_use]
pub fn when_empty(metric: &Metric) -> &'static str {
    match (metric.fold, metric.empty) {
        (Fold::Count | Fold::Input, _) => "0: it is a count",
        (_, Empty::Zero) => "0, marked vacuous; its gate is inconclusive",
        (_, Empty::One) => "1, marked vacuous; its gate is inconclusive",
        (_, Empty::Undefined) => "no value; its gate fails",
    }
}

/// Which way is better, and what `=` means.
#[must_use]
pub fn better(metric: &Metric) -> &'static str {
    match metric.direction {
        Direction::HigherIsBetter => "up: `=` in a gate means `>=`",
        Direction::LowerIsBetter => "down: `=` in a gate means `<=`",
    }
}

/// Which interval a metric has.
#[must_use]
pub fn interval(metric: &Metric) -> &'static str {
    match metric.fold {
        Fold::Proportion => "Wilson, 95 %; with several runs a case, bootstrap over cases",
        Fold::Pooled | Fold::Mean => {
            "bootstrap over cases (BCa, 2,000 resamples, seed 24); none under 10 cases"
        }
        Fold::Count | Fold::Input => "none",
    }
}

/// The sets and checks that definitions use.
pub const SETS: &str = "S shipped, R refused, A answerable, U unanswerable";
/// The checks that definitions use.
pub const CHECKS: &str = "C containment, H citation hit, F nothing forbidden, K constraints kept";

fn metrics_page() -> String {
    let mut out = format!(
        "{NOTE}# Metrics\n\nSets: {SETS}. Checks: {CHECKS}.\n`karat explain NAME` prints the same.\nA case without a trace, or whose pipeline failed, is a shipped empty answer: nothing of it counts as found, contained or cited, even where gold's lists are empty.\nThe seeds are the published notes that the definitions come from: 000 and 002 grounded answers and their gates, 003 the array contract.\n\n"
    );
    let _ = writeln!(out, "| metric | what it tells | default gate |\n|---|---|---|");
    for metric in metrics::ALL {
        let gate = metric.default_gate.map(|gate| format!("`{gate}`")).unwrap_or_default();
        let _ = writeln!(
            out,
            "| [`{0}`](#{1}) | {2} | {gate} |",
            metric.name,
            anchor(metric.name),
            metric.summary
        );
    }
    for metric in metrics::ALL {
        let _ = writeln!(out, "\n## `{}`\n\n{}\n", metric.name, metric.summary);
        let mut row = |name: &str, value: &str| _ = writeln!(out, "- **{name}**: {value}");
        row("definition", &format!("`{}`", metric.definition));
        row("counted over", metric.over);
        row("when empty", when_empty(metric));
        row("better", better(metric));
        row("interval", interval(metric));
        if !metric.aliases.is_empty() {
            row(
                "also written",
                &metric.aliases.iter().map(|a| format!("`{a}`")).collect::<Vec<_>>().join(", "),
            );
        }
        row("from", metric.source);
    }
    let _ = writeln!(out, "\n# Presets");
    for preset in PRESETS {
        let _ = write!(out, "\n## `{}`\n\n```toml\n{}```\n", preset.name, preset.toml);
    }
    out
}

/// GitHub's anchor of a heading that is one name in backquotes.
fn anchor(name: &str) -> String {
    name.to_lowercase().chars().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect()
}

fn labels_page() -> String {
    let mut out =
        format!("{NOTE}# Labels and stages\n\nEvery case gets one label and the stage that broke first.\n\n");
    let _ = writeln!(out, "## Labels, worst first\n\n| label | meaning | what to do |\n|---|---|---|");
    for label in Label::ALL {
        let (plain, lost) = (label.next_step(Stage::Citation), label.next_step(Stage::Retrieval));
        let step = if plain == lost {
            plain.to_owned()
        } else {
            format!("{plain}; or, where it was lost at retrieval: {lost}")
        };
        let _ = writeln!(out, "| `{}` | {} | {step} |", label.name(), label.meaning());
    }
    let _ = writeln!(
        out,
        "\n## Stages, in the pipeline's order\n\n| stage | a case is lost here when |\n|---|---|"
    );
    for stage in Stage::ALL {
        let _ = writeln!(out, "| `{}` | {} |", stage.name(), stage.meaning());
    }
    out
}

fn problems_page() -> String {
    let mut out = format!(
        "{NOTE}# Problems\n\nWhat can be wrong with an input, by its stable slug. An error scores nothing (exit 2); a warning is printed and counted.\n\n| slug | | meaning | what to do |\n|---|---|---|---|\n"
    );
    for kind in problem::KINDS {
        let severity = if kind.severity == Severity::Error { "error" } else { "warning" };
        let _ = writeln!(out, "| `{}` | {severity} | {} | {} |", kind.slug, kind.meaning, kind.help);
    }
    out
}

fn files_page() -> String {
    let mut out = format!(
        "{NOTE}# Files\n\nWhat karat reads and writes. `karat schema` prints JSON Schemas of them.\n\nA dialect is recognised by its fields, row by row; unknown fields are skipped, and gold's can be sliced by. A null is an absent field. A UTF-8 BOM, CRLF, blank lines and a missing final newline are never errors; `.gz` and `.zst` are read as they are.\n"
    );
    for dialect in dialects::ALL {
        let _ = writeln!(out, "\n## `{}`\n\n{} From {}.", dialect.name, dialect.summary, dialect.source);
        for (title, fields) in [("Gold row", dialect.gold), ("Trace", dialect.trace)] {
            let _ = writeln!(out, "\n### {title}\n\n| field | value | |\n|---|---|---|");
            fields.iter().for_each(|field| row(&mut out, "", field));
        }
    }
    let _ = writeln!(out, "\n## Reports\n\n| `--format` | `--out` ending | for |\n|---|---|---|");
    for format in formats::ALL {
        let _ = writeln!(out, "| `{}` | `{}` | {} |", format.name, format.ending, format.summary);
    }
    out
}

fn row(out: &mut String, path: &str, field: &Field) {
    let (shape, inner): (String, &[Field]) = match field.shape {
        Shape::Id => ("id: a string or a whole number".into(), &[]),
        Shape::Text => ("string".into(), &[]),
        Shape::Bool => ("true or false".into(), &[]),
        Shape::Number => ("number".into(), &[]),
        Shape::Texts => ("list of strings".into(), &[]),
        Shape::Ids => ("list of ids".into(), &[]),
        Shape::OneOf(words) => (words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(" or "), &[]),
        Shape::Object(fields) => ("object".into(), fields),
        Shape::Objects(fields) => ("list of objects".into(), fields),
        Shape::Any => ("anything".into(), &[]),
    };
    let required = if field.required { " **Required.**" } else { "" };
    let _ = writeln!(out, "| `{path}{}` | {shape} | {}{required} |", field.name, field.doc);
    inner.iter().for_each(|inner| row(out, &format!("{path}{}.", field.name), inner));
}
