//! Which types of content does an index lose? A bar a type, and a tick where the baseline's ended.

use super::markup::Markup;
use super::scale::Scale;
use super::{View, section};
use crate::report::{ByType, Findings};

pub(super) fn types(m: &mut Markup, view: &View<'_>) {
    let Some(Findings { by_type, .. }) = &view.report.retrieval else { return };
    let Some((_, first)) = by_type.first() else { return };
    let cuts: Vec<&str> = first.metrics.keys().filter_map(|name| name.strip_prefix("R@")).collect();
    let Some(cut) = cuts.iter().find(|cut| **cut == "5").or(cuts.last()) else { return };
    let before = view.report.baseline.as_ref().map(|baseline| &baseline.retrieval.by_type);
    section(m, "By type of content", |m| {
        m.within("div", &[("class", "bars")], |m| {
            for name in [format!("P@{cut}"), format!("R@{cut}")] {
                m.element("h3", &[], &name);
                m.within("ul", &[], |m| {
                    for (kind, now) in by_type {
                        let was =
                            before.and_then(|before| before.get(kind)).and_then(|was| value(was, &name));
                        m.within("li", &[], |m| row(m, kind, now, &name, was));
                    }
                });
            }
        });
        if before.is_some() {
            m.element(
                "p",
                &[("class", "note")],
                "The tick is the baseline; the second number says how far the new index is from it.",
            );
        }
    });
}

fn value(of_type: &ByType, name: &str) -> Option<f64> {
    of_type.metrics.get(name).and_then(|figure| figure.value)
}

fn row(m: &mut Markup, kind: &str, now: &ByType, name: &str, was: Option<f64>) {
    let scale = Scale::new(0.0, 1.0);
    let here = value(now, name);
    m.element("span", &[("class", "name")], kind);
    m.within("svg", &[("aria-hidden", "true"), ("width", "100%"), ("height", "16")], |m| {
        m.empty("line", &[("class", "axis"), ("x1", "0"), ("x2", "100%"), ("y1", "15.5"), ("y2", "15.5")]);
        if let Some(value) = here {
            m.empty("rect", &[("x", "0"), ("y", "3"), ("width", &scale.across(value)), ("height", "10")]);
        }
        if let Some(x) = was.map(|was| scale.across(was)) {
            m.empty("line", &[("class", "tick"), ("x1", &x), ("x2", &x), ("y1", "0"), ("y2", "16")]);
        }
    });
    m.element("span", &[("class", "number")], &crate::formats::figure(here));
    let delta = now.delta.get(name).and_then(|delta| delta.value);
    let class = match delta {
        Some(delta) if delta < 0.0 => "delta fail",
        Some(delta) if delta > 0.0 => "delta pass",
        _ => "delta",
    };
    let said = delta.map(|delta| {
        let mark = if delta < 0.0 {
            "▼"
        } else if delta > 0.0 {
            "▲"
        } else {
            ""
        };
        format!("{mark} {:+.4}", delta + 0.0)
    });
    m.element("span", &[("class", class)], &said.unwrap_or_default());
}
