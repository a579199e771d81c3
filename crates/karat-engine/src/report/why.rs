//! The verdict's reason in a few words.

use crate::report::{self, Gate};
use crate::text;

/// The verdict's reason in a few words.
pub fn why(report: &report::Report) -> String {
    if let Some(headline) = &report.headline {
        return text::visible(headline).into_owned();
    }
    let of = |outcome| report.gates.iter().filter(|gate| gate.outcome == outcome).count();
    let failed = of(report::Outcome::Fail);
    if failed > 0 && report.decision() == report::Decision::Ship {
        let all = text::count((report.gates.len() - of(report::Outcome::NotJudged)) as u64, "gate");
        return format!("{} of {all} fail, and are waived", failed + of(report::Outcome::Inconclusive));
    }
    gates_say(&report.gates)
}

/// What all gates together say, in a few words.
pub fn gates_say(gates: &[Gate]) -> String {
    let of = |outcome| gates.iter().filter(|gate| gate.outcome == outcome).count();
    let (failed, unsure) = (of(report::Outcome::Fail), of(report::Outcome::Inconclusive));
    let judged = gates.len() - of(report::Outcome::NotJudged);
    let all = text::count(judged as u64, "gate");
    match (failed, unsure, judged) {
        (_, _, 0) => "no gate could be judged".into(),
        (0, 0, 1) => "the only gate passes".into(),
        (0, _, 1) => "the only gate cannot be decided".into(),
        (_, _, 1) => "the only gate fails".into(),
        (0, 0, _) => format!("all {all} pass"),
        (0, ..) => format!("{unsure} of {all} cannot be decided"),
        _ => format!("{failed} of {all} fail"),
    }
}
