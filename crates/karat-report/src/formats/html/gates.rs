//! The gates and the named checks: what each says, and why.

use super::Head::{Number, Text};
use super::markup::Markup;
use super::words::{interval, measured, over, shown_value, value, word};
use super::{View, anchored, cards, case_links, folded, section, table};
use crate::report::{Check, Gate, Outcome, Waiver};
use crate::text;

pub(super) fn gates(m: &mut Markup, view: &View<'_>) {
    let report = view.report;
    if report.gates.is_empty() {
        return;
    }
    // Those that stand in the way first.
    let mut order: Vec<&Gate> = report.gates.iter().collect();
    order.sort_by_key(|gate| match gate.outcome {
        Outcome::Fail => 0,
        Outcome::Inconclusive => 1,
        Outcome::Pass | Outcome::NotJudged => 2,
    });
    let heads = [Text("gate"), Number("value"), Text("says"), Text("from"), Text("why")];
    anchored(m, view, "gates", "Gates", |m| {
        folded(m, "Gates", &heads, (&order, "gate"), |m, gate| row(m, view, gate));
    });
}

fn row(m: &mut Markup, view: &View<'_>, gate: &Gate) {
    m.within("th[scope=row]", |m| {
        m.element("code", &gate.text);
        if let Some(slice) = &gate.slice {
            m.text(&format!(" {slice}"));
        }
    });
    m.element("td.number", &shown_value(view, gate));
    m.outcome("td", gate.outcome, &word(gate));
    m.element("td", &gate.origin);
    let more =
        gate.more_cases.map(|more| format!("about {} would decide it", text::count(more, "more case")));
    let waived = gate.waived.as_ref().map(Waiver::says);
    let why: Vec<&str> = [&gate.reason, &more, &waived].into_iter().flatten().map(String::as_str).collect();
    m.element("td.why[dir=auto]", &why.join("; "));
}

pub(super) fn checks(m: &mut Markup, view: &View<'_>) {
    let report = view.report;
    if report.checks.is_empty() {
        return;
    }
    section(m, "Checks", |m| {
        m.within("ul.checks", |m| {
            for check in &report.checks {
                m.within("li", |m| self::check(m, view, check));
            }
        });
    });
}

fn check(m: &mut Markup, view: &View<'_>, check: &Check) {
    let outcome = Outcome::of(check.pass);
    let word = check.pass.map_or("not judged", |pass| if pass { "holds" } else { "does not hold" });
    m.within_with("p", &[("class", &format!("outcome {}", outcome.tone()))], |m| {
        m.mark(outcome.mark());
        m.element("b", &format!(" {} ", check.name));
        m.element("span.unseen", word);
    });
    m.within("p", |m| {
        m.text(&check.says);
        case_links(m, view, &check.cases);
        let more = check.cases_total.saturating_sub(check.cases.len() as u64);
        if more > 0 {
            m.text(&format!(" and {} more", text::group(more)));
        }
    });
}

/// Every figure, gated or not.
pub(super) fn figures(m: &mut Markup, view: &View<'_>) {
    let report = view.report;
    let compared = report.baseline.as_ref();
    let mut heads = vec![Text("figure"), Number("value"), Text("over"), Number("95 % interval"), Text("")];
    if compared.is_some() {
        heads.extend([Number("baseline"), Number("Δ")]);
    }
    heads.push(Text("what it tells"));
    section(m, "All figures", |m| {
        table(m, "All figures", &heads, &report.metrics, |m, (name, figure)| {
            m.within("th[scope=row]", |m| m.element("code", name));
            m.element("td.number", &measured(view, name, figure));
            m.element("td", &over(figure));
            m.element("td.number", &interval(figure));
            m.within("td.drawn", |m| {
                if figure.den.is_some() && !figure.vacuous {
                    cards::bar(m, figure, report.gate_on(name));
                }
            });
            if let Some(before) = compared {
                let was = before.metrics.get(name).map(value).unwrap_or_default();
                m.element("td.number", &was);
                let delta = report.delta.get(name).and_then(|delta| delta.value);
                let delta = delta.map(|delta| format!("{:+.4}", delta + 0.0)).unwrap_or_default();
                m.element("td.number", &delta);
            }
            m.element("td.wide", view.summary(name));
        });
        m.within("dl.counts", |m| {
            for (name, n) in &report.counts {
                m.within("div", |m| {
                    m.element("dt", name);
                    m.element("dd", &text::group(*n));
                });
            }
        });
    });
}
