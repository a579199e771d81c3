//! What does the verdict mean, what does the pattern of figures suggest, and what else should one know?
//!
//! From the diagnosis map of "WFGY Global Fix Map: chunking evaluation" (docs/definitions.md).

use super::aggregate::Missing;
use super::report::{ByType, Findings};
use super::{Scored, Subject};
use crate::gold::distinct;
use crate::pipeline::Concluded;
use crate::report::Gate;
use crate::suites::retrieval::labels::Stage;
use crate::suites::retrieval::metrics::r_at_k;
use crate::text;

/// What the verdict means: may the index take live traffic?
pub(super) fn headline(run: &Scored<'_>, concluded: &Concluded) -> Option<String> {
    if run.of == Subject::Rankings {
        let undecided = "no gate was given, so that nothing is decided";
        return concluded.gates.is_empty().then(|| undecided.to_owned());
    }
    let stuck = concluded.gates.iter().filter(|gate| gate.blocks());
    let names =
        distinct(stuck.map(|gate| gate.text.split_once(gate.op.as_str()).map_or("", |(name, _)| name)));
    let all = text::count(concluded.gates.len() as u64, "gate");
    // Only the gates of the preset say whether an index is eligible.
    let (may, may_not) = match run.gating.from.as_str() {
        "canary" => ("eligible for canary; ", "not eligible for canary; "),
        "index" if run.baseline.is_none() => {
            ("eligible for canary as far as one index can tell; ", "not eligible for canary; ")
        }
        _ => ("", ""),
    };
    Some(match &names[..] {
        [] => format!("{may}all {all} pass"),
        [one] => format!("{may_not}{one} stands in the way"),
        [first @ .., last] => format!("{may_not}{} and {last} stand in the way", first.join(", ")),
    })
}

/// What the pattern of figures suggests, when a gate does not pass.
pub(super) fn diagnosis(run: &Scored<'_>, concluded: &Concluded, findings: &Findings) -> Vec<String> {
    let fails = |name: &str| concluded.gates.iter().any(|gate| gate.blocks() && gate.metric == name);
    let lost = |stage: Stage| run.new.results.iter().filter(|result| result.stage == stage).count() as u64;
    let value = |name: &str| concluded.metric(name);
    let mut says = Vec::new();
    if !concluded.gates.iter().any(Gate::blocks) || run.of == Subject::Rankings {
        return says;
    }
    let questions = |n: u64| text::count(n, "question");
    if lost(Stage::Run) > 0 {
        says.push(format!(
            "{} without a run: run the retriever over them before reading anything else (they count 0)",
            questions(lost(Stage::Run))
        ));
    }
    if lost(Stage::Retrieval) > 0 && (fails("coverage") || fails("recall_drop@5")) {
        says.push(format!(
            "{} with a run that retrieved nothing right: look at section boundaries, at typed blocks (code, tables) and at the index",
            questions(lost(Stage::Retrieval))
        ));
    }
    if lost(Stage::Citation) > 0 && fails("coverage") {
        says.push(format!(
            "{} with a run that retrieved the right blocks and did not cite them: demand citations of the retrieved ids before the answer",
            questions(lost(Stage::Citation))
        ));
    }
    if fails("coverage") && value("ds_median").is_some_and(|ds| ds <= 0.40) {
        says.push("what is cited is near the question in meaning and yet not right: similarity is not relevance; look at the embedding".into());
    }
    if fails("citation_accuracy") && value("citation_accuracy").is_some() {
        says.push("first citations miss gold's blocks or bytes: was the text normalised alike in both builds, or re-indexed without its citations?".into());
    }
    if (fails("ds_median") || fails("ds_p90")) && findings.ds_source.is_some() {
        says.push("cited snippets are far from the questions: look at the embedding metric, and at chunks that mix topics".into());
    }
    if fails("lambda_convergent") {
        says.push("the same question in other words does not arrive at the same place: pin the reranker and its tie order, and run every paraphrase".into());
    }
    says
}

