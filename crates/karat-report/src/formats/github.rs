//! Annotations for GitHub: workflow commands on standard output, gates first, then cases on their lines of the gold file.
//!
//! GitHub shows ten of a kind a step and fifty a job, so gates are errors, cases are warnings, and of the cases the worst
//! one of each stage comes first. Every line is a command: no text from an input can begin one. The Markdown report is
//! what belongs into the step's summary; the command appends it there.

use super::Format;
use crate::problem::{Failure, Problem};
use crate::report::{Checked, Fault, Faults, Outcome, Report};
use crate::text::{self, visible};

/// The declaration. It has no ending: commands are read from a step's output.
pub const FORMAT: Format = Format {
    name: "github",
    ending: "",
    summary: "annotations for GitHub Actions, and the Markdown report in the step's summary",
    render: |report, _| {
        let verdict = format!("{}: {}", report.suite, report.verdict.name());
        page(&verdict, Vec::new(), &[(report.suite.as_str(), report)])
    },
    check: |checked, _| check(checked),
    cases: |_| true,
    paths: false,
};

/// How many annotations of a kind a step shows, and how many a job.
const KIND: usize = 10;
const JOB: usize = 50;
/// How many remarks of a suite are annotations.
const HINTS: usize = 3;
/// How long a title and a message may be.
const TITLE: usize = 120;
const MESSAGE: usize = 1000;

/// Gates first, all that are shown; then cases; then what was left out.
fn page(verdict: &str, mut errors: Vec<String>, parts: &[(&str, &Report)]) -> String {
    let mut warnings = Vec::new();
    for (name, report) in parts {
        for gate in report.gates.iter().filter(|gate| gate.pass == Some(false)) {
            let title = format!("{name}: {}", gate.title());
            let line =
                command(if gate.blocks() { "error" } else { "warning" }, None, &title, &gate.says(report));
            if gate.blocks() { errors.push(line) } else { warnings.push(line) }
        }
    }
    for (name, report) in parts {
        for gate in report.gates.iter().filter(|gate| gate.outcome == Outcome::NotJudged) {
            let title = format!("{name}: {}", gate.title());
            warnings.push(command("warning", None, &title, &gate.says(report)));
        }
        for amber in &report.amber {
            warnings.push(command("warning", None, &format!("{name}: amber"), &amber.text));
        }
        for remark in report.hints.iter().take(HINTS) {
            warnings.push(command("warning", None, &format!("{name}: remark"), remark));
        }
        for fault in stages_first(Faults::of(report).worst_first()) {
            let (case, step) = (fault.case, fault.next_step.as_str());
            let step = if step.is_empty() { String::new() } else { format!(" Next: {step}.") };
            let place = (case.line > 0).then_some((report.gold(), case.line));
            let title = format!("{name}: {} {}", case.label, case.id);
            warnings.push(command("warning", place, &title, &format!("{}{step}", fault.says)));
        }
    }
    let (gates, cases) = (errors.len(), warnings.len());
    errors.truncate(KIND);
    warnings.truncate(JOB - errors.len() - 1);
    let left = gates + cases - errors.len() - warnings.len();
    let more = if left > 0 { format!("; {left} more findings are in the report") } else { String::new() };
    let counts =
        format!("{}, {}{more}", text::count(gates as u64, "error"), text::count(cases as u64, "warning"));
    let last = command("notice", None, &format!("karat {verdict}"), &counts);
    [errors, warnings, vec![last]].concat().concat()
}

/// The worst case of each stage, then the others; both worst first.
fn stages_first(faults: Vec<Fault>) -> Vec<Fault> {
    let mut seen: Vec<String> = Vec::new();
    let (mut first, mut rest) = (Vec::new(), Vec::new());
    for fault in faults {
        if seen.contains(&fault.case.first_failed_stage) {
            rest.push(fault);
        } else {
            seen.push(fault.case.first_failed_stage.clone());
            first.push(fault);
        }
    }
    first.extend(rest);
    first
}

fn check(checked: &Checked) -> String {
    let lock = checked
        .lock
        .as_ref()
        .filter(|lock| !lock.pass)
        .map(|lock| command("error", Some((&lock.path, 1)), "gold: lock", &lock.sentence()));
    let refused = checked.suites.iter().filter(|suite| suite.report.is_none());
    let inputs = refused.flat_map(|suite| {
        let title = format!("{}: nothing could be scored", suite.name);
        match suite.found.as_slice() {
            [] => vec![command("error", None, &title, &suite.problems.join("; "))],
            found => found.iter().map(|problem| wrong(&format!("{title}: "), problem)).collect(),
        }
    });
    let parts: Vec<(&str, &Report)> = checked.reports().collect();
    page(&format!("check: {}", checked.verdict.name()), lock.into_iter().chain(inputs).collect(), &parts)
}

/// What is wrong with an input, where nothing could be scored.
#[must_use]
pub fn problems(failure: &Failure) -> String {
    let shown = failure.problems.iter().take(KIND - 1);
    let mut out: String = shown.map(|problem| wrong("", problem)).collect();
    let says = format!("{}; nothing was scored", text::count(failure.total, "problem"));
    out.push_str(&command("error", None, "karat: bad input", &says));
    out
}

/// A problem, at its line.
fn wrong(lead: &str, problem: &Problem) -> String {
    let place = (problem.line > 0).then_some((&*problem.source, problem.line));
    let source = if problem.line > 0 { String::new() } else { format!("{}: ", problem.source) };
    let expected =
        if problem.expected.is_empty() { String::new() } else { format!("; {}", problem.expected) };
    let says = format!("{source}{}{expected}. {}.", problem.message, text::capital(problem.kind.help));
    command("error", place, &format!("{lead}{}", problem.kind.slug), &says)
}

/// One workflow command, a line.
fn command(kind: &str, place: Option<(&str, u64)>, title: &str, message: &str) -> String {
    let place = place.map(|(file, line)| format!("file={},line={line},", property(file, usize::MAX)));
    format!(
        "::{kind} {}title={}::{}\n",
        place.unwrap_or_default(),
        property(title, TITLE),
        data(message, MESSAGE)
    )
}

/// Text behind a command. What would end the line is a picture already; the escapes are GitHub's.
fn data(plain: &str, most: usize) -> String {
    let plain = visible(plain);
    text::shorten(&plain, most).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(plain: &str, most: usize) -> String {
    data(plain, most).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_ends_a_property_or_a_line() {
        let line = command("error", Some(("a,b:c", 3)), "x\n::stop::y,z", "100 %\r\n::error::boom");
        assert_eq!(
            line,
            "::error file=a%2Cb%3Ac,line=3,title=x␊%3A%3Astop%3A%3Ay%2Cz::100 %25␍␊::error::boom\n"
        );
    }
}
