//! `kind = "latency"`.

use super::Job;
use crate::config::keys::{Key, Shape};
use crate::judge::{Refusal, Scu};
use crate::suites::latency::{self, Inputs, Select, Settings};

/// The declaration.
pub const JOB: Job = Job {
    suite: "latency",
    keys: &[
        Key::new("gold", Shape::File, "its gold set, instead of the project's"),
        Key::new("traces", Shape::Files, "timed traces as JSON lines: files or patterns"),
        Key::new("latency_csv", Shape::Files, "times as CSV, instead of those in the traces"),
        Key::new("baseline", Shape::Files, "traces to compare with"),
        Key::new(
            "select",
            Shape::Word(&["fastest", "most-accurate", "knee"]),
            "which point of the frontier counts (fastest)",
        ),
        Key::new(
            "scu",
            Shape::Word(&["off", "report", "enforce"]),
            "what is done about locked constraints (report)",
        ),
        Key::new("refusal", Shape::Texts, "refusals instead of 'not in context': exact texts or /patterns/"),
    ],
    inputs: &[&["gold", "traces"], &["latency_csv"]],
    run: |entries, setting| {
        if entries.has("slices") {
            let message = "a time belongs to no slice: score the slice's traces alone";
            return Err(entries.problem("slices", message, "nothing").into());
        }
        let gold = entries.file("gold").map(|path| setting.shelf.file(&path)).transpose()?;
        let inputs = Inputs {
            gold,
            traces: entries.files("traces")?,
            latency_csv: entries.files("latency_csv")?,
            baseline: if entries.has("baseline") { Some(entries.files("baseline")?) } else { None },
        };
        let select =
            entries.text("select").and_then(|word| Select::ALL.into_iter().find(|s| s.name() == word));
        let settings = Settings {
            select: select.unwrap_or_default(),
            scu: entries.text("scu").and_then(Scu::named).unwrap_or_default(),
            refusal: match entries.texts("refusal") {
                [] => Refusal::default(),
                texts => Refusal::parse(texts)?,
            },
            lenient: entries.flag("lenient"),
            gates: entries.gates(),
            cases: setting.cases,
            tell: setting.tell.clone(),
            threads: setting.threads,
        };
        latency::evaluate_with(&inputs, &settings, setting.progress)
    },
    explain: None,
};