/// Remarks that change no figure.
pub(super) fn hints(run: &Scored<'_>, findings: &Findings) -> Vec<String> {
    let (mut hints, log) = (Vec::new(), &run.new.log);
    if run.of == Subject::Rankings {
        let there = |number: usize| {
            let side = run.baseline.as_ref().and_then(|side| side.results.get(number));
            side.is_some_and(|result| !result.runs.missing)
        };
        let results = run.new.results.iter().enumerate();
        let missing = results.filter(|(i, result)| result.runs.missing && !there(*i)).count();
        if missing > 0 && run.missing == Missing::Skip {
            hints.push(format!(
                "topics of qrels that the run does not have: {missing}, left out; --complete counts them 0"
            ));
        }
        return hints;
    }
    let rows: u64 = log.inputs.iter().map(|input| input.rows).sum();
    let verdicts = || run.new.results.iter().flat_map(|result| &result.runs.verdicts);
    let ran = run.new.results.iter().any(|result| !result.runs.missing);
    hints.extend(types(run, findings));
    if rows == 0 {
        hints.push("the traces have no rows".into());
    } else if !ran && log.unmatched > 0 {
        hints.push("no trace belongs to any question: do both files use the same ids (`qid`)?".into());
    }
    if ran && verdicts().all(|verdict| verdict.ranked.retrieved == 0) {
        hints.push("no trace has a ranking: is it called `topk`?".into());
    }
    if ran && verdicts().all(|verdict| verdict.answer.is_none()) {
        hints.push(
            "no trace has `answer_citations`: coverage, citation_accuracy and ΔS of what is cited need them"
                .into(),
        );
    } else if ran && findings.ds_source.is_none() {
        hints.push("no trace has ΔS or vectors: every cited snippet counts as far as can be, 1".into());
    }
    let placed = || run.questions.iter().flat_map(|question| &question.relevant).any(|r| r.span.is_some());
    if verdicts().any(|verdict| verdict.answer.is_some()) && !placed() {
        hints.push("no relevant block has offsets, so that no citation can be accurate: give --blocks, or `offsets` in gold".into());
    }
    let first = |ids: &[String]| ids.iter().take(3).cloned().collect::<Vec<_>>().join(", ");
    if findings.unknown_total > 0 {
        hints.push(format!(
            "{} of ids whose section is not known, such as {}: they are in no anchor section; name sections in a block table (--blocks)",
            text::count(findings.unknown_total, "occurrence"),
            first(&findings.unknown_ids)
        ));
    }
    if let Some((qid, conflict)) = findings.lambda_conflicts.first() {
        hints.push(format!(
            "{} with a logged λ that is not what the runs show, such as {} (seed {}: {} logged, {} shown)",
            text::count(findings.lambda_conflicts.len() as u64, "group"),
            qid,
            conflict.seed,
            conflict.logged().join(" and "),
            conflict.derived.name()
        ));
    }
    let before = run.baseline.as_ref().and_then(|side| side.log.index_hash.as_ref());
    if before.is_some() && before == log.index_hash.as_ref() {
        hints.push("both sides name the same index: is the baseline the live one?".into());
    }
    if run.warnings_total > 0 {
        hints.push(format!("{} about gold", text::count(run.warnings_total, "warning")));
    }
    hints
}

/// Types of content that fare far worse than the average shows.
fn types(run: &Scored<'_>, findings: &Findings) -> Vec<String> {
    const DROP: f64 = 0.02;
    const GAP: f64 = 0.20;
    let metric = &r_at_k::METRIC;
    let cuts = run.settings.cuts_of(metric);
    let name = metric.at(if cuts.contains(&run.settings.k()) { run.settings.k() } else { cuts[0] });
    let all = |of_type: &ByType| of_type.metrics.get(&name).and_then(|figure| figure.value);
    let best = findings.by_type.values().filter_map(all).fold(0.0, f64::max);
    let says = |(kind, of_type): (&String, &ByType)| {
        let now = all(of_type)?;
        let moved = of_type.delta.get(&name).and_then(|delta| delta.value);
        match moved {
            Some(moved) if moved < -DROP => Some(format!(
                "{kind}: {name} fell from {:.4} to {now:.4}, which an average may hide",
                now - moved
            )),
            None if best - now > GAP => {
                Some(format!("{kind}: {name} is {now:.4}, the best type's {best:.4}; an average hides it"))
            }
            _ => None,
        }
    };
    findings.by_type.iter().filter_map(says).collect()
}
