//! SARIF 2.1.0 for code scanning: each case that went wrong on its line of the gold file, behind the gates that fail.
//!
//! Rule ids and fingerprints are the same on every run and wherever a row stands, so that a scanner keeps one finding
//! for one fault. A waived gate is a suppressed result. Readers show about 5,000 results, so the worst come first.

use indexmap::IndexMap;
use serde_json::{Value, json};

use super::{Format, percent_encoded, pretty};
use crate::report::{Checked, Fault, Faults, Gate, Outcome, Report, fingerprint};
use crate::text::{self, visible};

/// The declaration.
pub const FORMAT: Format = Format {
    name: "sarif",
    ending: ".sarif",
    summary: "SARIF 2.1.0 for code scanning: each failed case on its line of the gold file",
    render: |report, _| {
        let mut log = Log::default();
        log.part(&report.suite, report);
        log.text(&report.karat)
    },
    check: |checked, _| check(checked),
    cases: |_| true,
    paths: false,
};

/// How many results readers take and show.
const MOST: usize = 5000;
/// How long an id may be in a message, and a message as a whole.
const ID: usize = 200;
const MESSAGE: usize = 1000;

#[derive(Default)]
struct Log {
    rules: IndexMap<String, Value>,
    /// What is wrong as a whole: the lock, inputs, gates.
    first: Vec<Value>,
    /// The cases, worst first in each suite.
    cases: Vec<Value>,
}

/// A place in a file.
type Place<'p> = (&'p str, u64);

impl Log {
    fn part(&mut self, name: &str, report: &Report) {
        let (kind, faults) = (report.suite.as_str(), Faults::of(report));
        self.rule(
            &format!("{kind}/gate"),
            "A gate does not pass.",
            "karat explain METRIC says what the figure counts.",
        );
        for (rule, meaning) in faults.rules() {
            self.rule(
                &format!("{kind}/{rule}"),
                &crate::text::visible(meaning),
                "karat explain CASE, with the suite's inputs, shows a case's path.",
            );
        }
        for gate in report.gates.iter().filter(|gate| gate.pass != Some(true)) {
            self.gate(name, report, gate);
        }
        for amber in &report.amber {
            let rule = format!("{kind}/amber");
            self.rule(&rule, "A doubt about the verdict.", "It changes no verdict; --deny-amber lets it.");
            let says = format!("{name}: {}", amber.text);
            let result =
                self.result(&rule, "warning", &says, (report.gold(), 1), &[name, "amber", &amber.code]);
            self.first.push(result);
        }
        for fault in faults.worst_first() {
            self.case(name, report, &fault);
        }
    }

    fn gate(&mut self, name: &str, report: &Report, gate: &Gate) {
        let title = gate.title();
        let mut result = self.result(
            &format!("{}/gate", report.suite),
            match gate.outcome {
                Outcome::Fail => "error",
                Outcome::NotJudged => "note",
                _ => "warning",
            },
            &format!("{name}: {title} is {}", gate.says(report)),
            (report.gold(), 1),
            &[name, "gate", &title],
        );
        if let Some(waiver) = &gate.waived {
            let why = format!("{} ({}, until {})", waiver.reason, waiver.owner, waiver.expires);
            result["suppressions"] = json!([
                { "kind": "external", "status": "accepted", "justification": short(&why, MESSAGE) }
            ]);
        }
        self.first.push(result);
    }

    fn case(&mut self, name: &str, report: &Report, fault: &Fault) {
        let case = fault.case;
        // What the gates tolerate is worth a look; what stands in the way is an error.
        let level = if report.pass { "warning" } else { "error" };
        let step =
            if fault.next_step.is_empty() { String::new() } else { format!(" Next: {}.", fault.next_step) };
        let says = format!("{}: {}: {}{step}", short(&case.id, ID), case.label, fault.says);
        let place = (report.gold(), case.line.max(1));
        let rule = format!("{}/{}", report.suite, fault.rule);
        let result = self.result(&rule, level, &says, place, &[name, &case.id, &case.label]);
        self.cases.push(result);
    }

