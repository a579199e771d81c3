//! What can be turned, and what each turn costs?

use serde_json::{Map, Value};

/// How the pipeline works on one question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Knobs {
    /// How many chunks are read for the answer. More finds more and reads longer.
    pub(crate) k: usize,
    /// How many candidates are read closely to put them in order; 0 trusts the index. It is the slow step.
    pub(crate) rerank: usize,
    /// Whether a chunk must be offered by words and by letters alike.
    pub(crate) intersect: bool,
    /// The share of the question that an answer has to cover; below it the pipeline refuses.
    pub(crate) refuse_below: f64,
    /// How much chance there is in the choice of a sentence. At 0 the seed changes nothing.
    pub(crate) temperature: f64,
}

impl Default for Knobs {
    fn default() -> Self {
        Self { k: 5, rerank: 12, intersect: false, refuse_below: 0.55, temperature: 0.0 }
    }
}

const NAMES: [&str; 5] = ["intersect", "k", "refuse_below", "rerank", "temperature"];

impl Knobs {
    /// These knobs with what a request sets; otherwise everything that is wrong with it.
    pub(crate) fn with(&self, given: &Value) -> Result<Self, Vec<String>> {
        let mut knobs = self.clone();
        let empty = Map::new();
        let given = match given {
            Value::Null => &empty,
            Value::Object(given) => given,
            other => return Err(vec![format!("knobs must be an object such as {{\"k\": 5}}, not {other}")]),
        };
        let mut wrong = Vec::new();
        for (name, value) in given {
            let outcome = match name.as_str() {
                "k" => whole(value, 1, 20).map(|n| knobs.k = n),
                "rerank" => whole(value, 0, 100).map(|n| knobs.rerank = n),
                "intersect" => value.as_bool().map(|b| knobs.intersect = b).ok_or("true or false".to_owned()),
                "refuse_below" => share(value).map(|x| knobs.refuse_below = x),
                "temperature" => share(value).map(|x| knobs.temperature = x),
                _ => {
                    wrong.push(unknown(name));
                    continue;
                }
            };
            if let Err(expected) = outcome {
                wrong.push(format!("knob {name} must be {expected}, not {value}"));
            }
        }
        if wrong.is_empty() { Ok(knobs) } else { Err(wrong) }
    }
}

fn whole(value: &Value, least: usize, most: usize) -> Result<usize, String> {
    let number = value.as_u64().and_then(|n| usize::try_from(n).ok());
    number
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| format!("a whole number from {least} to {most}"))
}

fn share(value: &Value) -> Result<f64, String> {
    value.as_f64().filter(|x| (0.0..=1.0).contains(x)).ok_or_else(|| "a number from 0 to 1".to_owned())
}

fn unknown(name: &str) -> String {
    let nearest = NAMES.iter().map(|known| (strsim::jaro_winkler(name, known), known));
    let nearest = nearest.filter(|(likeness, _)| *likeness > 0.8).max_by(|a, b| a.0.total_cmp(&b.0));
    match nearest {
        Some((_, known)) => format!("there is no knob {name:?}; did you mean {known:?}?"),
        None => format!("there is no knob {name:?}; there are {}", NAMES.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_given_replaces_the_default() {
        let knobs = Knobs::default().with(&json!({"k": 3, "intersect": true})).unwrap();
        assert_eq!(knobs, Knobs { k: 3, intersect: true, ..Knobs::default() });
        assert_eq!(Knobs::default().with(&Value::Null), Ok(Knobs::default()));
    }

    #[test]
    fn everything_wrong_is_told_at_once() {
        let wrong = Knobs::default()
            .with(&json!({"k": 0, "rerank": -1, "intersect": "yes", "refuse_below": 2, "temprature": 0, "zoom": 1}))
            .unwrap_err();
        assert_eq!(
            wrong,
            [
                "knob k must be a whole number from 1 to 20, not 0",
                "knob rerank must be a whole number from 0 to 100, not -1",
                "knob intersect must be true or false, not \"yes\"",
                "knob refuse_below must be a number from 0 to 1, not 2",
                "there is no knob \"temprature\"; did you mean \"temperature\"?",
                "there is no knob \"zoom\"; there are intersect, k, refuse_below, rerank, temperature",
            ]
        );
        assert_eq!(
            Knobs::default().with(&json!([1])).unwrap_err(),
            ["knobs must be an object such as {\"k\": 5}, not [1]"]
        );
    }
}
