//! How many cases did each stage lose? Each bar hangs where the one before it ended.

use super::markup::Markup;
use super::scale::Scale;
use super::{View, link, section};
use crate::text;

pub(super) fn stages(m: &mut Markup, view: &View<'_>) {
    let report = view.report;
    let all: u64 = report.stages.values().sum();
    if all == 0 {
        return;
    }
    // Why raters' answers ended as they did is no way through stages: nothing hangs on what came before.
    let hanging = report.agreement.is_none();
    let title = if hanging { "Where cases were lost" } else { "Why answers ended as they did" };
    let terms = (view.profile.stages)();
    let known = terms.iter().map(|term| (term.name, term.meaning, term.good));
    let own = report.stages.keys().filter(|name| terms.iter().all(|term| term.name != name.as_str()));
    let rows: Vec<(&str, &str, bool)> = known.chain(own.map(|name| (name.as_str(), "", false))).collect();
    let scale = Scale::new(0.0, all as f64);
    section(m, title, |m| {
        m.within("ol", &[("class", "waterfall")], |m| {
            let mut left = all;
            for (name, meaning, good) in rows {
                let lost = report.stages.get(name).copied().unwrap_or(0);
                if lost == 0 && (good || !hanging) {
                    continue;
                }
                let from = if good || !hanging { 0 } else { left.saturating_sub(lost) };
                let class = if lost == 0 {
                    "none"
                } else if good {
                    "pass"
                } else if hanging {
                    "fail"
                } else {
                    "plain"
                };
                m.within("li", &[("class", class), ("title", meaning)], |m| {
                    m.within("span", &[("class", "name")], |m| {
                        if lost == 0 { m.text(name) } else { link(m, view, &[("stage", name)], name) }
                    });
                    m.within("svg", &[("aria-hidden", "true"), ("width", "100%"), ("height", "16")], |m| {
                        m.empty(
                            "line",
                            &[("class", "axis"), ("x1", "0"), ("x2", "100%"), ("y1", "15.5"), ("y2", "15.5")],
                        );
                        let (x, width) =
                            (scale.across(from as f64), scale.width(from as f64, (from + lost) as f64));
                        m.empty("rect", &[("x", &x), ("y", "2"), ("width", &width), ("height", "12")]);
                    });
                    m.element("span", &[("class", "number")], &text::group(lost));
                    let share = format!("{:.1} %", lost as f64 * 100.0 / all as f64);
                    m.element("span", &[("class", "share")], &share);
                });
                left = if good { left } else { left.saturating_sub(lost) };
            }
        });
    });
}
