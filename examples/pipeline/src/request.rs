//! What did the caller send? One JSON object, the same over HTTP and as a line.

use serde_json::Value;

use crate::knobs::Knobs;

/// The longest body or line that is read, in bytes.
pub(crate) const LONGEST: usize = 64 * 1024;

/// The longest question that is looked at, in characters.
const LONGEST_QUESTION: usize = 2_000;

/// A question with everything that its answer depends on.
#[derive(Debug)]
pub(crate) struct Request {
    /// As sent, to be handed back.
    pub(crate) qid: Option<Value>,
    pub(crate) q: String,
    pub(crate) seed: i64,
    pub(crate) knobs: Knobs,
}

impl Request {
    /// Reads a request; otherwise everything that is wrong with it.
    pub(crate) fn read(bytes: &[u8], defaults: &Knobs) -> Result<Self, Vec<String>> {
        let value: Value =
            serde_json::from_slice(bytes).map_err(|e| vec![format!("the request is no JSON: {e}")])?;
        let Value::Object(mut fields) = value else {
            return Err(vec![format!("the request must be an object, not {}", kind(&value))]);
        };
        let mut wrong = Vec::new();
        let mut field = |name: &str| fields.remove(name).filter(|value| !value.is_null());
        let q = match field("q") {
            Some(Value::String(q)) if q.chars().count() > LONGEST_QUESTION => {
                wrong.push(format!("q has more than {LONGEST_QUESTION} characters"));
                String::new()
            }
            Some(Value::String(q)) => q,
            Some(other) => {
                wrong.push(format!("q must be a string, not {}", kind(&other)));
                String::new()
            }
            None => {
                wrong.push("q, the question, is missing".to_owned());
                String::new()
            }
        };
        let seed = match field("seed") {
            None => 0,
            Some(seed) => seed.as_i64().unwrap_or_else(|| {
                wrong.push(format!("seed must be a whole number, not {seed}"));
                0
            }),
        };
        let qid = field("qid");
        if let Some(Value::Array(_) | Value::Object(_) | Value::Bool(_)) = qid {
            wrong.push("qid must be a string or a number".to_owned());
        }
        let knobs = defaults.with(&field("knobs").unwrap_or(Value::Null)).unwrap_or_else(|more| {
            wrong.extend(more);
            defaults.clone()
        });
        if wrong.is_empty() { Ok(Self { qid, q, seed, knobs }) } else { Err(wrong) }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> Vec<String> {
        Request::read(text.as_bytes(), &Knobs::default()).unwrap_err()
    }

    #[test]
    fn a_question_is_enough() {
        let request =
            Request::read(br#"{"q":"why?","jitter":"ws","seed":null,"more":[1]}"#, &Knobs::default());
        let request = request.unwrap();
        assert_eq!((request.q.as_str(), request.seed, request.qid), ("why?", 0, None));
    }

    #[test]
    fn everything_wrong_is_told_at_once() {
        assert_eq!(
            wrong(r#"{"q":1,"seed":"x","qid":[],"knobs":{"k":"5"}}"#),
            [
                "q must be a string, not a number",
                "seed must be a whole number, not \"x\"",
                "qid must be a string or a number",
                "knob k must be a whole number from 1 to 20, not \"5\"",
            ]
        );
        assert_eq!(wrong("[]"), ["the request must be an object, not a list"]);
        assert_eq!(wrong("{}"), ["q, the question, is missing"]);
        assert!(wrong("{").first().unwrap().starts_with("the request is no JSON: "));
        assert!(wrong(&"[".repeat(60_000)).first().unwrap().starts_with("the request is no JSON: "));
        assert_eq!(
            wrong(&format!(r#"{{"q":"{}"}}"#, "x".repeat(2_001))),
            ["q has more than 2000 characters"]
        );
    }
}