    fn rule(&mut self, id: &str, meaning: &str, help: &str) {
        self.rules.entry(id.to_owned()).or_insert_with(|| {
            json!({
                "id": id,
                "shortDescription": { "text": meaning },
                "fullDescription": { "text": meaning },
                "help": { "text": help },
                "defaultConfiguration": { "level": "error" },
                "properties": { "tags": ["rag"] }
            })
        });
    }

    fn result(&self, rule: &str, level: &str, says: &str, (path, line): Place, name: &[&str]) -> Value {
        let print = fingerprint(name);
        json!({
            "ruleId": rule,
            "ruleIndex": self.rules.get_index_of(rule),
            "level": level,
            "message": { "text": unlinked(&short(says, MESSAGE)) },
            "locations": [{ "physicalLocation": {
                "artifactLocation": { "uri": uri(path) },
                "region": { "startLine": line }
            } }],
            // The second is the one that GitHub looks at; without it, it would hash the lines round the place.
            "partialFingerprints": { "karat/v1": print, "primaryLocationLineHash": format!("{print}:1") }
        })
    }

    fn text(self, version: &str) -> String {
        let (all, first) = (self.first.len() + self.cases.len(), self.first.len().min(MOST));
        let mut results = self.first;
        results.truncate(MOST);
        results.extend(self.cases.into_iter().take(MOST - first));
        let mut run = json!({
            "tool": { "driver": {
                "name": "karat",
                "semanticVersion": version,
                "rules": self.rules.into_values().collect::<Vec<_>>()
            } },
            "columnKind": "unicodeCodePoints"
        });
        if results.len() < all {
            let says =
                format!("{} more results were left out; the json report has every case", all - results.len());
            run["invocations"] = json!([{
                "executionSuccessful": true,
                "toolExecutionNotifications": [{ "level": "note", "message": { "text": says } }]
            }]);
        }
        run["results"] = results.into();
        let log = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [run]
        });
        pretty(&log)
    }
}

/// Several suites in one run: the lock, inputs that are wrong, gates, then cases.
fn check(checked: &Checked) -> String {
    let mut log = Log::default();
    if let Some(lock) = checked.lock.as_ref().filter(|lock| !lock.pass) {
        log.rule(
            "gold/lock",
            "The gold set is not the one that was locked.",
            "karat gold verify names the rows.",
        );
        let result =
            log.result("gold/lock", "error", &lock.sentence(), (&lock.path, 1), &["gold/lock", &lock.path]);
        log.first.push(result);
    }
    for suite in checked.suites.iter().filter(|suite| suite.report.is_none()) {
        let rule = format!("{}/input", suite.kind);
        log.rule(
            &rule,
            "An input is wrong, and nothing was scored.",
            "karat explain SLUG says what the problem means.",
        );
        for problem in &suite.problems {
            // What is wrong stands in the message with its place; the configuration is what names the file.
            let says = format!("{}: {problem}", suite.name);
            let result = log.result(&rule, "error", &says, (CONFIG, 1), &[&suite.name, "input", problem]);
            log.first.push(result);
        }
    }
    checked.reports().for_each(|(name, report)| log.part(name, report));
    log.text(&checked.karat)
}

/// Where suites are configured.
const CONFIG: &str = "karat.toml";

fn short(plain: &str, most: usize) -> String {
    text::shorten(&visible(plain), most).into_owned()
}

/// A path as a URI: relative as it was named, so that a scanner finds the file in the repository.
fn uri(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path).replace('\\', "/");
    let path = percent_encoded(&path, b"/-._~");
    if path.starts_with('/') { format!("file://{path}") } else { path }
}

/// A message without links: readers of SARIF make one of `[text](target)`, and both may come from an input.
fn unlinked(text: &str) -> String {
    text.replace("](", "] (")
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("./eval/gold set.jsonl"), "eval/gold%20set.jsonl");
        assert_eq!(uri("eval\\gold.jsonl"), "eval/gold.jsonl");
        assert_eq!(uri("/data/göld.jsonl"), "file:///data/g%C3%B6ld.jsonl");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
    }
}
