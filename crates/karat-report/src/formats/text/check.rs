//! Several suites on one screen: the verdict, a row a suite, then what stands in the way, suite by suite.

use std::fmt::{self, Write};
use std::sync::Arc;

use super::{BAD, DIM, GOOD, Page, UNSURE, decision, outcome, padded, why};
use crate::formats::figure;
use crate::report::{Checked, CheckedSuite, Decision, Figure, Gate, LockFinding, Report, Waiver};
use crate::text::{self, shorten, visible};

/// How many of the worst cases of a suite are told here; its own report tells more.
const WORST: usize = 3;

/// The whole page, or the verdict alone.
pub(super) fn render(checked: &Checked, color: bool, brief: bool) -> String {
    let profile = Arc::default();
    let mut page = Page { text: String::new(), color, profile, widths: (0, 0, 0) };
    let written = if brief { page.checked(checked) } else { page.check(checked) };
    written.map(|()| page.text).unwrap_or_default()
}

impl Page {
    fn check(&mut self, checked: &Checked) -> fmt::Result {
        self.checked(checked)?;
        self.suites(checked)?;
        if let Some(lock) = checked.lock.as_ref().filter(|lock| !lock.pass) {
            self.lock(lock)?;
        }
        for suite in checked.suites.iter().filter(|suite| !suite.pass) {
            self.suite(suite)?;
        }
        self.list("Waivers that let nothing pass", &checked.idle_waivers)
    }

    fn checked(&mut self, checked: &Checked) -> fmt::Result {
        let word = self.paint(decision(checked.verdict), checked.verdict.name());
        self.wrap_under(
            &format!("{word}  "),
            checked.verdict.name().len() + 2,
            &format!("check: {}", says(checked)),
        )
    }

    fn suites(&mut self, checked: &Checked) -> fmt::Result {
        let column = |of: fn(&CheckedSuite) -> &str, least: usize| {
            checked.suites.iter().map(|s| of(s).chars().count()).max().unwrap_or(0).clamp(least, 24)
        };
        let (name, kind) = (column(|s| &s.name, 5), column(|s| &s.kind, 4));
        let head = format!("  {:<name$}  {:<kind$}  {:<12}  {}", "suite", "kind", "verdict", "why");
        writeln!(self.text, "\n{}", self.paint(DIM, &head))?;
        if let Some(lock) = &checked.lock {
            let (paint, mark) = if lock.pass { (GOOD, "✓") } else { (BAD, "✗") };
            let (word, says) =
                if lock.pass { ("SHIP", locked(lock)) } else { ("NO-SHIP", lock.says.clone()) };
            let lead =
                format!("{} {:<name$}  {:<kind$}  {word:<12}  ", self.paint(paint, mark), "gold", "lock");
            self.wrap_under(&lead, name + kind + 20, &says)?;
        }
        for suite in &checked.suites {
            let (paint, mark, word) = match (suite.pass, &suite.report) {
                (true, _) => (GOOD, "✓", "SHIP"),
                (false, None) => (BAD, "✗", "BAD INPUT"),
                (false, Some(report)) if report.verdict == Decision::Inconclusive => {
                    (UNSURE, "?", "INCONCLUSIVE")
                }
                (false, Some(_)) => (BAD, "✗", "NO-SHIP"),
            };
            let lead = format!(
                "{} {}  {:<kind$}  {}  ",
                self.paint(paint, mark),
                padded(&shorten(&visible(&suite.name), name), name),
                suite.kind,
                self.paint(paint, &format!("{word:<12}"))
            );
            self.wrap_under(&lead, name + kind + 20, &reason(suite))?;
        }
        Ok(())
    }

    fn lock(&mut self, lock: &LockFinding) -> fmt::Result {
        const NAMED: usize = 10;
        self.title(&format!("Gold is not what {} locks", visible(&lock.path)))?;
        for (file, rows) in &lock.files {
            for (how, ids) in [("added", &rows.added), ("removed", &rows.removed), ("changed", &rows.changed)]
            {
                if !ids.is_empty() {
                    let more = if ids.len() > NAMED { ", …" } else { "" };
                    let named = ids[..ids.len().min(NAMED)].join(", ");
                    self.wrap(
                        "  ",
                        &format!("{file}: {} {how}: {named}{more}", text::count(ids.len() as u64, "row")),
                    )?;
                }
            }
        }
        if lock.gates_changed {
            self.wrap("  ", "the gates are not those that were locked")?;
        }
        self.wrap("  do        ", "review the change, then `karat gold freeze` and commit the lock")
    }

