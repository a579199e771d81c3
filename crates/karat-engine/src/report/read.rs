//! How does a file become a report again?

use std::io::Read;

use serde::Deserialize;

use super::checked::SCHEMA as CHECK;
use super::{Checked, Report, SCHEMA};
use crate::input::Source;
use crate::problem::{self, Failure, Problem};
use crate::suite::Suite;
use crate::text;

/// A report is read whole; a larger file is something else.
const MOST: u64 = 1 << 30;

/// What is looked at first, so that a report of another version is refused by name.
#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
    #[serde(default)]
    karat: String,
}

/// What a json report may be of.
pub enum Written {
    /// One suite.
    Suite(Box<Report>),
    /// Every suite of a project.
    Check(Box<Checked>),
}

impl Written {
    /// Whether a file is to be read as a report: it is one, or is nothing that could be a log of traces.
    #[must_use]
    pub fn is_one(source: &Source) -> bool {
        // What cannot be read again, or is no JSON at all, is refused as a report: that says more.
        match head(source) {
            Some(row) => row.contains_key("schema"),
            None => true,
        }
    }

    /// Whether a file is a report of karat, as far as its beginning says.
    #[must_use]
    pub fn is_report(source: &Source) -> bool {
        let start = source.line_at(0, 1 << 16).unwrap_or_default();
        let start = String::from_utf8_lossy(&start);
        head(source).is_some_and(|row| row.contains_key("schema")) || start.trim_end() == "{"
    }

    /// Reads what `--format json` wrote: of a suite, or of `karat check`.
    pub fn read(source: &Source, suites: &[&'static Suite]) -> Result<Written, Failure> {
        let text = read_text(source)?;
        let text = text.trim_start_matches('\u{feff}');
        let head: Head = serde_json::from_str(text).map_err(|e| at(source.name(), text, &e))?;
        if head.schema.as_deref() == Some(CHECK) {
            return match serde_json::from_str::<Checked>(text) {
                Ok(checked) => Ok(Written::Check(Box::new(checked.of(suites)))),
                Err(e) => Err(at(source.name(), text, &e)),
            };
        }
        Ok(Written::Suite(Box::new(Report::parse(source.name(), text, suites)?)))
    }
}

/// The first line, where it is an object by itself.
fn head(source: &Source) -> Option<serde_json::Map<String, serde_json::Value>> {
    serde_json::from_slice(&source.line_at(0, 1 << 16).ok()?).ok()
}

/// All of a file that may be a report.
fn read_text(source: &Source) -> Result<String, Failure> {
    let bad = |e: std::io::Error| Problem::of_file(&problem::UNREADABLE, source.name(), e.to_string());
    let invalid = |message: &str| Problem::of_file(&problem::REPORT_INVALID, source.name(), message);
    let mut bytes = Vec::new();
    source.open()?.reader.take(MOST + 1).read_to_end(&mut bytes).map_err(bad)?;
    if bytes.len() as u64 > MOST {
        return Err(invalid("more than 1 GiB, which no report has").into());
    }
    String::from_utf8(bytes).map_err(|_| invalid("not UTF-8").into())
}

impl Checked {
    /// The same, with what is known of these suites.
    #[must_use]
    pub fn of(mut self, suites: &[&'static Suite]) -> Self {
        for suite in &mut self.suites {
            suite.report = suite.report.take().map(|report| report.of(suites));
        }
        self
    }
}

impl Report {
    /// The same, with what is known of these suites.
    #[must_use]
    pub fn of(mut self, suites: &[&'static Suite]) -> Self {
        let suite = suites.iter().find(|suite| suite.name == self.suite);
        self.profile = suite.map(|suite| (suite.profile)()).unwrap_or_default().into();
        self
    }

    /// Reads a report that `--format json` wrote.
    pub fn read(source: &Source, suites: &[&'static Suite]) -> Result<Report, Failure> {
        Report::parse(source.name(), &read_text(source)?, suites)
    }

    /// Parses the text of a report; `name` is the file that messages speak of.
    pub fn parse(name: &str, text: &str, suites: &[&'static Suite]) -> Result<Report, Failure> {
        let text = text.trim_start_matches('\u{feff}');
        let head: Head = serde_json::from_str(text).map_err(|e| at(name, text, &e))?;
        let refused = |message: String| {
            let mut problem = Problem::of_file(&problem::REPORT_INVALID, name, message);
            problem.expected = format!("a report of the form \"{SCHEMA}\"");
            Failure::from(problem)
        };
        match head.schema.as_deref() {
            Some(SCHEMA) => {
                serde_json::from_str::<Report>(text).map(|r| r.of(suites)).map_err(|e| at(name, text, &e))
            }
            Some(other) => {
                let (other, karat) = (text::visible(other), text::visible(&head.karat));
                Err(refused(format!("it has the form \"{other}\", written by karat {karat}")))
            }
            None => Err(refused("it has no `schema`, so it is no report of karat".into())),
        }
    }
}

fn at(name: &str, text: &str, e: &serde_json::Error) -> Failure {
    let expected = "a report that `--format json` wrote";
    not_json(&problem::REPORT_INVALID, (name, text), e, "", expected).into()
}

/// What is wrong with a JSON text, where it is wrong.
pub fn not_json(
    kind: &'static problem::Kind,
    (name, json): (&str, &str),
    e: &serde_json::Error,
    lead: &str,
    expected: &str,
) -> Problem {
    let number = e.line().max(1);
    let line = json.lines().nth(number - 1).unwrap_or_default();
    let column = e.column().saturating_sub(1).min(line.len());
    let message = e.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    let message = format!("{lead}{}", text::visible(message));
    Problem::at(kind, &name.into(), number as u64, line, column..column + 1, message, expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_report_is_refused_with_its_place() {
        let told = |text: &str| Report::parse("a.json", text, &[]).map(|_| ()).unwrap_err().to_string();
        assert_eq!(told("{\n  \"schema\": x"), "a.json:2:13: error[report/invalid]: expected value");
        assert!(told("{}").ends_with("it has no `schema`, so it is no report of karat"));
        assert!(told(r#"{"schema":"karat.report/9","karat":"7.0.0"}"#).ends_with("written by karat 7.0.0"));
        assert!(told(r#"{"schema":"karat.report/1"}"#).contains("missing field"));
        assert!(told(&"[".repeat(100_000)).contains("error[report/invalid]"));
    }
}
