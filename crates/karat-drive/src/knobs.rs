//! Which settings of the pipeline are tried? A file of JSON objects: one, a list of them, or one a line.

use std::io::Read;
use std::ops::Range;

use karat_input::KNOBS_LIMIT;
use karat_input::Source;
use karat_input::json::{Kind, Reader, Syntax, canonical};
use karat_input::problem::{self, Failure, Problem};
use karat_input::rows::Wrong;

use crate::json;

/// More than this is no list of settings.
const LIMIT: u64 = 16 << 20;

/// One setting of the pipeline's knobs, in the canonical form that suites compare settings by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Knobs(Box<str>);

impl Knobs {
    /// The JSON object.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Reads every setting of a file.
pub fn read(source: &Source) -> Result<Vec<Knobs>, Failure> {
    let bad =
        |message: String| Failure::from(Problem::of_file(&problem::KNOBS_INVALID, source.name(), message));
    let mut bytes = Vec::new();
    let unreadable = |e: std::io::Error| Problem::of_file(&problem::UNREADABLE, source.name(), e.to_string());
    source.open()?.reader.take(LIMIT + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LIMIT {
        return Err(bad("this file is longer than 16 MiB".into()));
    }
    let text = String::from_utf8(bytes).map_err(|_| bad("this file is not UTF-8".into()))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut found = Found { text, source, knobs: Vec::new(), problems: Vec::new() };
    let mut reader = Reader::new(text);
    if let Err(error) = values(&mut reader, &mut found) {
        let wrong = Wrong::syntax(error, text);
        found.report(&problem::BAD_JSON, wrong.span, wrong.message, &wrong.expected);
    }
    if found.knobs.is_empty() && found.problems.is_empty() {
        return Err(bad("this file holds no setting".into()));
    }
    if found.problems.is_empty() { Ok(found.knobs) } else { Err(Failure::new(found.problems)) }
}

fn values<'a>(reader: &mut Reader<'a>, found: &mut Found<'a>) -> Result<(), Syntax> {
    while reader.offset() < found.text.len() {
        if reader.peek()? == Kind::Array {
            reader.array(|reader| found.value(reader))?;
        } else {
            found.value(reader)?;
        }
    }
    Ok(())
}

struct Found<'a> {
    text: &'a str,
    source: &'a Source,
    knobs: Vec<Knobs>,
    problems: Vec<Problem>,
}

impl<'a> Found<'a> {
    fn value(&mut self, reader: &mut Reader<'a>) -> Result<(), Syntax> {
        let (start, kind) = (reader.offset(), reader.peek()?);
        if kind != Kind::Object {
            let span = start..start + json::raw(reader)?.len();
            let message = format!("this setting is {}, not an object", kind.with_article());
            self.report(&problem::KNOBS_INVALID, span, message, "expected an object such as {\"k\": 5}");
            return Ok(());
        }
        let mut keys: Vec<String> = Vec::new();
        reader.object(|reader, key| {
            let key = key.to_owned();
            let (at, raw) = (reader.offset(), json::raw(reader)?);
            if keys.contains(&key) {
                let message = format!("`{}` stands in this setting twice", karat_input::text::visible(&key));
                self.report(&problem::REPEATED_FIELD, at..at + raw.len(), message, "expected it once");
            }
            keys.push(key);
            Ok::<(), Syntax>(())
        })?;
        let knobs = Knobs(canonical(reader.since(start))?.into());
        if knobs.text().len() > KNOBS_LIMIT {
            let span = start..start + reader.since(start).len();
            let message =
                format!("this setting has {}", karat_input::text::count(knobs.text().len() as u64, "byte"));
            let expected = format!(
                "expected {} at most, as no suite reads longer ones",
                karat_input::text::group(KNOBS_LIMIT as u64)
            );
            self.report(&problem::KNOBS_INVALID, span, message, &expected);
        }
        if let Some(first) = self.knobs.iter().position(|other| *other == knobs) {
            let span = start..start + reader.since(start).len();
            let message = format!("this setting is the same as number {}", first + 1);
            self.report(&problem::KNOBS_INVALID, span, message, "expected each setting once");
        }
        self.knobs.push(knobs);
        Ok(())
    }

    fn report(&mut self, kind: &'static problem::Kind, span: Range<usize>, message: String, expected: &str) {
        let at = span.start.min(self.text.len());
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = self.text[start..].lines().next().unwrap_or_default();
        let number = self.text[..start].matches('\n').count() as u64 + 1;
        let span = at - start..(span.end - start).min(line.len()).max(at - start);
        self.problems.push(Problem::at(kind, self.source.name(), number, line, span, message, expected));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Vec<String>, Vec<String>> {
        let read = read(&Source::bytes("knobs.json", text.as_bytes().to_vec()));
        read.map(|knobs| knobs.iter().map(|knobs| knobs.text().to_owned()).collect())
            .map_err(|failure| failure.problems.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn one_several_or_one_a_line() {
        assert_eq!(check("{\n \"k\": 5,\n \"b\": [1, 2]\n}").unwrap(), ["{\"b\":[1,2],\"k\":5}"]);
        assert_eq!(check("[{\"k\":5}, {}]").unwrap(), ["{\"k\":5}", "{}"]);
        assert_eq!(check("\u{feff}{\"k\":5}\r\n\n{\"k\":1e400}\n").unwrap(), ["{\"k\":5}", "{\"k\":1e400}"]);
    }

    #[test]
    fn what_latency_takes_for_one_point_is_not_sent_twice() {
        for twice in [
            r#"[{"r":{"d":4,"k":1}},{"r":{"k":1,"d":4}}]"#,
            r#"[{"r":[{"b":1,"a":2}]},{"r":[{"a":2,"b":1}]}]"#,
            r#"[{"m":"\u00e8 \/x"},{"m":"è /x"}]"#,
        ] {
            let problems = check(twice).unwrap_err();
            assert!(problems.len() == 1 && problems[0].ends_with("the same as number 1"), "{problems:?}");
        }
        assert_eq!(check(r#"[{"t":0.2},{"t":0.20}]"#).unwrap().len(), 2, "a digit makes another setting");
    }

    #[test]
    fn what_is_no_object_is_named_with_its_place() {
        assert_eq!(
            check("[{\"k\":5},\n 7, {\"k\" : 5},\n{\"a\":1,\"a\":2}]").unwrap_err(),
            [
                "knobs.json:2:2: error[knobs/invalid]: this setting is a number, not an object",
                "knobs.json:2:5: error[knobs/invalid]: this setting is the same as number 1",
                "knobs.json:3:12: error[input/repeated-field]: `a` stands in this setting twice",
            ]
        );
        assert_eq!(
            check("{\"k\":}").unwrap_err(),
            ["knobs.json:1:6: error[input/bad-json]: this is not JSON: found `}`, expected a value"]
        );
        assert_eq!(
            check(" \n").unwrap_err(),
            ["knobs.json: error[knobs/invalid]: this file holds no setting"]
        );
        let long = format!("{{\"prompt\":\"{}\"}}", "x".repeat(4084));
        assert_eq!(
            check(&long).unwrap_err(),
            ["knobs.json:1:1: error[knobs/invalid]: this setting has 4,097 bytes"]
        );
        assert!(check(&long.replacen('x', "", 1)).is_ok());
        assert!(check("{\"k\":5").unwrap_err()[0].contains("the end of the line"));
    }
}
