//! What does a trace say of its time, its knobs and its load?

use std::ops::Range;

use crate::input::json::{Kind, Reader, Syntax};
use crate::problem;
use crate::quantile;
use crate::rows::{Wrong, object, object_text, refuse};
use crate::suites::latency::judge::Stage;

use karat_input::KNOBS_LIMIT;

/// No request takes longer than this: thirty years.
const LONGEST: f64 = 1e12;

/// How long one request took, and where it belongs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Timed<'a> {
    /// From question to answer.
    pub(crate) whole: Option<f64>,
    /// Each stage.
    pub(crate) stages: [Option<f64>; 4],
    /// A stage is named and has no time, so that the sum of the stages is not known.
    pub(crate) unmeasured: bool,
    /// The knobs as the line writes them; `None` where it has none.
    pub(crate) knobs: Option<&'a str>,
    /// Requests a second.
    pub(crate) load: Option<f64>,
}

impl Timed<'_> {
    /// The time that counts: the whole, or else the sum of the stages.
    pub(crate) fn time(&self) -> Option<f64> {
        let sum = || {
            let known = self.stages.iter().flatten().copied();
            (!self.unmeasured && self.stages.iter().any(Option::is_some)).then(|| quantile::sum(known))
        };
        self.whole.or_else(sum)
    }
}

impl<'a> Timed<'a> {
    /// Reads what a trace says; what breaks the contract goes to `wrong`. The line itself was read already.
    pub(crate) fn read(line: &'a str, wrong: &mut Vec<Wrong>) -> Self {
        let mut timed = Timed::default();
        let read = object(line, &problem::TRACE_NOT_AN_OBJECT, |reader, key| timed.field(reader, key, wrong));
        wrong.extend(read.err());
        timed
    }

    fn field(&mut self, reader: &mut Reader<'a>, key: &str, wrong: &mut Vec<Wrong>) -> Result<(), Syntax> {
        let kind = &problem::TRACE_WRONG_TYPE;
        match key {
            "e2e_ms" => self.whole = milliseconds(reader, key, wrong)?,
            "load_rps" => {
                let expected = "requests a second as a number";
                self.load = number(reader, key, expected, &problem::TRACE_UNKNOWN_VALUE, wrong)?;
            }
            "stage_ms" => {
                (self.stages, self.unmeasured) = ([None; 4], false);
                match reader.peek()? {
                    Kind::Null => reader.skip()?,
                    Kind::Object => reader.object(|reader, name| {
                        let Some(stage) = Stage::named(name) else { return reader.skip() };
                        let time = milliseconds(reader, &format!("stage_ms.{name}"), wrong)?;
                        self.stages[stage as usize] = time;
                        self.unmeasured |= time.is_none();
                        Ok(())
                    })?,
                    _ => refuse(reader, key, "an object of milliseconds by stage", kind, wrong)?,
                }
            }
            "knobs" => {
                let start = reader.offset();
                self.knobs = object_text(reader, key, kind, wrong)?;
                wrong.extend(self.knobs.and_then(|text| too_long(text, start..start + text.len(), key)));
            }
            _ => reader.skip()?,
        }
        Ok(())
    }
}

/// The problem of knobs that are too long to name a point.
pub(crate) fn too_long(text: &str, span: Range<usize>, path: &str) -> Option<Wrong> {
    let message = format!("`{path}` has {} bytes", text.len());
    let expected = format!("expected {} at most", KNOBS_LIMIT);
    (text.len() > KNOBS_LIMIT).then(|| Wrong::new(&problem::TRACE_KNOBS, span, path, message, expected))
}

fn milliseconds(reader: &mut Reader<'_>, path: &str, wrong: &mut Vec<Wrong>) -> Result<Option<f64>, Syntax> {
    number(reader, path, "milliseconds as a number", &problem::TRACE_TIME, wrong)
}

