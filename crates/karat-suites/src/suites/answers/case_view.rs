//! The cases of a report: what was said in each, what was checked, in the pipeline's order, and what was found.

use super::aggregate::{Aggregate, CaseResult};
use super::report::{Replay, case, offender};
use crate::excerpt::Excerpt;
use crate::gold::Gold;
use crate::input::Source;
use crate::judge::{Constraint, Containment, Presence, Scu, Verdict};
use crate::ledger::Entry;
use crate::model::{Case, Listed, Needle};
use crate::report::{self, CaseView, Input, Offender, Step};
use crate::suites::common::Common;
use crate::text;
use crate::traces;

/// Reads again what the trace of a case said, and names the file; `inputs` are the files of `sources`.
pub(crate) fn replay<'a>(
    sources: &'a [Source],
    inputs: &'a [Input],
) -> impl Fn(&Case, &Entry) -> (Option<Excerpt>, Option<String>) + 'a {
    |case, entry| {
        let (at, offset) = (entry.position().source as usize, entry.position().offset);
        let again = || sources.get(at).and_then(|source| traces::replay(source, offset, case));
        (entry.evidence().or_else(again), inputs.get(at).map(|input| input.path.clone()))
    }
}

/// The cases of a report, those whose path is asked for with what was said and checked.
pub(crate) fn cases(
    gold: &Gold,
    aggregate: &Aggregate,
    common: &Common<'_>,
    scu: Scu,
    replay: &Replay<'_>,
) -> Vec<report::Case> {
    let good = |case: &&CaseResult| case.label.is_good() || case.skipped;
    let view = |result: &&CaseResult| {
        let words = offender(gold, aggregate, result, replay);
        let verdict = aggregate.entries[result.case as usize].as_ref().map(Entry::verdict);
        let steps = steps(&gold.cases[result.case as usize], verdict.as_ref(), &words, scu);
        CaseView { summary: words, steps, ..CaseView::default() }
    };
    common.cases(aggregate.cases.iter(), good, |result| case(gold, aggregate, result), view)
}

/// The steps of a case. `verdict` is `None` for a case without a trace; `words` has what was said.
fn steps(case: &Case, verdict: Option<&Verdict>, words: &Offender, scu: Scu) -> Vec<Step> {
    let Some(verdict) = verdict.filter(|verdict| verdict.presence != Presence::Missing) else {
        return vec![Step::new("trace", Some(false), "no trace belongs to this case")];
    };
    if verdict.presence == Presence::Errored {
        return vec![Step::new("trace", Some(false), "the pipeline says that it failed, and made no claim")];
    }
    let mut steps = vec![Step::new("trace", Some(true), "there is one")];
    steps.push(retrieval(verdict, words));
    steps.push(refusal(verdict));
    if verdict.refused {
        return steps;
    }
    // An answer to a question that has none is wrong, whatever it cites.
    let judged = |pass: bool| verdict.answerable.then_some(pass);
    let (pass, says) = citation(verdict, words);
    steps.push(Step::new("citation", judged(pass), says));
    let (pass, says) = containment(case, verdict);
    steps.push(Step::new("containment", judged(pass), says));
    if case.forbidden().next().is_some() {
        let says = if verdict.forbidden { "the claim has a forbidden text" } else { "no forbidden text" };
        steps.push(Step::new("forbidden", judged(!verdict.forbidden), says));
    }
    if verdict.constrained && scu != Scu::Off {
        let (kept, says) = match verdict.constraint {
            Constraint::Kept => (true, "every locked constraint is echoed, none contradicted"),
            Constraint::EchoMismatch => (false, "the echo is not what gold locks"),
            Constraint::Contradiction => (false, "the claim contradicts a locked constraint"),
        };
        steps.push(Step::new("constraints", (scu == Scu::Enforce).then_some(kept), says));
    }
    steps
}

fn retrieval(verdict: &Verdict, words: &Offender) -> Step {
    if verdict.gold == 0 {
        return Step::new("retrieval", None, "gold names no evidence");
    }
    let ranks: Vec<String> = verdict.ranks.within(u32::MAX).map(|rank| rank.to_string()).collect();
    let of = format!("{} of {} gold ids retrieved", ranks.len(), verdict.gold);
    let says = match (ranks.is_empty(), words.retrieved.len()) {
        (false, _) => format!("{of}, at rank {}", ranks.join(", ")),
        (true, 0) => "nothing was retrieved".to_owned(),
        (true, n) => format!("{of} among {}", text::count(n as u64, "id")),
    };
    Step::new("retrieval", Some(!ranks.is_empty()), says)
}

fn refusal(verdict: &Verdict) -> Step {
    let says = match (verdict.answerable, verdict.refused) {
        (true, true) => "refused, and gold has an answer",
        (true, false) if verdict.near_refusal => "not refused, though the claim is all but a refusal",
        (true, false) => "answered, and gold has an answer",
        (false, true) => "refused, and gold has no answer",
        (false, false) => "answered, and gold has no answer",
    };
    Step::new("refusal", Some(verdict.answerable != verdict.refused), says)
}

fn citation(verdict: &Verdict, words: &Offender) -> (bool, String) {
    let outside: Vec<&str> =
        words.cited.iter().filter(|id| !words.retrieved.contains(id)).map(String::as_str).collect();
    let says = match verdict.citations {
        Listed::NotAList => "the citations are not a list".to_owned(),
        _ if !verdict.in_scope => format!("cited and never retrieved: {}", outside.join(", ")),
        _ if verdict.gold == 0 && verdict.cited == 0 => "nothing cited, and gold names nothing".to_owned(),
        _ if verdict.gold == 0 => "gold names no evidence, and some is cited".to_owned(),
        _ if verdict.cited == 0 => "nothing is cited".to_owned(),
        _ => format!(
            "{} of {} is gold, all retrieved",
            verdict.cited_gold,
            text::count(verdict.cited.into(), "cited id")
        ),
    };
    (verdict.hit(), says)
}

fn containment(case: &Case, verdict: &Verdict) -> (bool, &'static str) {
    let says = match (verdict.containment, case.needle) {
        (Containment::Yes, Needle::All) => "the claim has every phrase of gold's",
        (Containment::Yes, Needle::Any) => "the claim has one of gold's phrases",
        (Containment::Yes, _) | (Containment::Unknown, _) => "gold asks for no phrase",
        (Containment::No, Needle::Never) => "gold's phrases are too short to match",
        (Containment::No, Needle::All) => "the claim lacks a phrase of gold's",
        (Containment::No, Needle::Any) => "the claim has none of gold's phrases",
        (Containment::No, _) => "the claim is empty",
    };
    (verdict.containment != Containment::No, says)
}
