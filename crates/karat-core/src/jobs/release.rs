//! `kind = "release"`.

use super::{Job, Setting};
use crate::config::Entries;
use crate::config::keys::{Key, Shape};
use crate::problem::Failure;
use crate::suites::release::{self, Inputs, Settings};

/// The declaration.
pub const JOB: Job = Job {
    suite: "release",
    keys: &[
        Key::new("gold", Shape::File, "its gold set, instead of the project's"),
        Key::new(
            "traces",
            Shape::Files,
            "cases as JSON lines, production traces and controls: files or patterns",
        ),
        Key::new("evidence", Shape::Files, "the evidence store as JSON lines: files or patterns"),
        Key::new("version_keys", Shape::Texts, "the versions that every trace must name"),
        Key::new(
            "trust_claim_phrases",
            Shape::Flag,
            "let production traces name the phrases of their claims",
        ),
    ],
    inputs: &[&["gold", "traces", "evidence"]],
    run: |entries, setting| {
        release::evaluate_with(&inputs(entries, setting)?, &settings(entries, setting), setting.progress)
    },
    explain: Some(|entries, setting, name| {
        release::explain(&inputs(entries, setting)?, &settings(entries, setting), name)
    }),
};

fn inputs(entries: &Entries, setting: &Setting<'_>) -> Result<Inputs, Failure> {
    let gold = setting.shelf.file(&entries.file("gold").unwrap_or_default())?;
    let traces = entries.files("traces")?;
    release::distinct(&traces)?;
    Ok(Inputs { evidence: entries.files("evidence")?, gold, traces })
}

fn settings(entries: &Entries, setting: &Setting<'_>) -> Settings {
    let mut settings = Settings {
        trust_claim_phrases: entries.flag("trust_claim_phrases"),
        lenient: entries.flag("lenient"),
        gates: entries.gates(),
        slices: entries.texts("slices").to_vec(),
        cases: setting.cases,
        tell: setting.tell.clone(),
        threads: setting.threads,
        ..Settings::default()
    };
    if entries.has("version_keys") {
        settings.version_keys = entries.texts("version_keys").to_vec();
    }
    settings
}
