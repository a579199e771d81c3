//! Several suites on one page: one verdict, a row a suite, the gold lock; then a whole report a suite, one in sight at a time.

use super::Head::Text;
use super::banner::first_step;
use super::cases::id;
use super::markup::{Markup, clipped};
use super::{View, banner, body, header, scored_by, section, settings, table_around};
use crate::formats::text::check::{reason, says};
use crate::report::{Checked, CheckedSuite, Decision, Outcome, Report};
use crate::text;

pub(super) fn page(checked: &Checked) -> String {
    let views: Vec<Option<View<'_>>> =
        checked.suites.iter().enumerate().map(|(at, suite)| view(at, suite)).collect();
    super::page(&format!("{} · karat check", checked.verdict.name()), checked.verdict, &checked.karat, |m| {
        header(m, "check", checked.config.as_deref().unwrap_or(""));
        m.within("main", |m| {
            verdict(m, checked);
            suites(m, checked);
            lock(m, checked);
            if !checked.idle_waivers.is_empty() {
                section(m, "Waivers that let nothing pass", |m| super::list(m, &checked.idle_waivers));
            }
            for (suite, view) in checked.suites.iter().zip(&views) {
                m.within_with(
                    "section.suite",
                    &[("data-suite", &id(&suite.name)), ("aria-label", &suite.name)],
                    |m| {
                        m.of = Some(id(&suite.name));
                        match view {
                            Some(view) => scored(m, suite, view),
                            None => refused(m, suite),
                        }
                        m.of = None;
                    },
                );
                m.line();
            }
        });
        m.within("footer", |m| {
            let today =
                checked.today.as_ref().map(|day| format!(" · waivers judged on {day}")).unwrap_or_default();
            m.element("p", &format!("karat {}{today}", checked.karat));
        });
    })
}

fn view(at: usize, suite: &CheckedSuite) -> Option<View<'_>> {
    let report = suite.report.as_ref()?;
    let trend = suite.trend.as_ref();
    Some(View { name: Some(&suite.name), key: at.to_string(), trend, ..View::new(report) })
}

fn verdict(m: &mut Markup, checked: &Checked) {
    let ships = checked.verdict == Decision::Ship;
    let head = (checked.verdict, "Verdict of all suites", "h1");
    banner::around(
        m,
        head,
        &says(checked),
        |m| {
            for (name, amber) in
                checked.reports().flat_map(|(name, r)| r.amber.iter().map(move |a| (name, a)))
            {
                m.element("p.amber", &format!("{name}: {}", amber.text));
            }
        },
        |m| {
            let noted = checked.reports().find_map(|(name, report)| Some((name, report.hints.first()?)));
            let Some((name, first)) = noted.filter(|_| ships) else {
                return banner::step(m, if ships { "Next" } else { "First step" }, &step(checked));
            };
            let words = match checked.reports().map(|(_, report)| report.hints.len() as u64).sum() {
                1 => "See the suite".to_owned(),
                all => text::count(all - 1, "more remark"),
            };
            let address = format!("#suite={}", super::encoded(&id(name)));
            banner::remarked(m, &format!("{name}: {first}"), (&address, &words));
        },
    );
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
            format!("Fix the input of {name}: its problems are told below.")
        }
        Some(CheckedSuite { name, report: Some(report), .. }) => format!("{name}: {}", first_step(report)),
    }
}

fn suites(m: &mut Markup, checked: &Checked) {
    section(m, "Suites", |m| {
        m.within("nav[aria-label=All suites]", |m| {
            let heads = [Text("suite"), Text("kind"), Text("verdict"), Text("why")];
            table_around(m, "Suites", &heads, |m| {
                for suite in &checked.suites {
                    m.within_with("tr", &[("data-tab", &id(&suite.name))], |m| row(m, suite));
                }
            });
        });
    });
}

fn row(m: &mut Markup, suite: &CheckedSuite) {
    let (outcome, word) = suite.verdict();
    m.within("th[scope=row]", |m| {
        let address = format!("#suite={}", super::encoded(&id(&suite.name)));
        m.within_with("a", &[("href", &address), ("title", &id(&suite.name))], |m| {
            m.element("bdi", &suite.name);
        });
    });
    m.element("td", &suite.kind);
    m.outcome("td", outcome, word);
    m.element("td[dir=auto]", &reason(suite));
}

fn lock(m: &mut Markup, checked: &Checked) {
    let Some(lock) = &checked.lock else { return };
    section(m, "Gold lock", |m| {
        m.outcome("p", Outcome::of(Some(lock.pass)), &lock.verdict());
        super::list(m, &lock.differences(100));
    });
}

fn scored(m: &mut Markup, suite: &CheckedSuite, view: &View<'_>) {
    let report: &Report = view.report;
    m.within("h2.of", |m| {
        m.element("bdi", &suite.name);
        m.element("small", &format!(" {} · {}", suite.kind, scored_by(report)));
    });
    banner::banner(m, view, "h3");
    body(m, view);
    m.element("p.note.settings", &settings(report));
}

fn refused(m: &mut Markup, suite: &CheckedSuite) {
    section(m, &format!("{}: nothing was scored", suite.name), |m| {
        for problem in &suite.problems {
            m.element("pre.problem", &clipped(problem, 4_000));
        }
        let more = suite.problems_total.saturating_sub(suite.problems.len() as u64);
        if more > 0 {
            m.note(&format!("and {}", text::count(more, "more problem")));
        }
    });
}
