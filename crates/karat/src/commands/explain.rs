//! `karat explain`: what a metric counts, what a label means, what a preset demands, what to do about a problem.

use std::fmt::Write;

use karat_core::docs;
use karat_core::judge::{Label, Stage};
use karat_core::metrics::{self, Metric};
use karat_core::problem::{self, Severity};
use karat_core::profiles::{PRESETS, Preset};
use karat_core::text;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  karat explain precision\n  karat explain HALLUCINATION\n  karat explain ship\n  karat explain gold/duplicate-id"
)]
pub(crate) struct Args {
    /// A metric, a label, a stage, a preset or a problem; nothing lists them all
    name: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<String, String> {
    let Some(name) = &args.name else { return Ok(list()) };
    if let Some((metric, _)) = metrics::find(name, metrics::ALL, 5) {
        return Ok(explain_metric(metric));
    }
    if let Some(label) = Label::ALL.into_iter().find(|label| label.name().eq_ignore_ascii_case(name)) {
        let mut out = format!("{} (label)\n\n{}\n", label.name(), label.meaning());
        for (stage, step) in next_steps(label) {
            let _ = writeln!(out, "What to do{stage}: {step}.");
        }
        return Ok(out);
    }
    if let Some(preset) = PRESETS.iter().find(|preset| preset.name == name) {
        return Ok(format!("{} (preset of `karat {}`)\n\n{}", preset.name, preset.suite, preset.toml));
    }
    if let Some(kind) = problem::kind(name) {
        let severity = if kind.severity == Severity::Error { "error" } else { "warning" };
        return Ok(format!("{} ({severity})\n\n{}\nWhat to do: {}.\n", kind.slug, kind.meaning, kind.help));
    }
    if let Some(stage) = Stage::ALL.into_iter().find(|stage| stage.name() == name) {
        return Ok(format!("{} (stage)\n\n{}.\n", stage.name(), capital(stage.meaning())));
    }
    let labels = Label::ALL.map(Label::name);
    let known = metrics::ALL.iter().map(|metric| metric.name).chain(labels);
    let known =
        known.chain(PRESETS.iter().map(|p| p.name)).chain(problem::KINDS.iter().map(|kind| kind.slug));
    let near = text::nearest(name, known);
    let hint = if near.is_empty() {
        "`karat explain` lists what there is".to_owned()
    } else {
        format!("did you mean {}?", near.join(" or "))
    };
    Err(format!("nothing is called `{}`; {hint}", text::visible(name)))
}

fn explain_metric(metric: &Metric) -> String {
    let mut out = String::new();
    let mut line = |name: &str, value: &str| _ = writeln!(out, "{name:<13}{value}");
    line("metric", metric.name);
    line("tells", metric.summary);
    line("definition", metric.definition);
    line("counted over", metric.over);
    line("when empty", docs::when_empty(metric));
    line("better", docs::better(metric));
    line("interval", docs::interval(metric));
    if let Some(gate) = metric.default_gate {
        line("default gate", gate);
    }
    if !metric.aliases.is_empty() {
        line("also", &metric.aliases.join(", "));
    }
    line("from", metric.source);
    line("", "");
    line("sets", docs::SETS);
    line("checks", docs::CHECKS);
    out.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// What to do about a label: once, or by the stage that broke first where that makes a difference.
fn next_steps(label: Label) -> Vec<(String, &'static str)> {
    let (plain, retrieval) = (label.next_step(Stage::Citation), label.next_step(Stage::Retrieval));
    if plain == retrieval {
        return vec![(String::new(), plain)];
    }
    vec![(" (evidence retrieved)".into(), plain), (" (lost at retrieval)".into(), retrieval)]
}

fn list() -> String {
    let mut out = String::new();
    let mut section = |title: &str, rows: Vec<(&str, String)>| {
        let _ = writeln!(out, "{title}");
        for (name, summary) in rows {
            let _ = writeln!(out, "  {name:<24} {summary}");
        }
        out.push('\n');
    };
    section("Metrics", metrics::ALL.iter().map(|m| (m.name, m.summary.into())).collect());
    section("Labels, worst first", Label::ALL.into_iter().map(|l| (l.name(), l.meaning().into())).collect());
    section(
        "Stages, in order",
        Stage::ALL.into_iter().map(|s| (s.name(), capital(s.meaning()) + ".")).collect(),
    );
    section("Presets", PRESETS.iter().map(|p: &Preset| (p.name, p.summary())).collect());
    section("Problems", problem::KINDS.iter().map(|k| (k.slug, k.meaning.into())).collect());
    out.push_str("`karat explain NAME` says more.\n");
    out
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
