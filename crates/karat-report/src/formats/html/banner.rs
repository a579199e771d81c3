//! Ship or not, why, and what to do first: all that most readers came for.

use super::markup::Markup;
use super::words::{clause, wanted};
use super::{View, link};
use crate::report::{Decision, Gate, Point, Report};
use crate::text;

pub(super) fn banner(m: &mut Markup, view: &View<'_>, heading: &'static str) {
    let report = view.report;
    let verdict = report.decision();
    let (label, why) = (m.label("Verdict"), crate::report::why(report));
    let says = |m: &mut Markup| {
        let slices = report.gates.iter().filter(|gate| gate.slice.is_some()).count() as u64;
        if slices > 0 {
            let whole = text::count(report.gates.len() as u64 - slices, "gate");
            m.element("p.read", &format!("{whole} on all cases, {} on slices", text::group(slices)));
        }
        m.element("p.read", &read(report));
        report.amber.iter().for_each(|amber| m.element("p.amber", &text::capital(&amber.text)));
    };
    around(m, (verdict, &label, heading), &why, says, |m| match verdict {
        Decision::Ship => ships(m, view),
        _ => stopped(m, view, verdict),
    });
}

/// A verdict, why, what else is said of it, and what to do next.
pub(super) fn around(
    m: &mut Markup,
    (verdict, label, heading): (Decision, &str, &'static str),
    why: &str,
    says: impl FnOnce(&mut Markup),
    next: impl FnOnce(&mut Markup),
) {
    let class = format!("verdict {}", verdict.outcome().tone());
    m.within_with("section", &[("class", &class), ("aria-label", label)], |m| {
        m.within("div.says", |m| {
            m.within(heading, |m| {
                m.element("span.mark[aria-hidden=true]", verdict.outcome().mark());
                m.text(verdict.name());
            });
            m.element("p.why", &text::capital(why));
            says(m);
        });
        m.within("div.next", next);
    });
    m.line();
}

/// What to do next, in a sentence.
pub(super) fn step(m: &mut Markup, title: &str, step: &str) {
    m.element("h2", title);
    m.element("p.step", step);
}

/// What to know before it ships, and where the other remarks are.
pub(super) fn remarked(m: &mut Markup, first: &str, (address, words): (&str, &str)) {
    m.element("h2", "Ships, but");
    m.element("p.step.but", &format!("{first}."));
    m.within("p", |m| m.element_with("a", &[("href", address)], words));
}

/// Where to begin, and what stands in the way.
fn stopped(m: &mut Markup, view: &View<'_>, verdict: Decision) {
    let report = view.report;
    m.element("h2", "First step");
    m.within("p.step", |m| {
        m.text(&first_step(report));
        // Where no point of a curve passes, the step is about points, and no case leads to it.
        let nearest = nearest(report).is_some();
        if let Some(worst) = report.offenders.first().filter(|_| verdict == Decision::NoShip && !nearest) {
            m.text(" Start with ");
            link(m, view, &[("case", &worst.id)], &worst.id);
            m.text(".");
        }
    });
    if let Some(first) = report.diagnosis.first() {
        m.element("p", &format!("{}.", text::capital(first)));
    }
    stuck(m, view);
}

/// What to know before it ships: an average may hide what a remark tells.
fn ships(m: &mut Markup, view: &View<'_>) {
    let report = view.report;
    let Some(first) = report.hints.first() else {
        return step(m, "Next", &first_step(report));
    };
    let words = match report.hints.len() as u64 {
        1 => "See the remarks".to_owned(),
        all => text::count(all - 1, "more remark"),
    };
    remarked(m, &text::capital(first), (&format!("#remarks-{}", view.key), &words));
}

/// Where no point of a curve passes, the one that lacks least.
fn nearest(report: &Report) -> Option<&Point> {
    report.curve()?.nearest()
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
fn stuck(m: &mut Markup, view: &View<'_>) {
    const MOST: usize = 6;
    let report = view.report;
    let stuck: Vec<&Gate> = report.gates.iter().filter(|gate| gate.blocks()).collect();
    if stuck.is_empty() {
        return;
    }
    m.within("ul.stuck[aria-label=Gates that do not pass]", |m| {
        for gate in stuck.iter().take(MOST) {
            m.within_with("li", &[("class", gate.outcome.tone())], |m| {
                m.mark(gate.outcome.mark());
                let at = gate.slice.as_deref().map(|slice| format!(" in {slice}")).unwrap_or_default();
                m.text(&format!(" {}{at}, wanted {}", clause(view, gate), wanted(view, gate)));
            });
        }
        if stuck.len() > MOST {
            m.element("li", &format!("and {} more", stuck.len() - MOST));
        }
    });
}

/// What to do before anything else.
pub(super) fn first_step(report: &Report) -> String {
    let stuck = || report.gates.iter().filter(|gate| gate.blocks());
    let more = stuck().find_map(|gate| Some((gate, gate.more_cases?)));
    let reason = stuck().find_map(|gate| gate.reason.as_ref());
    if let Some(point) = nearest(report) {
        let (last, first) =
            point.stuck.split_last().map_or(("", &[][..]), |(last, first)| (last.as_str(), first));
        let fails = match first {
            [] => format!("only {last} fails"),
            first => format!("{} and {last} fail", first.join(", ")),
        };
        return format!("Nearest: {}; {fails}.", point.full_name());
    }
    let step = report.offenders.first().map(|case| &case.next_step).filter(|step| !step.is_empty());
    match (report.decision(), more, step.or(reason)) {
        (Decision::Ship, _, _) => {
            match report.gates.iter().find_map(|gate| Some((gate, gate.waived.as_ref()?))) {
                Some((gate, waiver)) => format!(
                    "{} fails, and {} lets it through until {}: {}.",
                    gate.text, waiver.owner, waiver.expires, waiver.reason
                ),
                None => "Nothing to do: every gate passes, and there is nothing to remark.".into(),
            }
        }
        (Decision::Inconclusive, Some((gate, more)), _) => {
            format!("Add about {} to gold: that would decide {}.", text::count(more, "case"), gate.text)
        }
        (Decision::Inconclusive, None, _) if reason.is_some() => {
            text::capital(reason.map_or("", String::as_str)) + "."
        }
        (_, _, Some(step)) => text::capital(step) + ".",
        (_, _, None) => "Read the gates below: each says what it found.".into(),
    }
}
