//! The gates and the named checks: what each says, and why.

use super::Head::{Number, Text};
use super::markup::Markup;
use super::words::{interval, mark, measured, over, shown_value, tone, value, word};
use super::{View, anchored, cards, folded, link, section, table};
use crate::report::{Check, Gate, Outcome};
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
    m.within("th", &[("scope", "row")], |m| {
        m.element("code", &[], &gate.text);
        if let Some(slice) = &gate.slice {
            m.text(&format!(" {slice}"));
        }
    });
    m.element("td", &[("class", "number")], &shown_value(view, gate));
    outcome(m, tone(gate.outcome), mark(gate.outcome), word(gate));
    m.element("td", &[], &gate.origin);
    let more =
        gate.more_cases.map(|more| format!("about {} would decide it", text::count(more, "more case")));
    let waived =
        gate.waived.as_ref().map(|w| format!("waived by {} until {}: {}", w.owner, w.expires, w.reason));
    let why: Vec<&str> = [&gate.reason, &more, &waived].into_iter().flatten().map(String::as_str).collect();
    m.element("td", &[("class", "why"), ("dir", "auto")], &why.join("; "));
}

fn outcome(m: &mut Markup, tone: &str, mark: &str, word: &str) {
    m.within("td", &[("class", &format!("outcome {tone}"))], |m| {
        m.element("span", &[("aria-hidden", "true")], mark);
        m.text(&format!(" {word}"));
    });
}

pub(super) fn checks(m: &mut Markup, view: &View<'_>) {
    let report = view.report;
    if report.checks.is_empty() {
        return;
    }
    section(m, "Checks", |m| {
        m.within("ul", &[("class", "checks")], |m| {
            for check in &report.checks {
                m.within("li", &[], |m| told(m, view, check));
            }
        });
    });
}

fn told(m: &mut Markup, view: &View<'_>, check: &Check) {
    let (tone, mark, word) = match check.pass {
        Some(true) => ("pass", "✓", "holds"),
        Some(false) => ("fail", "✗", "does not hold"),
        None => ("idle", "·", "not judged"),
    };
    m.within("p", &[("class", &format!("outcome {tone}"))], |m| {
        m.element("span", &[("aria-hidden", "true")], mark);
        m.element("b", &[], &format!(" {} ", check.name));
        m.element("span", &[("class", "unseen")], word);
    });
    m.within("p", &[], |m| {
        m.text(&check.says);
        for (i, id) in check.cases.iter().enumerate() {
            m.text(if i == 0 { ": " } else { ", " });
            link(m, view, &[("case", id)], id);
        }
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
        table(m, "All figures", &heads, |m| {
            for (name, figure) in &report.metrics {
                m.within("tr", &[], |m| {
                    m.within("th", &[("scope", "row")], |m| m.element("code", &[], name));
                    m.element("td", &[("class", "number")], &measured(view, name, figure));
                    m.element("td", &[], &over(figure));
                    m.element("td", &[("class", "number")], &interval(figure));
                    let gate = report.gates.iter().find(|gate| gate.metric == *name && gate.slice.is_none());
                    m.within("td", &[("class", "drawn")], |m| {
                        if figure.den.is_some() && !figure.vacuous {
                            cards::bar(m, figure, gate);
                        }
                    });
                    if let Some(before) = compared {
                        let was = before.metrics.get(name).map(value).unwrap_or_default();
                        m.element("td", &[("class", "number")], &was);
                        let delta = report.delta.get(name).and_then(|delta| delta.value);
                        let delta = delta.map(|delta| format!("{:+.4}", delta + 0.0)).unwrap_or_default();
                        m.element("td", &[("class", "number")], &delta);
                    }
                    m.element("td", &[("class", "wide")], view.summary(name));
                });
            }
        });
        m.within("dl", &[("class", "counts")], |m| {
            for (name, n) in &report.counts {
                m.within("div", &[], |m| {
                    m.element("dt", &[], name);
                    m.element("dd", &[], &text::group(*n));
                });
            }
        });
    });
}
