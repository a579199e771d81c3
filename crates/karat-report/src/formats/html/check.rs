//! Several suites on one page: one verdict, a row a suite, the gold lock; then a whole report a suite, one in sight at a time.

use super::Head::Text;
use super::banner::{first_step, mark_of, tone_of};
use super::cases::id;
use super::markup::{Markup, clipped};
use super::{View, banner, body, header, scored_by, section, settings, table};
use crate::formats::text::check::{locked, reason, says};
use crate::report::{Checked, CheckedSuite, Decision, LockFinding, Report};
use crate::text;

pub(super) fn page(checked: &Checked) -> String {
    let views: Vec<Option<View<'_>>> =
        checked.suites.iter().enumerate().map(|(at, suite)| view(at, suite)).collect();
    super::page(&format!("{} · karat check", checked.verdict.name()), checked.verdict, &checked.karat, |m| {
        header(m, "check", checked.config.as_deref().unwrap_or(""));
        m.within("main", &[], |m| {
            verdict(m, checked);
            suites(m, checked);
            lock(m, checked);
            if !checked.idle_waivers.is_empty() {
                section(m, "Waivers that let nothing pass", |m| super::list(m, &checked.idle_waivers));
            }
            for (suite, view) in checked.suites.iter().zip(&views) {
                m.within(
                    "section",
                    &[("class", "suite"), ("data-suite", &id(&suite.name)), ("aria-label", &suite.name)],
                    |m| {
                        m.of = Some(id(&suite.name));
                        match view {
                            Some(view) => told(m, suite, view),
                            None => refused(m, suite),
                        }
                        m.of = None;
                    },
                );
                m.line();
            }
        });
        m.within("footer", &[], |m| {
            let today =
                checked.today.as_ref().map(|day| format!(" · waivers judged on {day}")).unwrap_or_default();
            m.element("p", &[], &format!("karat {}{today}", checked.karat));
        });
    })
}

fn view(at: usize, suite: &CheckedSuite) -> Option<View<'_>> {
    let report = suite.report.as_ref()?;
    let trend = suite.trend.as_ref();
    Some(View { name: Some(&suite.name), key: at.to_string(), trend, ..View::new(report) })
}

fn verdict(m: &mut Markup, checked: &Checked) {
    let class = format!("verdict {}", tone_of(checked.verdict));
    m.within("section", &[("class", &class), ("aria-label", "Verdict of all suites")], |m| {
        m.within("div", &[("class", "says")], |m| {
            m.within("h1", &[], |m| {
                m.element("span", &[("class", "mark"), ("aria-hidden", "true")], mark_of(checked.verdict));
                m.text(checked.verdict.name());
            });
            m.element("p", &[("class", "why")], &text::capital(&says(checked)));
        });
        m.within("div", &[("class", "next")], |m| {
            let remarked = checked.reports().find(|(_, report)| !report.hints.is_empty());
            match remarked.filter(|_| checked.verdict == Decision::Ship) {
                Some((name, report)) => {
                    m.element("h2", &[], "Ships, but");
                    let first = report.hints.first().map_or("", String::as_str);
                    m.element("p", &[("class", "step but")], &format!("{name}: {first}."));
                    let all: usize = checked.reports().map(|(_, report)| report.hints.len()).sum();
                    let words = match all {
                        1 => "See the suite".to_owned(),
                        all => text::count(all as u64 - 1, "more remark"),
                    };
                    m.within("p", &[], |m| {
                        let address = format!("#suite={}", super::encoded(&id(name)));
                        m.element("a", &[("href", &address)], &words);
                    });
                }
                None => {
                    let ships = checked.verdict == Decision::Ship;
                    m.element("h2", &[], if ships { "Next" } else { "First step" });
                    m.element("p", &[("class", "step")], &step(checked));
                }
            }
        });
    });
    m.line();
}

