//! How many cases did each stage lose? Each bar hangs where the one before it ended. A control that was blocked as it should
//! be is not lost: its part of a bar has another shape.

use indexmap::IndexMap;

use super::markup::Markup;
use super::scale::Scale;
use super::{View, link, section};
use crate::text;

/// A stage: its name, what it means, whether nothing is wrong there, how many cases ended there, how many of them rightly.
struct Row<'a> {
    name: &'a str,
    meaning: &'a str,
    good: bool,
    all: u64,
    right: u64,
}

pub(super) fn stages(m: &mut Markup, view: &View<'_>) {
    let report = view.report;
    let all: u64 = report.stages.values().sum();
    if all == 0 {
        return;
    }
    // Where labels do not say what is right, stages are reasons: nothing hangs on what came before.
    let hanging = report.layout.fault.is_none();
    let right = right_by_stage(view);
    let terms = (view.profile.stages)();
    let known = terms.iter().map(|term| (term.name, term.meaning, term.good));
    let own = report.stages.keys().filter(|name| terms.iter().all(|term| term.name != name.as_str()));
    let rows = known.chain(own.map(|name| (name.as_str(), "", false))).map(|(name, meaning, good)| {
        let all = report.stages.get(name).copied().unwrap_or(0);
        let right = match &right {
            Some(right) => right.get(name).copied().unwrap_or(0).min(all),
            None if good => all,
            None => 0,
        };
        Row { name, meaning, good, all, right }
    });
    let rows: Vec<Row<'_>> = rows.collect();
    let blocked: u64 = rows.iter().filter(|row| !row.good).map(|row| row.right).sum();
    let title = match (hanging, blocked) {
        (false, _) => "Why answers ended as they did",
        (true, 0) => "Where cases were lost",
        (true, _) => "Where cases were stopped",
    };
    section(m, title, |m| {
        m.within("ol.waterfall", |m| {
            let mut left = all;
            for row in rows.iter().filter(|row| row.all > 0 || (hanging && !row.good)) {
                if !row.good || row.right > 0 {
                    drawn(m, view, row, (all, left), hanging);
                }
                left = if row.good { left } else { left.saturating_sub(row.all) };
            }
            // What passed every stage and should not have.
            for row in rows.iter().filter(|row| row.good && row.all > row.right) {
                let leaked = Row { right: 0, all: row.all - row.right, good: false, ..*row };
                m.within_with("li.fail", &[("title", row.meaning)], |m| {
                    m.within("span.name", |m| {
                        link(m, view, &[("stage", row.name)], row.name);
                        m.element("small", "let through, and should not have been");
                    });
                    bars(m, &Scale::new(0.0, all as f64), 0, &leaked);
                    numbers(m, leaked.all, all);
                });
            }
        });
        if blocked > 0 {
            let controls = text::count(blocked, "control");
            m.note(&format!("Hollow: {controls} blocked as they should be, and so not lost."));
        }
    });
}

/// How many cases came out right, by stage; `None` where the report does not list those that did not.
fn right_by_stage<'a>(view: &View<'a>) -> Option<IndexMap<&'a str, u64>> {
    let report = view.report;
    if report.layout.fault.is_some() {
        return None;
    }
    let good = report.good_label();
    let wrong: u64 = report.labels.iter().filter(|(name, _)| !good(name)).map(|(_, n)| n).sum();
    let mut right: IndexMap<&str, u64> =
        report.stages.iter().map(|(name, all)| (name.as_str(), *all)).collect();
    let mut found = 0;
    for case in report.cases.iter().filter(|case| !good(&case.label)) {
        found += 1;
        if let Some(left) = right.get_mut(case.first_failed_stage.as_str()) {
            *left = left.saturating_sub(1);
        }
    }
    (found == wrong).then_some(right)
}

fn drawn(m: &mut Markup, view: &View<'_>, row: &Row<'_>, (all, left): (u64, u64), hanging: bool) {
    // Of a good stage those count that are there rightly; the others are told below.
    let (count, lost) = if row.good { (row.right, 0) } else { (row.all, row.all - row.right) };
    let class = match (count, row.good, hanging) {
        (0, _, _) => "none",
        (_, true, _) => "pass",
        (_, false, true) if lost == 0 => "held",
        (_, false, true) => "fail",
        (_, false, false) => "plain",
    };
    let from = if row.good || !hanging { 0 } else { left.saturating_sub(row.all) };
    m.within_with("li", &[("class", class), ("title", row.meaning)], |m| {
        m.within("span.name", |m| {
            if count == 0 {
                m.text(row.name)
            } else {
                link(m, view, &[("stage", row.name)], row.name)
            }
            // Names such as `ned50` say little: where something was lost, what that means stands beside them.
            if lost > 0 && hanging {
                m.element("small", row.meaning);
            }
        });
        let drawn = if row.good { Row { all: row.right, ..*row } } else { Row { ..*row } };
        bars(m, &Scale::new(0.0, all as f64), from, &drawn);
        numbers(m, if row.good || !hanging { count } else { lost }, all);
        if !row.good && row.right > 0 && hanging {
            m.element("span.held", &format!("+ {} rightly blocked", text::group(row.right)));
        }
    });
}

/// The bar of a stage: what it lost, then what it blocked rightly.
fn bars(m: &mut Markup, scale: &Scale, from: u64, row: &Row<'_>) {
    let lost = if row.good { row.all } else { row.all - row.right };
    m.within("svg[aria-hidden=true][width=100%][height=16]", |m| {
        m.empty("line.axis[x1=0][x2=100%][y1=15.5][y2=15.5]");
        let mut rect = |tag: &'static str, from: u64, to: u64| {
            if to > from {
                let (x, width) = (scale.across(from as f64), scale.width(from as f64, to as f64));
                m.area(tag, [&x, "2", &width, "12"]);
            }
        };
        rect("rect.lost", from, from + lost);
        rect("rect.right", from + lost, from + row.all);
    });
}

fn numbers(m: &mut Markup, count: u64, all: u64) {
    m.element("span.number", &text::group(count));
    let share = format!("{:.1} %", count as f64 * 100.0 / all as f64);
    m.element("span.share", &share);
}
