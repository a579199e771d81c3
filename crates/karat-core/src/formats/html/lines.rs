//! How do the figures of a ranking grow with the cut-off? A line a measure; dashed where it is the baseline's.

use indexmap::IndexMap;

use super::markup::Markup;
use super::scale::Scale;
use super::{View, figure_of, section};
use crate::report::Figure;

const HEIGHT: f64 = 200.0;

/// A measure and its values at the cut-offs.
type Line<'a> = (&'a str, Vec<(u32, f64)>);

pub(super) fn lines(m: &mut Markup, view: &View<'_>) {
    let now = measures(&view.report.metrics);
    if view.report.retrieval.is_none() || now.is_empty() {
        return;
    }
    let before = view.report.baseline.as_ref().map(|b| measures(&b.metrics)).unwrap_or_default();
    let mut cuts: Vec<u32> = now.iter().flat_map(|(_, points)| points.iter().map(|(k, _)| *k)).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let place = |k: u32| cuts.iter().position(|cut| *cut == k).unwrap_or(0) as f64;
    let (across, up) = (Scale::new(0.0, (cuts.len() - 1) as f64), Scale::new(0.0, 1.0));
    section(m, "By cut-off", |m| {
        let told: Vec<String> = now.iter().map(|(name, points)| said(name, points)).collect();
        figure_of(m, &told.join("; "), HEIGHT, |m| {
            for tick in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let y = up.down(tick, HEIGHT);
                m.empty("line", &[("class", "rule"), ("x1", "0"), ("x2", "100%"), ("y1", &y), ("y2", &y)]);
                m.element(
                    "text",
                    &[("class", "left"), ("x", "0"), ("dx", "-8"), ("y", &y), ("dy", "4")],
                    &tick.to_string(),
                );
            }
            for k in &cuts {
                let (x, y) = (across.across(place(*k)), HEIGHT.to_string());
                m.element(
                    "text",
                    &[("class", "below"), ("x", &x), ("y", &y), ("dy", "18")],
                    &format!("k = {k}"),
                );
            }
            let spot = |(k, value): &(u32, f64)| (across.across(place(*k)), up.down(*value, HEIGHT));
            for (at, (name, points)) in now.iter().enumerate() {
                let class = format!("series s{}", at % 6);
                m.within("g", &[("class", &class)], |m| {
                    let old = before.iter().find(|(old, _)| old == name);
                    for (points, class) in
                        old.map(|(_, points)| (points, "old")).into_iter().chain([(points, "new")])
                    {
                        for pair in points.windows(2) {
                            let ((x1, y1), (x2, y2)) = (spot(&pair[0]), spot(&pair[1]));
                            m.empty(
                                "line",
                                &[("class", class), ("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)],
                            );
                        }
                    }
                    for point in points {
                        let (x, y) = spot(point);
                        m.within("circle", &[("cx", &x), ("cy", &y), ("r", "3.5")], |m| {
                            m.element("title", &[], &format!("{name}@{} {:.4}", point.0, point.1));
                        });
                    }
                });
            }
        });
        m.within("ul", &[("class", "key")], |m| {
            for (at, (name, points)) in now.iter().enumerate() {
                m.within("li", &[("class", &format!("series s{}", at % 6))], |m| {
                    m.within("svg", &[("aria-hidden", "true"), ("width", "26"), ("height", "10")], |m| {
                        m.empty(
                            "line",
                            &[("class", "new"), ("x1", "0"), ("x2", "26"), ("y1", "5"), ("y2", "5")],
                        );
                        m.empty("circle", &[("cx", "13"), ("cy", "5"), ("r", "3.5")]);
                    });
                    m.text(&said(name, points));
                });
            }
            if !before.is_empty() {
                m.element("li", &[], "dashed: the baseline");
            }
        });
    });
}

fn said(name: &str, points: &[(u32, f64)]) -> String {
    let values: Vec<String> = points.iter().map(|(k, value)| format!("@{k} {value:.4}")).collect();
    format!("{name} {}", values.join(", "))
}

/// Measures that are reported at two cut-offs or more.
fn measures(metrics: &IndexMap<String, Figure>) -> Vec<Line<'_>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (name, figure) in metrics {
        let Some((stem, k)) = name.rsplit_once('@') else { continue };
        let (Ok(k), Some(value)) = (k.parse(), figure.value) else { continue };
        match lines.iter_mut().find(|(known, _)| *known == stem) {
            Some((_, points)) => points.push((k, value)),
            None => lines.push((stem, vec![(k, value)])),
        }
    }
    lines.retain(|(_, points)| points.len() > 1);
    lines.iter_mut().for_each(|(_, points)| points.sort_by_key(|(k, _)| *k));
    lines
}
