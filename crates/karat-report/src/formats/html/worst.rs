//! The worst cases, with what was asked and said: for who prints the page, or reads it without its script.

use super::marked::marked;
use super::markup::{Markup, clipped};
use super::{View, link, section};
use crate::report::Offender;
use crate::text;

/// How many notes of a case are shown.
const NOTES: usize = 8;

pub(super) fn worst(m: &mut Markup, view: &View<'_>) {
    let report = view.report;
    if report.offenders.is_empty() {
        return;
    }
    let title = format!("Worst cases ({} of {})", report.offenders.len(), text::group(report.wrong_cases()));
    section(m, &title, |m| {
        m.within("ol.worst", |m| {
            report.offenders.iter().for_each(|case| m.within("li", |m| offender(m, view, case)));
        });
    });
}

fn offender(m: &mut Markup, view: &View<'_>, case: &Offender) {
    m.within("h3", |m| {
        // Where labels do not say what is right, a label is no failure.
        let neutral = view.report.layout.fault.is_some();
        let (tone, mark) = if neutral { ("idle", "· ") } else { ("fail", "✗ ") };
        m.within_with("span", &[("class", tone)], |m| {
            m.mark(mark);
            m.text(&case.label);
        });
        m.text(" ");
        link(m, view, &[("case", &case.id)], &case.id);
        let role = view.report.inputs.first().map_or("gold", |input| input.role.as_str());
        let at = if case.line > 0 { format!(" {role} line {}, ", case.line) } else { " ".into() };
        let how = if neutral { "because of" } else { "lost at" };
        let terms = (view.profile.stages)();
        let meaning = terms.iter().find(|term| term.name == case.first_failed_stage);
        let meaning = meaning.filter(|term| !term.good && !term.meaning.is_empty());
        let meaning = meaning.map(|term| format!(": {}", term.meaning)).unwrap_or_default();
        m.element("small", &format!("{at}{how} {}{meaning}", case.first_failed_stage));
    });
    m.within("dl", |m| {
        let mut notes = 0;
        for (name, text) in case.worst_facts(&view.report.layout) {
            notes += usize::from(name == "note");
            match name {
                "trace" => {}
                "note" if notes > NOTES => {}
                "said" => m.within("div", |m| {
                    m.element("dt", name);
                    m.within("dd[dir=auto]", |m| {
                        for (at, part) in
                            marked(&text::shorten(&text, 600), &case.gold_phrases).iter().enumerate()
                        {
                            m.element(if at % 2 == 1 { "mark" } else { "span" }, part);
                        }
                    });
                }),
                _ => {
                    let class = if name == "do" { "step" } else { "said" };
                    m.within_with("div", &[("class", class)], |m| {
                        m.element("dt", name);
                        m.element("dd[dir=auto]", &clipped(&text, 600));
                    });
                }
            }
        }
    });
}
