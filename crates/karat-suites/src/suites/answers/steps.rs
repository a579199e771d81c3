//! What was checked in one case, in the pipeline's order, and what was found?

use crate::judge::{Constraint, Containment, Presence, Scu, Verdict};
use crate::model::{Case, Listed, Needle};
use crate::report::{Offender, Step};
use crate::text;

/// The steps of a case. `verdict` is `None` for a case without a trace; `told` holds its words.
pub(super) fn steps(case: &Case, verdict: Option<&Verdict>, told: &Offender, scu: Scu) -> Vec<Step> {
    let Some(verdict) = verdict.filter(|verdict| verdict.presence != Presence::Missing) else {
        return vec![Step::new("trace", Some(false), "no trace belongs to this case")];
    };
    if verdict.presence == Presence::Errored {
        return vec![Step::new("trace", Some(false), "the pipeline says that it failed, and made no claim")];
    }
    let mut steps = vec![Step::new("trace", Some(true), "there is one")];
    steps.push(retrieval(verdict, told));
    steps.push(refusal(verdict));
    if verdict.refused {
        return steps;
    }
    // An answer to a question that has none is wrong, whatever it cites.
    let judged = |pass: bool| verdict.answerable.then_some(pass);
    let (pass, says) = citation(verdict, told);
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

fn retrieval(verdict: &Verdict, told: &Offender) -> Step {
    if verdict.gold == 0 {
        return Step::new("retrieval", None, "gold names no evidence");
    }
    let ranks: Vec<String> = verdict.ranks.within(u32::MAX).map(|rank| rank.to_string()).collect();
    let of = format!("{} of {} gold ids retrieved", ranks.len(), verdict.gold);
    let says = match (ranks.is_empty(), told.retrieved.len()) {
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

fn citation(verdict: &Verdict, told: &Offender) -> (bool, String) {
    let outside: Vec<&str> =
        told.cited.iter().filter(|id| !told.retrieved.contains(id)).map(String::as_str).collect();
    let says = match verdict.citations {
        Listed::NotAList => "the citations are no list".to_owned(),
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