/// What to do before anything else: the lock first, then input that is wrong, then the first suite that does not pass.
fn step(checked: &Checked) -> String {
    if checked.lock.as_ref().is_some_and(|lock| !lock.pass) {
        return "Gold is not what was locked: review the change, then `karat gold freeze` and commit the lock.".into();
    }
    match checked.suites.iter().find(|suite| !suite.pass) {
        None if checked.suites.is_empty() => "Name a suite in karat.toml.".into(),
        None => "Nothing to do: every suite ships, and there is nothing to remark.".into(),
        Some(CheckedSuite { name, report: None, .. }) => {
            format!("Mend the input of {name}: its problems are told below.")
        }
        Some(CheckedSuite { name, report: Some(report), .. }) => format!("{name}: {}", first_step(report)),
    }
}

fn suites(m: &mut Markup, checked: &Checked) {
    section(m, "Suites", |m| {
        m.within("nav", &[("aria-label", "All suites")], |m| {
            table(m, "Suites", &[Text("suite"), Text("kind"), Text("verdict"), Text("why")], |m| {
                for suite in &checked.suites {
                    m.within("tr", &[("data-tab", &id(&suite.name))], |m| row(m, suite));
                }
            });
        });
    });
}

fn row(m: &mut Markup, suite: &CheckedSuite) {
    let (tone, mark, word) = match (suite.pass, suite.report.as_ref().map(|report| report.verdict)) {
        (true, _) => ("pass", "✓", "SHIP"),
        (false, None) => ("fail", "✗", "BAD INPUT"),
        (false, Some(Decision::Inconclusive)) => ("unsure", "?", "INCONCLUSIVE"),
        (false, Some(_)) => ("fail", "✗", "NO-SHIP"),
    };
    m.within("th", &[("scope", "row")], |m| {
        let address = format!("#suite={}", super::encoded(&id(&suite.name)));
        m.within("a", &[("href", &address), ("title", &id(&suite.name))], |m| {
            m.element("bdi", &[], &suite.name);
        });
    });
    m.element("td", &[], &suite.kind);
    m.within("td", &[("class", &format!("outcome {tone}"))], |m| {
        m.element("span", &[("aria-hidden", "true")], mark);
        m.text(&format!(" {word}"));
    });
    m.element("td", &[("dir", "auto")], &reason(suite));
}

fn lock(m: &mut Markup, checked: &Checked) {
    let Some(lock) = &checked.lock else { return };
    section(m, "Gold lock", |m| {
        let (tone, mark, words) = match lock.pass {
            true => ("pass", "✓", locked(lock)),
            false => ("fail", "✗", lock.says.clone()),
        };
        m.within("p", &[("class", &format!("outcome {tone}"))], |m| {
            m.element("span", &[("aria-hidden", "true")], mark);
            m.text(&format!(" {words}"));
        });
        changes(m, lock);
    });
}

fn changes(m: &mut Markup, lock: &LockFinding) {
    const NAMED: usize = 100;
    let mut lines = Vec::new();
    for (file, rows) in &lock.files {
        for (how, ids) in [("added", &rows.added), ("removed", &rows.removed), ("changed", &rows.changed)] {
            if !ids.is_empty() {
                let more = if ids.len() > NAMED { ", …" } else { "" };
                let named = ids[..ids.len().min(NAMED)].join(", ");
                lines.push(format!("{file}: {} {how}: {named}{more}", text::count(ids.len() as u64, "row")));
            }
        }
    }
    if lock.gates_changed {
        lines.push("the gates are not those that were locked".into());
    }
    super::list(m, &lines);
}

fn told(m: &mut Markup, suite: &CheckedSuite, view: &View<'_>) {
    let report: &Report = view.report;
    m.within("h2", &[("class", "of")], |m| {
        m.element("bdi", &[], &suite.name);
        m.element("small", &[], &format!(" {} · {}", suite.kind, scored_by(report)));
    });
    banner::banner(m, view, "h3");
    body(m, view);
    m.element("p", &[("class", "note settings")], &settings(report));
}

fn refused(m: &mut Markup, suite: &CheckedSuite) {
    section(m, &format!("{}: nothing was scored", suite.name), |m| {
        for problem in &suite.problems {
            m.element("pre", &[("class", "problem")], &clipped(problem, 4_000));
        }
        let more = suite.problems_total.saturating_sub(suite.problems.len() as u64);
        if more > 0 {
            m.element("p", &[("class", "note")], &format!("and {}", text::count(more, "more problem")));
        }
    });
}
