//! Which rows fare worse than others? A bar for each, and a tick where the baseline's ended.

use super::markup::Markup;
use super::scale::Scale;
use super::section;
use crate::report::{Column, Kind, Place, Table, number};

/// A list of bars for each column of numbers; a column of differences belongs to the numbers before it. `before` is the
/// baseline's table.
pub(super) fn bars(m: &mut Markup, title: &str, table: &Table, before: Option<&Table>) {
    let shown: Vec<(usize, &Column)> =
        table.columns.iter().enumerate().filter(|(_, column)| column.on.contains(&Place::Page)).collect();
    if table.rows.is_empty() {
        return;
    }
    section(m, title, |m| {
        m.within("div.bars", |m| {
            for (at, (i, column)) in shown.iter().enumerate().filter(|(_, (_, c))| c.kind == Kind::Number) {
                let delta = shown.get(at + 1).filter(|(_, column)| column.kind == Kind::Delta);
                m.element("h3", &column.title);
                m.within("ul", |m| {
                    for row in &table.rows {
                        let name = row.first().and_then(|name| name.as_str()).unwrap_or_default();
                        let delta = delta.and_then(|(i, _)| number(row.get(*i)));
                        let was = before.and_then(|before| before.number(name, &column.key));
                        m.within("li", |m| bar(m, name, (number(row.get(*i)), was, delta)));
                    }
                });
            }
        });
        if before.is_some() {
            m.note("The tick is the baseline; the second number says how far the new index is from it.");
        }
    });
}

fn bar(m: &mut Markup, name: &str, (here, was, delta): (Option<f64>, Option<f64>, Option<f64>)) {
    let scale = Scale::new(0.0, 1.0);
    m.element("span.name", name);
    m.within("svg[aria-hidden=true][width=100%][height=16]", |m| {
        m.empty("line.axis[x1=0][x2=100%][y1=15.5][y2=15.5]");
        if let Some(value) = here {
            m.area("rect", ["0", "3", &scale.across(value), "10"]);
        }
        if let Some(x) = was.map(|was| scale.across(was)) {
            m.stroke("line.tick", [&x, &x, "0", "16"]);
        }
    });
    m.element("span.number", &crate::formats::figure(here));
    let (tag, mark) = match delta {
        Some(delta) if delta < 0.0 => ("span.delta.fail", "▼"),
        Some(delta) if delta > 0.0 => ("span.delta.pass", "▲"),
        _ => ("span.delta", ""),
    };
    let said = delta.map(|delta| format!("{mark} {:+.4}", delta + 0.0));
    m.element(tag, &said.unwrap_or_default());
}
