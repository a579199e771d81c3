//! Several suites: one table, then each suite under a heading of its own.

use super::{PAGE, cell, code, list, mark, md};
use crate::report::{Checked, CheckedSuite, Gate, Outcome};
use crate::text;

/// How many gates of a suite its row names.
const MOST: usize = 8;

pub(super) fn render(checked: &Checked) -> String {
    let (verdict, sign) = (checked.verdict, mark(checked.verdict.outcome()));
    let heads = "| suite | kind | verdict | gates that do not pass |\n|---|---|---|---|";
    let mut out = format!("# {sign} karat check: {}\n\n{heads}\n", verdict.name());
    if let Some(lock) = &checked.lock {
        let says = if lock.pass { "unchanged" } else { lock.says.as_str() };
        let sign = mark(Outcome::of(Some(lock.pass)));
        out.push_str(&format!("| gold | lock | {sign} | {} |\n", cell(says, 300)));
    }
    checked.suites.iter().for_each(|suite| out.push_str(&row(suite)));
    if let Some(lock) = checked.lock.as_ref().filter(|lock| !lock.pass) {
        list(&mut out, PAGE / 4, "Gold is not what was locked", &lock.differences(10));
    }
    list(&mut out, PAGE / 4, "Waivers that let nothing pass", &checked.idle_waivers);
    let room = PAGE.saturating_sub(out.len()) / checked.reports().count().max(1);
    let mut left = 0;
    for (suite, report) in checked.suites.iter().filter_map(|suite| Some((suite, suite.report.as_ref()?))) {
        // The suite's own heading does not know of waivers.
        let section = demoted(md(report, room).lines().skip(1));
        if out.len() + section.len() > PAGE {
            left += 1;
        } else {
            out.push_str(&format!("\n## {}: {}\n{section}", cell(&suite.name, 80), word(suite)));
        }
    }
    if left > 0 {
        out.push_str(&format!("\n{} more are in the json report.\n", text::count(left, "suite")));
    }
    out
}

/// Lines of Markdown whose headings stand a level lower.
pub(crate) fn demoted<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.map(|line| format!("{}{line}\n", if line.starts_with('#') { "#" } else { "" })).collect()
}

fn row(suite: &CheckedSuite) -> String {
    let gate = |gate: &Gate| {
        let word = if gate.waived.is_some() { " FAIL (waived)" } else { "" };
        format!("{}{word}", code(&gate.title()))
    };
    let stuck = match &suite.report {
        Some(report) => {
            let stuck = report.gates.iter().filter(|gate| gate.pass == Some(false)).map(gate);
            let stuck: Vec<String> = stuck.collect();
            let more = stuck.len().saturating_sub(MOST);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            stuck[..stuck.len().min(MOST)].join("<br>") + &more
        }
        None => cell(&suite.problems.join("; "), 600),
    };
    format!("| {} | {} | {} | {stuck} |\n", cell(&suite.name, 80), cell(&suite.kind, 40), word(suite))
}

/// What a suite came to, after its sign.
fn word(suite: &CheckedSuite) -> String {
    let (outcome, word) = suite.verdict();
    format!("{} {}", mark(outcome), if suite.report.is_none() { "bad input" } else { word })
}
