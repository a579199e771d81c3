//! `kind = "agreement"`.

use super::Job;
use crate::config::keys::{Key, Shape};
use crate::input::Source;
use crate::suites::agreement::{self, Inputs, Settings};

/// The declaration.
pub const JOB: Job = Job {
    suite: "agreement",
    keys: &[
        Key::new("pairs", Shape::Files, "pairs of ratings as JSON lines: files or patterns"),
        Key::new("raters", Shape::NamedFiles, "raters and their files, two or more"),
        Key::new("truth", Shape::Text, "the rater that the others are measured against"),
    ],
    inputs: &[&["pairs"], &["raters"]],
    run: |entries, setting| {
        if entries.has("slices") {
            return Err(entries
                .problem("slices", "ratings have no gold fields to slice by", "nothing")
                .into());
        }
        let inputs = if entries.has("pairs") {
            Inputs::Pairs(entries.files("pairs")?)
        } else {
            let file = |names: &[String]| entries.path(names.first().map_or("", String::as_str));
            let raters = entries.named("raters").iter();
            Inputs::Raters(raters.map(|(name, files)| (name.clone(), Source::file(file(files)))).collect())
        };
        let settings = Settings {
            truth: entries.text("truth").map(str::to_owned),
            lenient: entries.flag("lenient"),
            gates: entries.gates(),
            cases: setting.cases,
            tell: setting.tell.clone(),
            threads: setting.threads,
        };
        agreement::evaluate_with(&inputs, &settings, setting.progress)
    },
    explain: None,
};
