//! Several suites: one table, then each suite under a heading of its own.

use std::fmt::Write;

use super::{PAGE, cell, code, list, mark, md};
use crate::report::{Checked, Gate};
use crate::text;

pub(super) fn render(checked: &Checked) -> String {
    let mut out = String::new();
    check(checked, &mut out).unwrap_or_default();
    out
}

fn check(checked: &Checked, out: &mut String) -> std::fmt::Result {
    writeln!(out, "# {} karat check: {}\n", mark(checked.verdict), checked.verdict.name())?;
    writeln!(out, "| suite | kind | verdict | gates that do not pass |\n|---|---|---|---|")?;
    if let Some(lock) = &checked.lock {
        let (word, says) = if lock.pass { ("✅", "unchanged") } else { ("❌", lock.says.as_str()) };
        writeln!(out, "| gold | lock | {word} | {} |", cell(says, 300))?;
    }
    for suite in &checked.suites {
        let gate = |gate: &Gate| {
            let word = if gate.waived.is_some() { " FAIL (waived)" } else { "" };
            format!("{}{word}", code(&gate.title()))
        };
        let (word, stuck) = match &suite.report {
            Some(report) => {
                let stuck: Vec<String> =
                    report.gates.iter().filter(|gate| gate.pass == Some(false)).map(gate).collect();
                let more = stuck.len().saturating_sub(MOST);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let word = if suite.pass { "✅ SHIP" } else { word(report.verdict.name()) };
                (word, stuck[..stuck.len().min(MOST)].join("<br>") + &more)
            }
            None => ("❌ bad input", cell(&suite.problems.join("; "), 600)),
        };
        writeln!(out, "| {} | {} | {word} | {stuck} |", cell(&suite.name, 80), cell(&suite.kind, 40))?;
    }
    if let Some(lock) = checked.lock.as_ref().filter(|lock| !lock.pass) {
        list(out, PAGE / 4, "Gold is not what was locked", &lock.differences(10))?;
    }
    list(out, PAGE / 4, "Waivers that let nothing pass", &checked.idle_waivers)?;
    let room = PAGE.saturating_sub(out.len()) / checked.reports().count().max(1);
    let mut left = 0;
    for suite in &checked.suites {
        let Some(report) = &suite.report else { continue };
        let word = if suite.pass { "✅ SHIP" } else { word(report.verdict.name()) };
        let lower = |line: &str| format!("{}{line}\n", if line.starts_with('#') { "#" } else { "" });
        // The suite's own heading does not know of waivers.
        let section: String = md(report, room).lines().skip(1).map(lower).collect();
        if out.len() + section.len() > PAGE {
            left += 1;
        } else {
            write!(out, "\n## {}: {word}\n{section}", cell(&suite.name, 80))?;
        }
    }
    if left > 0 {
        writeln!(out, "\n{} more are in the json report.", text::count(left, "suite"))?;
    }
    Ok(())
}

/// How many gates of a suite its row names.
const MOST: usize = 8;

fn word(verdict: &str) -> &'static str {
    if verdict == "INCONCLUSIVE" { "⚠️ INCONCLUSIVE" } else { "❌ NO-SHIP" }
}
