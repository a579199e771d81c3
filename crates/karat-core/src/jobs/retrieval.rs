//! `kind = "retrieval"`: questions and blocks, or TREC files.

use super::Job;
use crate::config::Entries;
use crate::config::keys::{Key, Shape};
use crate::judge::retrieval::{Precision, Rules};
use crate::suites::retrieval::{self, Figures, Inputs, Settings, trec};
use crate::trec::measures::Over;

/// The declaration.
pub const JOB: Job = Job {
    suite: "retrieval",
    keys: &[
        Key::new("gold", Shape::File, "its gold set, instead of the project's"),
        Key::new("traces", Shape::Files, "runs of the index as JSON lines: files or patterns"),
        Key::new("baseline", Shape::Files, "runs of the live index, to compare with"),
        Key::new("blocks", Shape::File, "the block table"),
        Key::new("qrels", Shape::Files, "judgements in TREC's format, instead of a gold set"),
        Key::new("run", Shape::Files, "a run in TREC's format, instead of traces"),
        Key::new("complete", Shape::Flag, "count topics that are missing from a TREC run as 0"),
        Key::new("k", Shape::Numbers, "cut-offs instead of 1, 3, 5 and 10"),
        Key::new("ds_k", Shape::Number, "how many of the first ids ds_topk figures look at (5)"),
        Key::new("window", Shape::Count, "how many bytes a citation may lie outside its block (30)"),
        Key::new("trec", Shape::Flag, "precision at k divides by k, as trec_eval does"),
        Key::new("metrics", Shape::Texts, "the figures to report instead of all"),
    ],
    inputs: &[&["gold", "traces"], &["qrels", "run"]],
    run: |entries, setting| {
        let settings = Settings {
            cases: setting.cases,
            tell: setting.tell.clone(),
            threads: setting.threads,
            ..settings(entries)
        };
        let baseline = if entries.has("baseline") { Some(entries.files("baseline")?) } else { None };
        if entries.has("qrels") {
            let over = if entries.flag("complete") { Over::Complete } else { Over::Run };
            let inputs =
                trec::Inputs { qrels: entries.files("qrels")?, run: entries.files("run")?, baseline };
            return Ok(trec::score(&inputs, &settings, over, setting.progress)?.report());
        }
        let blocks = entries.file("blocks").map(|path| setting.shelf.file(&path)).transpose()?;
        let gold = setting.shelf.file(&entries.file("gold").unwrap_or_default())?;
        let inputs = Inputs { gold, blocks, traces: entries.files("traces")?, baseline };
        Ok(retrieval::score(&inputs, &settings, setting.progress)?.report())
    },
    explain: None,
};

fn settings(entries: &Entries) -> Settings {
    let cut = |number: u64| u32::try_from(number.min(1_000_000)).unwrap_or(u32::MAX);
    let mut cuts: Vec<u32> = entries.numbers("k").iter().copied().map(cut).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let rules = Rules::default();
    Settings {
        cuts,
        figures: match entries.texts("metrics") {
            [] => Figures::All,
            names => Figures::Named(names.to_vec()),
        },
        precision: if entries.flag("trec") { Precision::Depth } else { Precision::Returned },
        rules: Rules {
            window: entries.number("window").unwrap_or(rules.window),
            ds_k: entries.number("ds_k").map_or(rules.ds_k, |k| cut(k) as usize),
        },
        lenient: entries.flag("lenient"),
        gates: entries.gates(),
        slices: entries.texts("slices").to_vec(),
        ..Settings::default()
    }
}
