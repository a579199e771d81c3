//! Which settings of the pipeline are tried? A file of JSON objects: one, a list of them, or one per line.

use std::io::Read;
use std::ops::Range;

use karat_input::json::{Kind, Reader, Syntax, canonical};
use karat_input::problem::{self, Failure, Problem};
use karat_input::rows::Wrong;
use karat_input::table::place;
use karat_input::text::{count, group, visible};
use karat_input::{KNOBS_LIMIT, Source};

/// A longer file is not a list of settings.
const LIMIT: u64 = 16 << 20;

/// Reads every setting of a file, each in the canonical form that suites compare settings by.
pub fn read(source: &Source) -> Result<Vec<Box<str>>, Failure> {
    let bad =
        |message: &str| Failure::from(Problem::of_file(&problem::KNOBS_INVALID, source.name(), message));
    let mut bytes = Vec::new();
    let unreadable = |e: std::io::Error| Problem::of_file(&problem::UNREADABLE, source.name(), e.to_string());
    source.open()?.reader.take(LIMIT + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LIMIT {
        return Err(bad("this file is longer than 16 MiB"));
    }
    let text = String::from_utf8(bytes).map_err(|_| bad("this file is not UTF-8"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let (mut found, mut reader) = (Parsed::default(), Reader::new(text));
    if let Err(error) = values(&mut reader, text.len(), &mut found) {
        found.wrong.push(Wrong::syntax(error, text));
    }
    match (found.knobs.is_empty(), found.wrong.is_empty()) {
        (true, true) => Err(bad("this file holds no setting")),
        (false, true) => Ok(found.knobs),
        _ => {
            let placed = found.wrong.into_iter().map(|wrong| place(source.name(), text, wrong, 0));
            Err(Failure::new(placed.collect()))
        }
    }
}

fn values(reader: &mut Reader<'_>, end: usize, found: &mut Parsed) -> Result<(), Syntax> {
    while reader.offset() < end {
        if reader.peek()? == Kind::Array {
            reader.array(|reader| found.value(reader))?;
        } else {
            found.value(reader)?;
        }
    }
    Ok(())
}

#[derive(Default)]
struct Parsed {
    knobs: Vec<Box<str>>,
    wrong: Vec<Wrong>,
}

impl Parsed {
    fn value(&mut self, reader: &mut Reader<'_>) -> Result<(), Syntax> {
        let (start, kind) = (reader.offset(), reader.peek()?);
        if kind != Kind::Object {
            reader.skip()?;
            let message = format!("this setting is {}, not an object", kind.with_article());
            self.invalid(start..reader.at(), message, "expected an object such as {\"k\": 5}");
            return Ok(());
        }
        let mut keys: Vec<String> = Vec::new();
        reader.object(|reader, key| {
            let (key, at) = (key.to_owned(), reader.offset());
            reader.skip()?;
            if keys.contains(&key) {
                let message = format!("`{}` stands in this setting twice", visible(&key));
                let (kind, span) = (&problem::REPEATED_FIELD, at..reader.at());
                self.wrong.push(Wrong::new(kind, span, "", message, "expected it once"));
            }
            keys.push(key);
            Ok::<(), Syntax>(())
        })?;
        let (knobs, span) = (canonical(reader.since(start))?.into_boxed_str(), start..reader.at());
        if knobs.len() > KNOBS_LIMIT {
            let message = format!("this setting has {}", count(knobs.len() as u64, "byte"));
            let most = group(KNOBS_LIMIT as u64);
            let expected = format!("expected {most} at most, as no suite reads longer ones");
            self.invalid(span.clone(), message, &expected);
        }
        if let Some(first) = self.knobs.iter().position(|other| *other == knobs) {
            let message = format!("this setting is the same as number {}", first + 1);
            self.invalid(span, message, "expected each setting once");
        }
        self.knobs.push(knobs);
        Ok(())
    }

    fn invalid(&mut self, span: Range<usize>, message: String, expected: &str) {
        self.wrong.push(Wrong::new(&problem::KNOBS_INVALID, span, "", message, expected));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Vec<String>, Vec<String>> {
        let read = read(&Source::bytes("knobs.json", text.as_bytes().to_vec()));
        read.map(|knobs| knobs.iter().map(ToString::to_string).collect())
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
        let long = format!("{{\"prompt\":\"{}\"}}", "x".repeat(4084));
        for (text, problems) in [
            (
                "[{\"k\":5},\n 7, {\"k\" : 5},\n{\"a\":1,\"a\":2}]",
                &[
                    "knobs.json:2:2: error[knobs/invalid]: this setting is a number, not an object",
                    "knobs.json:2:5: error[knobs/invalid]: this setting is the same as number 1",
                    "knobs.json:3:12: error[input/repeated-field]: `a` stands in this setting twice",
                ][..],
            ),
            (
                "{\"k\":}",
                &["knobs.json:1:6: error[input/bad-json]: this is not JSON: found `}`, expected a value"],
            ),
            (" \n", &["knobs.json: error[knobs/invalid]: this file holds no setting"]),
            (&long, &["knobs.json:1:1: error[knobs/invalid]: this setting has 4,097 bytes"]),
        ] {
            assert_eq!(check(text).unwrap_err(), problems);
        }
        assert!(check(&long.replacen('x', "", 1)).is_ok());
        assert!(check("{\"k\":5").unwrap_err()[0].contains("the end of the line"));
    }
}
