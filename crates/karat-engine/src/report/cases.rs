//! The cases of a report: one row each, and the words of those that went wrong.

use std::borrow::Cow;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{CaseView, Facts};

/// A case that went wrong, with what was said.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Offender {
    /// The case.
    pub id: String,
    /// What became of it.
    pub label: String,
    /// The stage that broke first.
    pub first_failed_stage: String,
    /// The row in the gold file.
    pub line: u64,
    /// The question.
    pub question: String,
    /// The claim; null where there is none.
    pub claim: Option<String>,
    /// The retrieved ids, best first.
    #[serde(default)]
    pub retrieved: Vec<String>,
    /// The cited ids.
    #[serde(default)]
    pub cited: Vec<String>,
    /// The ids that gold names.
    #[serde(default)]
    pub gold_citations: Vec<String>,
    /// The phrases that gold asks for, lower-cased.
    #[serde(default)]
    pub gold_phrases: Vec<String>,
    /// Where the trace stands: `runs/trace.jsonl`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Its line there, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace_line: Option<u64>,
    /// What else one has to know of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What to do about it.
    pub next_step: String,
}

/// One case. Beside the first four fields, each suite has its own: `layout` in the report says which.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Case {
    /// The id.
    pub id: String,
    /// What became of it.
    pub label: String,
    /// The stage that broke first.
    pub first_failed_stage: String,
    /// The row in the gold file.
    pub line: u64,
    /// What else the suite knows of it.
    #[serde(flatten)]
    #[schemars(with = "IndexMap<String, Value>")]
    pub facts: Facts,
    /// Its path from question to verdict, where somebody asked for it ([`crate::detail::Detail`]).
    #[serde(skip)]
    pub view: Option<Box<CaseView>>,
}

impl Case {
    /// The value of a column.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<Cow<'_, Value>> {
        let text = |text: &str| Some(Cow::Owned(Value::from(text)));
        match key {
            "id" => text(&self.id),
            "label" => text(&self.label),
            "first_failed_stage" => text(&self.first_failed_stage),
            _ => self.facts.get(key).map(Cow::Borrowed),
        }
    }

    /// A fact that is true or false.
    #[must_use]
    pub fn flag(&self, key: &str) -> Option<bool> {
        self.facts.get(key)?.as_bool()
    }

    /// A fact that is text.
    #[must_use]
    pub fn text(&self, key: &str) -> Option<&str> {
        self.facts.get(key)?.as_str()
    }

    /// It was left out of every figure.
    #[must_use]
    pub fn is_skipped(&self) -> bool {
        self.flag("skipped") == Some(true)
    }

    /// Whether somebody who says this name means it: its own, or that of the gold case that it is of.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.id == name || self.text("case_id") == Some(name)
    }
}
