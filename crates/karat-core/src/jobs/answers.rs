//! `kind = "answers"`.

use super::Job;
use crate::config::Entries;
use crate::config::keys::{Key, Shape};
use crate::judge::{Refusal, RulePack, Scu};
use crate::ledger::Runs;
use crate::problem::Failure;
use crate::profiles::Profile;
use crate::settle::Missing;
use crate::suites::answers::{Plan, Settings};

/// The declaration.
pub const JOB: Job = Job {
    suite: "answers",
    keys: &[
        Key::new("gold", Shape::File, "its gold set, instead of the project's"),
        Key::new("traces", Shape::Files, "traces as JSON lines: files or patterns"),
        Key::new("k", Shape::Number, "the cut-off of recall@k and its like (5)"),
        Key::new(
            "scu",
            Shape::Word(&["off", "report", "enforce"]),
            "what is done about locked constraints (report)",
        ),
        Key::new("scu_rules", Shape::Files, "further packs of contradiction rules"),
        Key::new("refusal", Shape::Texts, "refusals instead of 'not in context': exact texts or /patterns/"),
        Key::new("runs", Shape::Word(&["last", "all"]), "which traces of a case count (last)"),
        Key::new(
            "missing",
            Shape::Word(&["score", "skip"]),
            "what becomes of a case without a trace (score)",
        ),
    ],
    inputs: &[&["gold", "traces"]],
    run: |entries, setting| {
        let (profile, traces) = (Profile::answers(), entries.files("traces")?);
        let settings = Settings {
            cases: setting.cases,
            tell: setting.tell.clone(),
            threads: setting.threads,
            ..settings(entries)?
        };
        let path = entries.file("gold").unwrap_or_default();
        let plan =
            Plan::with(&profile, &settings, |slices| setting.shelf.gold(&path, slices, settings.threads))?;
        let counted = plan.read(&traces, setting.progress)?;
        Ok(plan.finish(counted, &traces))
    },
    explain: None,
};

fn settings(entries: &Entries) -> Result<Settings, Failure> {
    let mut contradictions = RulePack::default();
    for source in entries.files("scu_rules")? {
        let text = source.text()?;
        contradictions.extend(RulePack::parse(source.name(), &text)?);
    }
    let default = Settings::default();
    let k = entries.number("k").map(|k| u32::try_from(k.min(1_000_000)).unwrap_or(u32::MAX));
    Ok(Settings {
        k: k.unwrap_or(default.k),
        scu: entries.text("scu").and_then(Scu::named).unwrap_or_default(),
        runs: if entries.text("runs") == Some("all") { Runs::All } else { Runs::Last },
        missing: if entries.text("missing") == Some("skip") { Missing::Skip } else { Missing::Score },
        lenient: entries.flag("lenient"),
        gates: entries.gates(),
        slices: entries.texts("slices").to_vec(),
        refusal: match entries.texts("refusal") {
            [] => Refusal::default(),
            texts => Refusal::parse(texts)?,
        },
        contradictions,
        ..default
    })
}
