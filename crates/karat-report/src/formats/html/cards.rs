//! A card a gated figure: its value, its interval, and on which side of the threshold they lie.

use super::View;
use super::markup::Markup;
use super::scale::Scale;
use super::words::{gate_sign, interval, over, shown_value, wanted, word};
use crate::report::{Figure, Gate};
use crate::text;

pub(super) fn cards(m: &mut Markup, view: &View<'_>) {
    let report = view.report;
    // The slices that stand in the way come first: no card of the whole shows them.
    const MOST_SLICES: usize = 6;
    let stuck = report.gates.iter().filter(|gate| gate.slice.is_some() && gate.pass == Some(false));
    let whole = report.gates.iter().filter(|gate| gate.slice.is_none());
    let gates: Vec<&Gate> = stuck.clone().take(MOST_SLICES).chain(whole).collect();
    if gates.is_empty() {
        return;
    }
    m.within_with("section", &[("aria-label", &m.label("Gated figures"))], |m| {
        m.within("ul.cards", |m| {
            for gate in gates {
                let summary = view.summary(&gate.metric);
                let class = format!("card {}", gate.outcome.tone());
                m.within_with("li", &[("class", &class), ("title", summary)], |m| card(m, view, gate));
            }
        });
        // Every gate is counted in the verdict, and most slices have no card.
        let slices = report.gates.iter().filter(|gate| gate.slice.is_some()).count() as u64;
        let more = slices.saturating_sub(stuck.take(MOST_SLICES).count() as u64);
        if more > 0 {
            m.within("p.note.more", |m| {
                let words = format!("and {}", text::count(more, "more gate"));
                m.element_with("a", &[("href", &format!("#gates-{}", view.key))], &words);
                m.text(" on slices");
            });
        }
    });
    m.line();
}

fn card(m: &mut Markup, view: &View<'_>, gate: &Gate) {
    let figure = gate.figure(view.report);
    m.within("h3", |m| {
        m.element("span.mark[aria-hidden=true]", gate.outcome.mark());
        m.name(&gate.metric);
    });
    if let Some(slice) = &gate.slice {
        m.element("p.over", slice);
    }
    m.within("p.value", |m| {
        m.element("b", &shown_value(view, gate));
        m.element("span", &format!("{} {}", wanted(view, gate), word(gate)));
    });
    if let Some(figure) = figure.filter(|figure| figure.den.is_some() || figure.ci95.is_some()) {
        bar(m, figure, Some(gate));
    }
    let words = figure.into_iter().flat_map(|figure| [over(figure), interval(figure)]);
    let words: Vec<String> = words.filter(|words| !words.is_empty()).collect();
    if !words.is_empty() {
        m.within("p.over", |m| words.iter().for_each(|words| m.element("span", words)));
    }
    if let Some(reason) = &gate.reason {
        m.element("p.reason", reason);
    }
}

/// A line on which the interval, the value and the threshold lie.
pub(super) fn bar(m: &mut Markup, figure: &Figure, gate: Option<&Gate>) {
    let Some(value) = figure.value else { return };
    let threshold = gate.map(|gate| gate.threshold);
    let values = figure.ci95.into_iter().flatten().chain([value]).chain(threshold);
    let scale = Scale::holding(values.collect::<Vec<_>>().into_iter());
    let (low, high) = scale.ends();
    let interval = figure.ci95.map(|[a, b]| format!(", 95 % interval {a:.4} to {b:.4}")).unwrap_or_default();
    let wanted = gate.map(|gate| format!(", wanted {}", gate_sign(gate))).unwrap_or_default();
    let label = format!("{value:.4}{interval}{wanted}");
    m.within_with("svg.bar[role=img]", &[("aria-label", &label), ("width", "100%"), ("height", "18")], |m| {
        m.empty("line.axis[x1=0][x2=100%][y1=9][y2=9]");
        if let (Some(at), Some(gate)) = (threshold, gate) {
            let (from, to) = if gate.op.starts_with('<') { (low, at) } else { (at, high) };
            let (x, width) = (scale.across(from), scale.width(from, to));
            m.area("rect.safe", [&x, "3", &width, "12"]);
        }
        if let Some([a, b]) = figure.ci95 {
            let (x, width) = (scale.across(a), scale.width(a, b));
            m.empty_with(
                "rect.interval",
                &[("x", &x), ("y", "7"), ("width", &width), ("height", "4"), ("rx", "2")],
            );
        }
        if let Some(at) = threshold {
            let x = scale.across(at);
            m.stroke("line.threshold", [&x, &x, "1", "17"]);
        }
        m.point("circle.point", [&scale.across(value), "9", "4.5"], "");
    });
}
