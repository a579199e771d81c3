//! `kind = "stability"`.

use super::Job;
use crate::config::keys::{Key, Shape};
use crate::judge::Refusal;
use crate::suites::stability::{self, Grid, Inputs, Settings};

/// The declaration.
pub const JOB: Job = Job {
    suite: "stability",
    keys: &[
        Key::new("gold", Shape::File, "its gold set, instead of the project's"),
        Key::new("traces", Shape::Files, "repeated runs as JSON lines: files or patterns"),
        Key::new(
            "grid",
            Shape::NamedTexts,
            "the seeds and jitters that every case must have: { seeds = [0, 1], jitters = [\"none\"] }",
        ),
        Key::new("refusal", Shape::Texts, "refusals instead of 'not in context': exact texts or /patterns/"),
    ],
    inputs: &[&["gold", "traces"]],
    run: |entries, setting| {
        let axes: Vec<(&str, Vec<&str>)> = entries
            .named("grid")
            .iter()
            .map(|(axis, values)| (axis.as_str(), values.iter().map(String::as_str).collect()))
            .collect();
        let settings = Settings {
            grid: if axes.is_empty() { Grid::default() } else { Grid::of(&axes)? },
            refusal: match entries.texts("refusal") {
                [] => Refusal::default(),
                texts => Refusal::parse(texts)?,
            },
            lenient: entries.flag("lenient"),
            gates: entries.gates(),
            slices: entries.texts("slices").to_vec(),
            cases: setting.cases,
            tell: setting.tell.clone(),
            threads: setting.threads,
        };
        let gold = setting.shelf.file(&entries.file("gold").unwrap_or_default())?;
        stability::evaluate_with(
            &Inputs { gold, traces: entries.files("traces")? },
            &settings,
            setting.progress,
        )
    },
    explain: None,
};
