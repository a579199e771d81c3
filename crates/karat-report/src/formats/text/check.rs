//! Several suites on one screen: the verdict, a row for each suite, then what stands in the way, suite by suite.

use super::{DIM, Page, padded, paint_of, why};
use crate::formats::figure;
use crate::report::{Checked, CheckedSuite, Figure, Gate, LockFinding, Outcome, Report};
use crate::text::{self, shorten, visible};

/// How many of the worst cases of a suite are told here; its own report tells more.
const WORST: usize = 3;

impl Page {
    pub(super) fn check(&mut self, checked: &Checked) {
        self.checked(checked);
        self.suites(checked);
        if let Some(lock) = checked.lock.as_ref().filter(|lock| !lock.pass) {
            self.lock(lock);
        }
        checked.suites.iter().filter(|suite| !suite.pass).for_each(|suite| self.suite(suite));
        self.list("Waivers that let nothing pass", &checked.idle_waivers);
    }

    pub(super) fn checked(&mut self, checked: &Checked) {
        self.headline(checked.verdict, &format!("check: {}", says(checked)));
        for (name, report) in checked.reports() {
            report.amber.iter().for_each(|amber| self.amber(&format!("{name}: {}", amber.text)));
        }
    }

    fn suites(&mut self, checked: &Checked) {
        let column = |of: fn(&CheckedSuite) -> &str, least: usize| {
            checked.suites.iter().map(|s| of(s).chars().count()).max().unwrap_or(0).clamp(least, 24)
        };
        let (name, kind) = (column(|s| &s.name, 5), column(|s| &s.kind, 4));
        let head = format!("  {:<name$}  {:<kind$}  {:<12}  {}", "suite", "kind", "verdict", "why");
        self.line(&format!("\n{}", self.paint(DIM, &head)));
        if let Some(lock) = &checked.lock {
            let word = if lock.pass { "SHIP" } else { "NO-SHIP" };
            let mark = self.mark(Outcome::of(Some(lock.pass)));
            let lead = format!("{mark} {:<name$}  {:<kind$}  {word:<12}  ", "gold", "lock");
            self.wrap_under(&lead, name + kind + 20, &lock.verdict());
        }
        for suite in &checked.suites {
            let (outcome, word) = suite.verdict();
            let (mark, word) = (self.mark(outcome), self.paint(paint_of(outcome), &format!("{word:<12}")));
            let called = padded(&shorten(&visible(&suite.name), name), name);
            let lead = format!("{mark} {called}  {:<kind$}  {word}  ", suite.kind);
            self.wrap_under(&lead, name + kind + 20, &reason(suite));
        }
    }

    fn lock(&mut self, lock: &LockFinding) {
        self.title(&format!("Gold is not what {} locks", visible(&lock.path)));
        lock.differences(10).iter().for_each(|line| self.wrap("  ", line));
        self.wrap("  do        ", "review the change, then `karat gold freeze` and commit the lock");
    }

    fn suite(&mut self, suite: &CheckedSuite) {
        self.title(&format!("{}: what stands in the way", visible(&suite.name)));
        let Some(report) = &suite.report else {
            return self.wrap("  ", &first_problem(suite));
        };
        for gate in report.gates.iter().filter(|gate| gate.blocks()) {
            let slice = gate.slice.as_ref().map(|slice| format!(" [{slice}]")).unwrap_or_default();
            let word = gate.outcome.word();
            let says = format!("{}{slice} at {}: {word}", gate.text, found(report, gate));
            self.wrap_under(&format!("{} ", self.mark(gate.outcome)), 2, &says);
            self.reason("    ", Some(gate));
        }
        self.offenders(report, WORST);
        self.list("What it suggests", &report.diagnosis);
    }
}

/// What a gate found: a count as a whole number.
fn found(report: &Report, gate: &Gate) -> String {
    let counted = report.metrics.get(&gate.metric).is_some_and(Figure::is_count);
    match gate.value {
        Some(value) if counted || report.counts.contains_key(&gate.metric) => format!("{value}"),
        value => figure(value),
    }
}

/// What all suites came to, in a few words.
pub(in crate::formats) fn says(checked: &Checked) -> String {
    let stuck = checked.suites.iter().filter(|suite| !suite.pass).count();
    let all = text::count(checked.suites.len() as u64, "suite");
    let gates = checked.reports().flat_map(|(_, report)| &report.gates);
    let waived = match gates.filter(|gate| gate.waived.is_some()).count() as u64 {
        0 => String::new(),
        n => format!("; {} waived", text::count(n, "gate")),
    };
    let lock = checked.lock.as_ref().filter(|lock| !lock.pass);
    let lock = lock.map(|lock| format!("; {}", lock.says)).unwrap_or_default();
    let says = match (stuck, checked.suites.len()) {
        (_, 0) => "no suite is configured".to_owned(),
        (0, 1) => "the suite passes".to_owned(),
        (0, _) => format!("all {all} pass"),
        (n, _) => format!("{n} of {all} {} not pass", if n == 1 { "does" } else { "do" }),
    };
    format!("{says}{waived}{lock}")
}

/// The first problem of a suite that was not scored; all of them are on standard error, with the lines they are in.
fn first_problem(suite: &CheckedSuite) -> String {
    let more = suite.problems_total.saturating_sub(1);
    let more = if more > 0 { format!(" (and {} more)", text::group(more)) } else { String::new() };
    format!("{}{more}", suite.problems.first().map_or("it was not scored", String::as_str))
}

/// Why a suite passes or not, in a few words: its first gate that is stuck.
pub(in crate::formats) fn reason(suite: &CheckedSuite) -> String {
    let Some(report) = &suite.report else {
        return text::count(suite.problems_total.max(suite.problems.len() as u64), "problem");
    };
    let mut stuck = report.gates.iter().filter(|gate| gate.blocks());
    if let Some(gate) = stuck.next().filter(|_| !suite.pass) {
        let more = stuck.count();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        return format!("{} at {}{more}", gate.text, found(report, gate));
    }
    let waived = report.gates.iter().filter_map(|gate| Some((gate, gate.waived.as_ref()?)));
    let waived: Vec<String> =
        waived.map(|(gate, waiver)| format!("{} FAIL ({})", gate.text, waiver.says())).collect();
    if waived.is_empty() { why(report) } else { waived.join(", ") }
}
