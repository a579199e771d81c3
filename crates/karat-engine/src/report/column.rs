//! Which facts a suite reports of each of its rows, under which title, and which formats list them.
//!
//! A suite declares columns; formats list those that name them. So no format needs to know a suite.

use std::borrow::Cow;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// A fact that rows have: cases, points of a curve, rows of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// Where its value stands in a row: `runs`, `figures/coverage`, `reasons/0/at`.
    pub key: String,
    /// What stands above it.
    pub title: String,
    /// What its values are.
    pub kind: Kind,
    /// Which formats list it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<Place>,
}

/// What the values of a column are, and so how they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Text.
    Text,
    /// One of a few words.
    Word,
    /// What a person or a judge says of the case.
    Rating,
    /// True or false.
    Flag,
    /// True, or left out.
    Mark,
    /// A whole number.
    Count,
    /// A number, which tables show with four decimals.
    Number,
    /// A difference of two numbers, shown with its sign.
    Delta,
    /// A relative change in per cent, shown with its sign.
    Percent,
    /// A time in milliseconds.
    Milliseconds,
    /// A number, which tables show with two decimals.
    Ratio,
    /// Reasons, each with what is at fault; the first one is shown.
    Reasons,
    /// Several values, each under its name.
    Group,
}

/// Where a column or a section is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The report for people in a terminal, and tables of the Markdown report.
    Text,
    /// The list of cases in the Markdown report.
    Md,
    /// The page.
    Page,
    /// What the page shows of one case.
    Drawer,
    /// Comma-separated rows.
    Csv,
    /// Tab-separated rows.
    Tsv,
    /// The flat object.
    Flat,
}

impl Column {
    /// A column under a title.
    #[must_use]
    pub fn new(key: impl Into<String>, title: impl Into<String>, kind: Kind, on: &[Place]) -> Self {
        Column { key: key.into(), title: title.into(), kind, on: on.to_vec() }
    }

    /// A column whose key is its title.
    #[must_use]
    pub fn named(key: &str, kind: Kind, on: &[Place]) -> Self {
        Column::new(key, key, kind, on)
    }
}

/// The columns that a place lists.
pub fn listed(columns: &[Column], place: Place) -> impl Iterator<Item = &Column> {
    columns.iter().filter(move |column| column.on.contains(&place))
}

/// How formats speak of the cases of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Layout {
    /// What a case is called in headings: case or question.
    pub case: String,
    /// Which cases are at fault, where the labels say what came of a case and not whether it is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultRule>,
    /// What is shown of one of the worst cases, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub worst: Vec<Shown>,
    /// What is known of every case beside its label and its stage.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<Column>,
}

/// The cases that are at fault: those in which a column has this value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FaultRule {
    /// The rule's name.
    pub name: String,
    /// What it means to be at fault.
    pub meaning: String,
    /// The column.
    pub column: String,
    /// Its value.
    pub value: String,
}

/// What is shown of one of the worst cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// The claim.
    Claim,
    /// The notes: what happened.
    Notes,
    /// What was cited and retrieved, and what gold names.
    Citations,
}

/// What is known of a row, by name, in the order in which it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facts(Vec<(Cow<'static, str>, Value)>);

impl Facts {
    /// These facts, nulls among them.
    #[must_use]
    pub fn all<const N: usize>(facts: [(&'static str, Value); N]) -> Self {
        Facts(facts.into_iter().map(|(key, value)| (Cow::Borrowed(key), value)).collect())
    }

    /// These facts; what is not known, and a list that holds nothing, is left out.
    #[must_use]
    pub fn known<const N: usize>(facts: [(&'static str, Value); N]) -> Self {
        let nothing = |value: &Value| match value {
            Value::Null => true,
            Value::Array(list) => list.is_empty(),
            Value::Object(map) => map.is_empty(),
            _ => false,
        };
        let known = facts.into_iter().filter(|(_, value)| !nothing(value));
        Facts(known.map(|(key, value)| (Cow::Borrowed(key), value)).collect())
    }

    /// The value at a key; `figures/coverage` is the value `coverage` of the group `figures`.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        let of = |name: &str| self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        let Some((group, rest)) = key.split_once('/') else { return of(key) };
        let group = of(group)?;
        group.get(rest).or_else(|| group.pointer(key.get(key.len() - rest.len() - 1..)?))
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de> Deserialize<'de> for Facts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let facts: IndexMap<String, Value> = IndexMap::deserialize(deserializer)?;
        Ok(Facts(facts.into_iter().map(|(key, value)| (Cow::Owned(key), value)).collect()))
    }
}

/// A cell of a table that is not of its column's kind.
pub fn cell(kind: Kind, value: Option<f64>) -> Value {
    serde_json::json!({ "kind": kind, "value": value })
}

/// The number in a value: itself, or the value of a figure.
pub fn number(value: Option<&Value>) -> Option<f64> {
    let value = value?;
    value.as_f64().or_else(|| value.get("value")?.as_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn facts_are_found_by_their_keys() {
        let facts = Facts::known([
            ("runs", json!(2)),
            ("trace", Value::Null),
            ("ratings", json!({"a/b": "VALID"})),
            ("reasons", json!([{"reason": "not_current", "at": null}])),
            ("grid", json!([])),
        ]);
        let text = serde_json::to_string(&facts).unwrap();
        assert_eq!(
            text,
            r#"{"runs":2,"ratings":{"a/b":"VALID"},"reasons":[{"reason":"not_current","at":null}]}"#
        );
        assert_eq!(serde_json::from_str::<Facts>(&text).unwrap(), facts);
        assert_eq!(facts.get("ratings/a/b"), Some(&json!("VALID")));
        assert_eq!(facts.get("reasons/0/reason"), Some(&json!("not_current")));
        assert_eq!((facts.get("trace"), facts.get("runs/0"), facts.get("none/x")), (None, None, None));
    }
}
