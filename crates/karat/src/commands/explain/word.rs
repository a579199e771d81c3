//! What does a word of karat mean: a metric, a label, a stage, a preset, a problem?

use std::fmt::Write;

use karat_engine::metrics::{self, About};
use karat_engine::problem::{self, Severity};
use karat_engine::profile::{Profile, Term};
use karat_engine::suite::profiles;
use karat_engine::text;
use karat_report::docs;
use karat_suites::lints;

use crate::commands::Suites;

/// What is declared under a name; the nearest names where nothing is.
pub(super) fn declared(name: &str, suites: Suites) -> Result<String, Vec<&'static str>> {
    let profiles = profiles(suites);
    let found: Vec<String> = profiles.iter().flat_map(|profile| in_suite(profile, name, &profiles)).collect();
    if !found.is_empty() {
        return Ok(found.join("\n"));
    }
    if let Some(kind) = problem::kind(name) {
        let severity = if kind.severity == Severity::Error { "error" } else { "warning" };
        let lint = lints::ALL.iter().find(|lint| lint.kind == kind);
        let found = lint.map(|lint| format!("Found when: {}\n", lint.method)).unwrap_or_default();
        let (slug, meaning, help) = (kind.slug, kind.meaning, kind.help);
        return Ok(format!("{slug} ({severity})\n\n{meaning}\n{found}What to do: {help}.\n"));
    }
    let metrics = profiles.iter().flat_map(|profile| profile.metrics.iter().map(|metric| metric.name));
    let labels = profiles.iter().flat_map(|profile| (profile.labels)()).map(|label| label.name);
    let known =
        metrics.chain(labels).chain(profiles.iter().flat_map(|profile| profile.presets).map(|p| p.name));
    let words = profiles.iter().filter_map(|profile| profile.words).flat_map(|words| (words.list)());
    let known = known.chain(problem::KINDS.iter().map(|kind| kind.slug)).chain(words.map(|(word, _)| word));
    Err(text::nearest(name, known))
}

/// What a suite calls by this name: a metric, a label, a preset, a stage.
fn in_suite(profile: &Profile, name: &str, all: &[Profile]) -> Vec<String> {
    let mut found = Vec::new();
    if let Some((metric, _)) = metrics::find(name, &profile.metrics, 5) {
        // What several suites count alike is told once.
        let sharing = sharing(metric, all);
        if sharing.first() == Some(&profile.suite) {
            found.push(explain_metric(metric, profile, &sharing));
        }
    }
    let judges = profile.judges_as(all).is_none();
    if let Some(label) =
        (profile.labels)().iter().find(|label| judges && label.name.eq_ignore_ascii_case(name))
    {
        let mut out = format!("{} (label of `karat {}`)\n\n{}\n", label.name, profile.suite, label.meaning);
        for (when, step) in &label.steps {
            let when = if when.is_empty() { String::new() } else { format!(" ({when})") };
            let _ = writeln!(out, "What to do{when}: {step}.");
        }
        found.push(out);
    }
    if let Some((_, meaning)) = profile.checks.iter().find(|(check, _)| *check == name) {
        found.push(format!("{name} (check of `karat {}`)\n\n{}.\n", profile.suite, text::capital(meaning)));
    }
    if let Some(preset) = profile.presets.iter().find(|preset| preset.name == name) {
        found.push(format!("{} (preset of `karat {}`)\n\n{}", preset.name, profile.suite, preset.toml));
    }
    if let Some(stage) = (profile.stages)().iter().find(|stage| judges && stage.name == name) {
        let mut out = format!(
            "{} (stage of `karat {}`)\n\n{}.\n",
            stage.name,
            profile.suite,
            text::capital(stage.meaning)
        );
        for (_, step) in &stage.steps {
            let _ = writeln!(out, "Look first at: {step}.");
        }
        found.push(out);
    }
    if let Some(words) = profile.words {
        for (word, meaning) in (words.list)().into_iter().filter(|(word, _)| *word == name) {
            let (title, meaning) = (words.title, text::capital(meaning));
            found.push(format!("{word} ({title}: `karat {}`)\n\n{meaning}.\n", profile.suite));
        }
    }
    found
}

/// The suites that count this very figure.
fn sharing(metric: &About, all: &[Profile]) -> Vec<&'static str> {
    let same = |other: &About| other.name == metric.name && other.definition == metric.definition;
    all.iter().filter(|profile| profile.metrics.iter().any(|other| same(other))).map(|p| p.suite).collect()
}

fn explain_metric(metric: &About, profile: &Profile, suites: &[&str]) -> String {
    let mut out = String::new();
    let mut line = |name: &str, value: &str| _ = writeln!(out, "{name:<13}{value}");
    let suites: Vec<String> = suites.iter().map(|suite| format!("`karat {suite}`")).collect();
    line("metric", &format!("{} ({})", metric.name, suites.join(", ")));
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
    line("words", profile.sets);
    out.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Everything that has a name.
pub(super) fn list(suites: Suites) -> String {
    let mut out = String::new();
    let mut section = |title: &str, rows: Vec<(&str, String)>| {
        let _ = writeln!(out, "{title}");
        for (name, summary) in rows {
            let _ = writeln!(out, "  {name:<26} {summary}");
        }
        out.push('\n');
    };
    let all = profiles(suites);
    for profile in &all {
        let terms = |terms: Vec<Term>| terms.iter().map(|t| (t.name, text::capital(t.meaning))).collect();
        let suite = profile.suite;
        let metrics = profile.metrics.iter().map(|metric| (metric.name, metric.summary.into())).collect();
        section(&format!("{suite}: metrics"), metrics);
        if profile.judges_as(&all).is_none() {
            section(&format!("{suite}: labels, worst first"), terms((profile.labels)()));
            section(&format!("{suite}: stages, in order"), terms((profile.stages)()));
        }
        let presets = profile.presets.iter().map(|preset| (preset.name, preset.summary())).collect();
        section(&format!("{suite}: presets"), presets);
    }
    for profile in &all {
        if let Some(words) = profile.words {
            let list = (words.list)().into_iter().map(|(word, meaning)| (word, text::capital(meaning)));
            section(&format!("{}: {}", profile.suite, words.title), list.collect());
        }
    }
    section("Problems", problem::KINDS.iter().map(|k| (k.slug, k.meaning.into())).collect());
    out.push_str("`karat explain NAME` says more.\n");
    out
}
