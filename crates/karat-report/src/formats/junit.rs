//! A JUnit file for CI servers: a test case a gate and a case.
//!
//! `failure`: wrong; `error`: could not be scored; `skipped`: left out, not judged, or waived. Names stay the same from
//! run to run, so that a server can tell what is newly broken. No clock, so no times; no words of questions or answers.

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::Format;
use crate::report::{Case, Checked, Fault, Faults, Gate, Outcome, Report};
use crate::text;

/// The declaration.
pub const FORMAT: Format = Format {
    name: "junit",
    ending: ".junit.xml",
    summary: "JUnit XML for CI servers: one test case per gate and per case",
    render: |report, _| xml(&format!("karat {}", report.suite), [suite(&report.suite, report)]),
    check: |checked, _| check(checked),
    cases: |_| true,
    paths: false,
};

/// What readers of JUnit files show at most, in characters.
const NAME: usize = 512;
const MESSAGE: usize = 1024;
const DETAIL: usize = 8192;

fn xml(name: &str, suites: impl IntoIterator<Item = TestSuite>) -> String {
    let mut junit = Junit::new(clean(name, NAME));
    junit.add_test_suites(suites);
    junit.to_string().unwrap_or_default()
}

fn suite(name: &str, report: &Report) -> TestSuite {
    let mut suite = TestSuite::new(clean(name, NAME));
    let faults = Faults::of(report);
    // What the figures suggest is told once, with the first gate that fails.
    let first = report.gates.iter().position(|gate| gate.outcome == Outcome::Fail && gate.waived.is_none());
    let told = |at: usize| if Some(at) == first { report.diagnosis.join("\n") } else { String::new() };
    let gates = report.gates.iter().enumerate();
    suite.add_test_cases(gates.map(|(at, gate)| of_gate(name, report, gate, &told(at))));
    let amber = report.amber.iter().map(|amber| case(name, "amber", &amber.code, skipped(&amber.text)));
    suite.add_test_cases(amber);
    suite.add_test_cases(report.cases.iter().map(|case| of_case(name, report, case, faults.look(case))));
    suite
}

fn of_gate(suite: &str, report: &Report, gate: &Gate, detail: &str) -> TestCase {
    let says = gate.says(report);
    let status = match gate.outcome {
        _ if gate.waived.is_some() => skipped(&says),
        Outcome::Pass => TestCaseStatus::success(),
        Outcome::Fail => broken(NonSuccessKind::Failure, "gate", &says, detail),
        Outcome::Inconclusive => broken(NonSuccessKind::Failure, "inconclusive", &says, ""),
        Outcome::NotJudged => skipped(&says),
    };
    case(suite, "gates", &gate.title(), status)
}

fn of_case(suite: &str, report: &Report, of: &Case, fault: Option<Fault>) -> TestCase {
    let status = match fault {
        _ if of.is_skipped() => skipped("it has no trace and was left out of every figure"),
        None => TestCaseStatus::success(),
        Some(fault) => {
            let kind = if fault.unscored { NonSuccessKind::Error } else { NonSuccessKind::Failure };
            let step = &fault.next_step;
            let step = if step.is_empty() { String::new() } else { format!("next: {step}\n") };
            let line = of.facts.get("trace_line").and_then(serde_json::Value::as_u64);
            let trace = match (of.text("trace"), line) {
                (Some(trace), Some(line)) => format!("trace: {trace}:{line}\n"),
                _ => String::new(),
            };
            let gold = format!("gold: {}:{}\n", report.gold(), of.line);
            broken(kind, &of.label, &fault.says, &format!("{step}{gold}{trace}"))
        }
    };
    let mut case = case(suite, "cases", &of.id, status);
    if of.line > 0 {
        case.extra.insert("file".into(), clean(report.gold(), NAME).into());
        case.extra.insert("line".into(), of.line.to_string().into());
    }
    case
}

fn case(suite: &str, group: &str, name: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(clean(name, NAME), status);
    // A dot parts packages for servers that show a tree.
    case.set_classname(format!("{}.{group}", clean(suite, NAME)));
    case
}

fn broken(kind: NonSuccessKind, name: &str, message: &str, detail: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(clean(name, NAME)).set_message(clean(message, MESSAGE));
    if !detail.is_empty() {
        let lines: Vec<String> = detail.lines().map(|line| clean(line, MESSAGE)).collect();
        status.set_description(text::shorten(&lines.join("\n"), DETAIL));
    }
    status
}

fn skipped(message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_message(clean(message, MESSAGE));
    status
}

/// One line of text without what XML 1.0 forbids: one control byte and the whole file would be refused.
fn clean(plain: &str, most: usize) -> String {
    let plain = text::visible(plain).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    text::shorten(&plain, most).into_owned()
}

/// A test suite a suite, and one for the gold lock.
fn check(checked: &Checked) -> String {
    let lock = checked.lock.as_ref().map(|lock| {
        let status = if lock.pass {
            TestCaseStatus::success()
        } else {
            broken(NonSuccessKind::Failure, "lock", &lock.says, &lock.differences(10).join("\n"))
        };
        let mut suite = TestSuite::new("gold");
        suite.add_test_case(case("gold", "lock", &lock.path, status));
        suite
    });
    let suites = checked.suites.iter().map(|part| match &part.report {
        Some(report) => suite(&part.name, report),
        None => {
            let told = part.problems.join("\n");
            let first = told.lines().next().unwrap_or("nothing could be scored");
            let mut suite = TestSuite::new(clean(&part.name, NAME));
            let status = broken(NonSuccessKind::Error, "input", first, &told);
            suite.add_test_case(case(&part.name, "input", "input", status));
            suite
        }
    });
    xml("karat check", lock.into_iter().chain(suites))
}
