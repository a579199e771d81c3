//! How does a file become a report again?

use std::io::Read;

use serde::Deserialize;

use super::{Report, SCHEMA};
use crate::input::Source;
use crate::problem::{self, Failure, Problem};
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

impl Report {
    /// Reads a report that `--format json` wrote.
    pub fn read(source: &Source) -> Result<Report, Failure> {
        let bad = |e: std::io::Error| Problem::of_file(&problem::UNREADABLE, source.name(), e.to_string());
        let mut bytes = Vec::new();
        source.open()?.reader.take(MOST + 1).read_to_end(&mut bytes).map_err(bad)?;
        if bytes.len() as u64 > MOST {
            let message = "more than 1 GiB, which no report has";
            return Err(Problem::of_file(&problem::REPORT_INVALID, source.name(), message).into());
        }
        match String::from_utf8(bytes) {
            Ok(text) => Report::parse(source.name(), &text),
            Err(_) => Err(Problem::of_file(&problem::REPORT_INVALID, source.name(), "not UTF-8").into()),
        }
    }

    /// The same from its text; `name` is the file that messages speak of.
    pub fn parse(name: &str, text: &str) -> Result<Report, Failure> {
        let text = text.trim_start_matches('\u{feff}');
        let head: Head = serde_json::from_str(text).map_err(|e| at(name, text, &e))?;
        let refused = |message: String| {
            let mut problem = Problem::of_file(&problem::REPORT_INVALID, name, message);
            problem.expected = format!("a report of the form \"{SCHEMA}\"");
            Failure::from(problem)
        };
        match head.schema.as_deref() {
            Some(SCHEMA) => serde_json::from_str(text).map_err(|e| at(name, text, &e)),
            Some(other) => {
                let (other, karat) = (text::visible(other), text::visible(&head.karat));
                Err(refused(format!("it has the form \"{other}\", written by karat {karat}")))
            }
            None => Err(refused("it has no `schema`, so it is no report of karat".into())),
        }
    }
}

fn at(name: &str, text: &str, e: &serde_json::Error) -> Failure {
    let (number, column) = (e.line(), e.column().saturating_sub(1));
    let line = text.lines().nth(number.saturating_sub(1)).unwrap_or_default();
    let message = e.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
    let expected = "a report that `--format json` wrote";
    let kind = &problem::REPORT_INVALID;
    Problem::at(kind, &name.into(), number as u64, line, column..column + 1, message.to_owned(), expected)
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_report_is_refused_with_its_place() {
        let told = |text: &str| Report::parse("a.json", text).map(|_| ()).unwrap_err().to_string();
        assert_eq!(told("{\n  \"schema\": x"), "a.json:2:13: error[report/invalid]: expected value");
        assert!(told("{}").ends_with("it has no `schema`, so it is no report of karat"));
        assert!(told(r#"{"schema":"karat.report/9","karat":"7.0.0"}"#).ends_with("written by karat 7.0.0"));
        assert!(told(r#"{"schema":"karat.report/1"}"#).contains("missing field"));
        assert!(told(&"[".repeat(100_000)).contains("error[report/invalid]"));
    }
}
