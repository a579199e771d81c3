//! How did the gated figures go over the last runs? A small line each, the threshold dashed, this run at the right end.

use super::markup::Markup;
use super::scale::Scale;
use super::words::decimal;
use super::{View, section};
use crate::report::{Figure, Gate};
use crate::text;

const HEIGHT: f64 = 28.0;

pub(super) fn trend(m: &mut Markup, view: &View<'_>) {
    let Some(trend) = view.trend.filter(|trend| trend.verdicts.len() > 1) else { return };
    let report = view.report;
    section(m, "Trend", |m| {
        m.within("p.runs", |m| {
            let words: Vec<&str> = trend.verdicts.iter().map(String::as_str).collect();
            m.element("span.unseen", &format!("Verdicts, oldest first: {}.", words.join(", ")));
            m.within("span[aria-hidden=true]", |m| {
                for word in words {
                    let (tone, mark) = match word {
                        "SHIP" => ("pass", "✓"),
                        "INCONCLUSIVE" => ("unsure", "?"),
                        _ => ("fail", "✗"),
                    };
                    m.element_with("span", &[("class", tone), ("title", word)], mark);
                }
            });
        });
        m.within("ul.trend", |m| {
            for (name, values) in &trend.figures {
                let gate = report.gate_on(name);
                if values.iter().flatten().next().is_some() {
                    let class = gate.map_or("idle", |gate| gate.outcome.tone());
                    m.within_with("li", &[("class", class), ("title", view.summary(name))], |m| {
                        figure(m, (name, values), gate, &trend.gold_changed);
                        numbers(m, view, name, values);
                    });
                }
            }
        });
        let changed = if trend.gold_changed.is_empty() { "" } else { "; gold changed where a bar stands" };
        let runs = text::count(trend.verdicts.len() as u64, "run");
        m.note(&format!("The last {runs} of the history, this one last{changed}. Dashed: the gate."));
    });
}

fn figure(m: &mut Markup, (name, values): (&str, &[Option<f64>]), gate: Option<&Gate>, changed: &[usize]) {
    let threshold = gate.map(|gate| gate.threshold);
    let known = || values.iter().flatten().copied().chain(threshold);
    let (least, most) = (known().fold(f64::INFINITY, f64::min), known().fold(f64::NEG_INFINITY, f64::max));
    // What never moved lies in the middle.
    let up = if least < most { Scale::new(least, most) } else { Scale::new(least - 1.0, least + 1.0) };
    let across = Scale::new(0.0, (values.len() - 1) as f64);
    let down = |value: f64| super::scale::pixels(3.0 + (1.0 - up.share(value)) * (HEIGHT - 6.0));
    m.within("span.name", |m| m.name(name));
    let told: Vec<String> = values.iter().map(|value| decimal(*value)).collect();
    let label = format!("{name} over {}: {}", text::count(values.len() as u64, "run"), told.join(", "));
    let (wide, high) = ("100%", HEIGHT.to_string());
    m.within_with("svg[role=img]", &[("aria-label", &label), ("width", wide), ("height", &high)], |m| {
        for at in changed {
            let x = across.across(*at as f64 - 0.5);
            m.stroke("line.changed", [&x, &x, "0", &high]);
        }
        if let Some(y) = threshold.map(down) {
            m.stroke("line.wanted", ["0", wide, &y, &y]);
        }
        // The line breaks where a run had no value.
        for (at, pair) in values.windows(2).enumerate() {
            if let [Some(from), Some(to)] = pair {
                let (x1, x2) = (across.across(at as f64), across.across(at as f64 + 1.0));
                let (y1, y2) = (down(*from), down(*to));
                m.stroke("line.path", [&x1, &x2, &y1, &y2]);
            }
        }
        for (at, value) in values.iter().enumerate() {
            let Some(value) = value else { continue };
            let last = at + 1 == values.len();
            let (tag, r) = if last { ("circle.point", "4") } else { ("circle.past", "2") };
            let (x, y) = (across.across(at as f64), down(*value));
            m.point(tag, [&x, &y, r], &decimal(Some(*value)));
        }
    });
}

/// The newest value, and how far it is from the one before.
fn numbers(m: &mut Markup, view: &View<'_>, name: &str, values: &[Option<f64>]) {
    let (now, before) = (values.last().copied().flatten(), values.iter().rev().nth(1).copied().flatten());
    // Counts are whole, and times need no more than milliseconds.
    let figure = view.report.metrics.get(name);
    let whole = figure.is_none_or(Figure::is_count);
    let places = if whole || now.is_some_and(|now| now.abs() >= 100.0) { 0 } else { 4 };
    let told = now.map_or_else(|| "–".into(), |now| format!("{now:.places$}"));
    m.element("span.number", &told);
    let said = now.zip(before).map(|(now, before)| {
        let delta = format!("{:+.places$}", now - before);
        if delta.chars().all(|c| !('1'..='9').contains(&c)) { "±0".into() } else { delta }
    });
    let said = said.unwrap_or_default();
    m.element("span.share[title=since the run before]", &said);
}