    fn suite(&mut self, suite: &CheckedSuite) -> fmt::Result {
        self.title(&format!("{}: what stands in the way", visible(&suite.name)))?;
        let Some(report) = &suite.report else {
            return self.wrap("  ", &told(suite));
        };
        for gate in report.gates.iter().filter(|gate| gate.blocks()) {
            let (paint, mark, word) = outcome(gate.outcome);
            let slice = gate.slice.as_ref().map(|slice| format!(" [{slice}]")).unwrap_or_default();
            let says = format!("{}{slice} at {}: {word}", gate.text, found(report, gate));
            self.wrap_under(&format!("{} ", self.paint(paint, mark)), 2, &says)?;
            if let Some(reason) = &gate.reason {
                self.wrap("    ", reason)?;
            }
        }
        self.profile = report.profile.clone();
        self.offenders(report, WORST)?;
        self.list("What it suggests", &report.diagnosis)
    }
}

/// What a gate found: a count as a whole number.
fn found(report: &Report, gate: &Gate) -> String {
    let counted = |figure: &Figure| figure.den.is_none() && figure.num.is_some();
    let whole =
        report.counts.contains_key(&gate.metric) || report.metrics.get(&gate.metric).is_some_and(counted);
    match gate.value {
        Some(value) if whole => format!("{value}"),
        value => figure(value),
    }
}

/// What all suites came to, in a few words.
pub(in crate::formats) fn says(checked: &Checked) -> String {
    let stuck = checked.suites.iter().filter(|suite| !suite.pass).count();
    let all = text::count(checked.suites.len() as u64, "suite");
    let waived =
        checked.reports().flat_map(|(_, report)| &report.gates).filter(|g| g.waived.is_some()).count();
    let waived =
        if waived > 0 { format!("; {} waived", text::count(waived as u64, "gate")) } else { String::new() };
    let lock = match &checked.lock {
        Some(lock) if !lock.pass => format!("; {}", lock.says),
        _ => String::new(),
    };
    let says = match (stuck, checked.suites.len()) {
        (_, 0) => "no suite is configured".to_owned(),
        (0, 1) => "the suite passes".to_owned(),
        (0, _) => format!("all {all} pass"),
        (n, _) => format!("{n} of {all} {} not pass", if n == 1 { "does" } else { "do" }),
    };
    format!("{says}{waived}{lock}")
}

/// What the lock holds.
pub(in crate::formats) fn locked(lock: &LockFinding) -> String {
    match lock.signed.as_slice() {
        [] => format!("unchanged since {} was written", lock.path),
        signed => format!("unchanged since {} was signed by {}", lock.path, signed.join(", ")),
    }
}

/// The first problem of a suite that was not scored; all of them are on standard error, with the lines they are in.
fn told(suite: &CheckedSuite) -> String {
    let more = suite.problems_total.saturating_sub(1);
    let more = if more > 0 { format!(" (and {} more)", text::group(more)) } else { String::new() };
    format!("{}{more}", suite.problems.first().map_or("it was not scored", String::as_str))
}

/// Why a suite passes or not, in a few words: its first gate that is stuck.
pub(in crate::formats) fn reason(suite: &CheckedSuite) -> String {
    let Some(report) = &suite.report else {
        return text::count(suite.problems_total.max(suite.problems.len() as u64), "problem");
    };
    let waived: Vec<String> = report
        .gates
        .iter()
        .filter(|gate| gate.waived.is_some())
        .map(|gate| {
            let by = |w: &Waiver| format!("waived by {} until {}: {}", w.owner, w.expires, w.reason);
            format!("{} FAIL ({})", gate.text, gate.waived.as_ref().map(by).unwrap_or_default())
        })
        .collect();
    let mut stuck = report.gates.iter().filter(|gate| gate.blocks());
    let first = stuck.next().filter(|_| !suite.pass);
    match first {
        Some(gate) => {
            let more = stuck.count();
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            format!("{} at {}{more}", gate.text, found(report, gate))
        }
        None if !waived.is_empty() => waived.join(", "),
        None => why(report),
    }
}