fn number(
    reader: &mut Reader<'_>,
    path: &str,
    expected: &str,
    out_of_range: &'static problem::Kind,
    wrong: &mut Vec<Wrong>,
) -> Result<Option<f64>, Syntax> {
    match reader.peek()? {
        Kind::Null => reader.skip().map(|()| None),
        Kind::Number => {
            let start = reader.offset();
            let text = reader.number()?;
            let found = in_range(text);
            if let Err(why) = found {
                let message = format!("`{path}` is {why}");
                let span = start..start + text.len();
                let expected = format!("expected {expected}, 0 or more");
                wrong.push(Wrong::new(out_of_range, span, path, message, expected));
            }
            Ok(found.ok())
        }
        _ => refuse(reader, path, expected, &problem::TRACE_WRONG_TYPE, wrong).map(|()| None),
    }
}

/// A number from 0 to thirty years of milliseconds, or what it is instead.
pub(crate) fn in_range(text: &str) -> Result<f64, &'static str> {
    // Rust also reads `inf` and `nan`, which are not times.
    let digits = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E'));
    match text.parse::<f64>() {
        _ if !digits => Err("not a number"),
        Ok(value) if value < 0.0 => Err("negative"),
        Ok(value) if value <= LONGEST => Ok(value + 0.0), // -0 is 0
        Ok(_) => Err("larger than 1e12"),
        Err(_) => Err("not a number"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Timed<'_>, Vec<String>) {
        let mut wrong = Vec::new();
        let timed = Timed::read(line, &mut wrong);
        (timed, wrong.iter().map(|wrong| format!("{}: {}", wrong.kind.slug, wrong.message)).collect())
    }

    #[track_caller]
    fn refused(line: &str, expected: &str) {
        let (_, wrong) = read(line);
        assert_eq!(wrong, [expected]);
    }

    #[test]
    fn the_whole_beats_the_sum() {
        let time = |line: &str| read(line).0.time();
        assert_eq!(time(r#"{"e2e_ms":5,"stage_ms":{"llm":1}}"#), Some(5.0));
        assert_eq!(
            time(r#"{"e2e_ms":null,"stage_ms":{"llm":1.5,"guard":2,"other":9,"odd":null}}"#),
            Some(3.5)
        );
        assert_eq!(time(r#"{"stage_ms":{"llm":0.1,"guard":0.2}}"#), Some(0.3));
        assert_eq!(time(r#"{"stage_ms":{"llm":null,"retrieval":1}}"#), None, "nobody knows what llm took");
        assert_eq!(time(r#"{"stage_ms":{"llm":null,"retrieval":1},"e2e_ms":9}"#), Some(9.0));
        assert_eq!(time(r#"{"stage_ms":{"other":9}}"#), None);
        assert_eq!(time(r#"{"stage_ms":null}"#), None);
        assert_eq!(time(r#"{"e2e_ms":-0}"#).map(f64::is_sign_positive), Some(true));
    }

    #[test]
    fn what_is_no_time_is_named() {
        refused(r#"{"e2e_ms":-1}"#, "trace/time: `e2e_ms` is negative");
        refused(r#"{"e2e_ms":1e400}"#, "trace/time: `e2e_ms` is larger than 1e12");
        refused(r#"{"e2e_ms":"12"}"#, "trace/wrong-type: `e2e_ms` is a string");
        refused(r#"{"stage_ms":{"llm":true}}"#, "trace/wrong-type: `stage_ms.llm` is a boolean");
        refused(r#"{"stage_ms":7}"#, "trace/wrong-type: `stage_ms` is a number");
        refused(r#"{"knobs":[1]}"#, "trace/wrong-type: `knobs` is a list");
        refused(r#"{"load_rps":"5"}"#, "trace/wrong-type: `load_rps` is a string");
        refused(r#"{"load_rps":-5}"#, "trace/unknown-value: `load_rps` is negative");
        let long = format!(r#"{{"knobs":{{"prompt":"{}"}}}}"#, "x".repeat(5000));
        refused(&long, "trace/knobs: `knobs` has 5013 bytes");
    }
}
