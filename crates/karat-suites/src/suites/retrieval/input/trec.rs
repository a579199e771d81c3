//! TREC qrels and runs as an input of the suite.
//!
//! A TREC run has rankings and nothing else, so that only the ranking measures are reported, by trec_eval's rules:
//! precision divides by k, and topics that the run does not have are left out unless they are asked for.

use super::log::Log;
use crate::input::Source;
use crate::pipeline::Gates;
use crate::problem::{self, Failure, Problem};
use crate::report::Input;
use crate::suites::common::Gating;
use crate::suites::retrieval::aggregate::{CaseResult, Missing};
use crate::suites::retrieval::judge::{Precision, Runs, Verdict};
use crate::suites::retrieval::model::Question;
use crate::suites::retrieval::{Scored, Settings, Side, Subject};
use crate::text;
use crate::trec::measures::Over;
use crate::trec::{self, Rankings};

/// The figures of a ranking alone.
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

/// Reads and ranks a TREC run, beside another one where there is a baseline. `qrels` are the judgements: TREC's, or BEIR's.
pub(crate) fn score<'a>(
    qrels: &[Source],
    run: &[Source],
    baseline: Option<&[Source]>,
    mut settings: Settings<'a>,
    over: Over,
) -> Result<Scored<'a>, Failure> {
    if let Some(field) = settings.common.slices.first() {
        let message = format!("TREC files have no field `{}` to slice by", text::visible(field));
        return Err(Problem::of_file(&problem::SLICE_UNKNOWN, "--slice", message).into());
    }
    settings.precision = Precision::Depth;
    settings.common.profile.metrics.retain(|metric| METRICS.contains(&metric.name));
    // Rankings have no preset: without gates nothing is decided.
    let gating = match settings.common.gates {
        Gates::Default => Gating { gates: Vec::new(), from: "none".to_owned() },
        _ => settings.gating(baseline.is_some())?,
    };
    let figures = settings.figures(&gating.gates, baseline.is_some())?;
    let read = |run: &[Source]| trec::read(qrels, run, settings.common.threads, settings.common.progress);
    let (new, before) = (read(run)?, baseline.map(read).transpose()?);
    let qrels = new.inputs.iter().filter(|input| input.role == "qrels");
    let question = |topic: &trec::Topic| Question { id: topic.name.clone(), ..Question::default() };
    Ok(Scored {
        gating,
        figures,
        read: qrels.map(|input| Input { role: "gold".into(), ..input.clone() }).collect(),
        questions: new.topics.iter().map(question).collect(),
        slice_fields: Vec::new(),
        missing: if over == Over::Complete { Missing::Count } else { Missing::Skip },
        of: Subject::Rankings,
        new: side(&new, run),
        baseline: before.zip(baseline).map(|(before, run)| side(&before, run)),
        warnings: Vec::new(),
        warnings_total: 0,
        settings,
    })
}

/// One run as a side of a comparison.
fn side(rankings: &Rankings, sources: &[Source]) -> Side {
    let results = rankings.topics.iter().map(|topic| {
        let verdicts = vec![Verdict::of_ranking(topic.ranked.clone())];
        CaseResult::of_ranking(Runs { verdicts, missing: !topic.in_run, groups: 1, convergent: 0 })
    });
    let run = rankings.inputs.iter().filter(|input| input.role != "qrels");
    let log = Log {
        inputs: run.map(|input| Input { role: "trace".into(), ..input.clone() }).collect(),
        unmatched: rankings.unknown.len() as u64,
        ..Log::default()
    };
    Side { results: results.collect(), log, sources: sources.to_vec() }
}
