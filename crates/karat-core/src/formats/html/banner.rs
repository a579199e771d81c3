//! Ship or not, why, and what to do first: all that most readers came for.

use super::markup::Markup;
use super::words::{gate_sign, mark, shown_value, tone};
use super::{View, link};
use crate::docs;
use crate::report::{Decision, Gate, Report};
use crate::text;

pub(super) fn banner(m: &mut Markup, view: &View<'_>, heading: &'static str) {
    let report = view.report;
    let verdict = report.settled();
    let class = format!("verdict {}", tone_of(verdict));
    m.within("section", &[("class", &class), ("aria-label", "Verdict")], |m| {
        m.within("div", &[("class", "says")], |m| {
            m.within(heading, &[], |m| {
                m.element("span", &[("class", "mark"), ("aria-hidden", "true")], mark_of(verdict));
                m.text(verdict.name());
            });
            m.element("p", &[("class", "why")], &docs::capital(&crate::compose::why(report)));
            m.element("p", &[("class", "read")], &read(report));
        });
        m.within("div", &[("class", "next")], |m| {
            m.element("h2", &[], "First step");
            m.within("p", &[("class", "step")], |m| {
                m.text(&first_step(report));
                if let Some(worst) = report.offenders.first().filter(|_| verdict == Decision::NoShip) {
                    m.text(" Start with ");
                    link(m, view, &[("case", &worst.id)], &worst.id);
                    m.text(".");
                }
            });
            if let Some(first) = report.diagnosis.first() {
                m.element("p", &[], &format!("{}.", docs::capital(first)));
            }
            stuck(m, report);
        });
    });
    m.line();
}

/// What was read, in a few words.
fn read(report: &Report) -> String {
    let inputs =
        report.inputs.iter().map(|input| format!("{} ({})", input.path, text::count(input.rows, "row")));
    let shown: Vec<String> = inputs.clone().take(3).collect();
    let more = report.inputs.len().saturating_sub(shown.len()) as u64;
    let more = if more > 0 { format!(" and {}", text::count(more, "more file")) } else { String::new() };
    format!("suite {} · {}{more}", report.suite, shown.join(" · "))
}

/// The gates that stand in the way, in a row.
fn stuck(m: &mut Markup, report: &Report) {
    const MOST: usize = 6;
    let stuck: Vec<&Gate> = report.gates.iter().filter(|gate| gate.blocks()).collect();
    if stuck.is_empty() {
        return;
    }
    m.within("ul", &[("class", "stuck"), ("aria-label", "Gates that do not pass")], |m| {
        for gate in stuck.iter().take(MOST) {
            m.within("li", &[("class", tone(gate.outcome))], |m| {
                m.element("span", &[("aria-hidden", "true")], mark(gate.outcome));
                let at = gate.slice.as_deref().map(|slice| format!(" in {slice}")).unwrap_or_default();
                let value = shown_value(report, gate);
                m.text(&format!(" {}{at} {value}, wanted {}", gate.metric, gate_sign(gate)));
            });
        }
        if stuck.len() > MOST {
            m.element("li", &[], &format!("and {} more", stuck.len() - MOST));
        }
    });
}

/// What to do before anything else.
pub(super) fn first_step(report: &Report) -> String {
    let stuck = || report.gates.iter().filter(|gate| gate.blocks());
    let more = stuck().find_map(|gate| Some((gate, gate.more_cases?)));
    let reason = stuck().find_map(|gate| gate.reason.as_ref());
    let step = report.offenders.first().map(|case| &case.next_step).filter(|step| !step.is_empty());
    match (report.settled(), more, step.or(reason)) {
        (Decision::Ship, _, _) => "Nothing stands in the way.".into(),
        (Decision::Inconclusive, Some((gate, more)), _) => {
            format!("Add about {} to gold: that would decide {}.", text::count(more, "case"), gate.text)
        }
        (Decision::Inconclusive, None, _) if reason.is_some() => {
            docs::capital(reason.map_or("", String::as_str)) + "."
        }
        (_, _, Some(step)) => docs::capital(step) + ".",
        (_, _, None) => "Read the gates below: each says what it found.".into(),
    }
}

pub(super) fn tone_of(verdict: Decision) -> &'static str {
    match verdict {
        Decision::Ship => "pass",
        Decision::NoShip => "fail",
        Decision::Inconclusive => "unsure",
    }
}

pub(super) fn mark_of(verdict: Decision) -> &'static str {
    match verdict {
        Decision::Ship => "✓",
        Decision::NoShip => "✗",
        Decision::Inconclusive => "?",
    }
}
