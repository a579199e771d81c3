//! TREC qrels and runs as an input of the suite.
//!
//! A TREC run holds rankings and nothing else, so that only the ranking measures are reported, by trec_eval's rules:
//! precision divides by k, and topics that the run does not have are left out unless they are asked for.

use super::aggregate::{CaseResult, Missing};
use super::read::Log;
use super::{Scored, Settings, Side, Subject};
use crate::input::Source;
use crate::pipeline::{self, Gates};
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::suites::retrieval::judge::{Precision, Runs, Verdict};
use crate::suites::retrieval::model::Question;
use crate::text;
use crate::trec::measures::Over;
use crate::trec::{self, Rankings};

/// What is read.
pub(super) struct Inputs {
    /// Judgements: TREC qrels, or BEIR's.
    pub(super) qrels: Vec<Source>,
    /// The run that is scored.
    pub(super) run: Vec<Source>,
    /// The run that it is compared with.
    pub(super) baseline: Option<Vec<Source>>,
}

/// What a ranking can tell.
const METRICS: &[&str] = &[
    "nDCG@k",
    "P@k",
    "R@k",
    "hit@k",
    "MRR",
    "MAP",
    "Rprec",
    "bpref",
    "recall_drop@k",
    "questions",
    "runs",
    "missing",
    "baseline_missing",
    "unmatched",
];

/// Reads and ranks a TREC run, telling `progress` how many bytes were taken, as they are.
pub(super) fn score(
    inputs: &Inputs,
    settings: &Settings,
    over: Over,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Scored, Failure> {
    if let Some(field) = settings.slices.first() {
        let message = format!("TREC files have no field `{}` to slice by", text::visible(field));
        return Err(Problem::of_file(&problem::SLICE_UNKNOWN, "--slice", message).into());
    }
    let settings = Settings { precision: Precision::Depth, ..settings.clone() };
    let mut profile = settings.profile.clone();
    profile.metrics.retain(|metric| METRICS.contains(&metric.name));
    let compared = inputs.baseline.is_some();
    // Rankings have no preset: without gates nothing is decided.
    let (gates, gates_from) = match settings.gates {
        Gates::Default => (Vec::new(), "none".to_owned()),
        _ => settings.gates(&profile, compared)?,
    };
    let figures = settings.figures(&profile, &gates, compared)?;
    let threads = pipeline::threads(settings.threads);
    let read = |run: &[Source]| trec::read(&inputs.qrels, run, threads, progress);
    let (new, before) = (read(&inputs.run)?, inputs.baseline.as_deref().map(read).transpose()?);
    let qrels = new.inputs.iter().filter(|input| input.role == "qrels");
    Ok(Scored {
        settings,
        profile,
        gates,
        gates_from,
        figures,
        read: qrels.map(|input| Input { role: "gold".into(), ..input.clone() }).collect(),
        questions: new
            .topics
            .iter()
            .map(|topic| Question { id: topic.name.clone(), ..Question::default() })
            .collect(),
        slice_fields: Vec::new(),
        missing: if over == Over::Complete { Missing::Count } else { Missing::Skip },
        of: Subject::Rankings,
        new: side(&new, &inputs.run),
        baseline: before.zip(inputs.baseline.as_ref()).map(|(before, run)| side(&before, run)),
        warnings: Vec::new(),
        warnings_total: 0,
    })
}

/// One run as a side of a comparison.
fn side(rankings: &Rankings, sources: &[Source]) -> Side {
    let settled = rankings.topics.iter().map(|topic| {
        let verdicts = vec![Verdict::of_ranking(topic.ranked.clone())];
        CaseResult::of_ranking(Runs { verdicts, missing: !topic.in_run, groups: 1, convergent: 0 })
    });
    let run = rankings.inputs.iter().filter(|input| input.role != "qrels");
    let log = Log {
        inputs: run.map(|input| Input { role: "trace".into(), ..input.clone() }).collect(),
        unmatched: rankings.unknown.len() as u64,
        ..Log::default()
    };
    Side { settled: settled.collect(), log, sources: sources.to_vec() }
}
